/**
 * Keeps what is read for the other devices of the member who is logged in
 * (docs/product.md#notebook). In the first chunk, so that nothing is missed; the code that sends is
 * loaded later, and for members only.
 */
import { hasSessionHint } from '../../lib/session-renewal.ts'
import { readStored, writeStored } from '../../lib/storage.ts'
import { sessionState, subscribeSession } from '../accounts/session.ts'
import { keepFor } from '../reading/store.ts'
import type * as sync from './sync.ts'

/** The member of the session, for pages that are opened while the server cannot be asked. */
const MEMBER = 'notebookMember'
const SYNC = 'notebookSync'
const START_AFTER_MS = 1_000

let timer: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()

export const isSyncOn = (): boolean => readStored(SYNC) !== 'off'

export function subscribeSyncSwitch(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Whether this browser sends and reads; also for the next members. */
export function switchSync(isOn: boolean): void {
  writeStored(SYNC, isOn ? null : 'off')
  follow()
}

export function followMember(): void {
  subscribeSession(follow)
  addEventListener('storage', ({ key }) => {
    if (key === SYNC) follow()
  })
  follow()
}

function follow(): void {
  const { status, user } = sessionState()
  if (user !== null) writeStored(MEMBER, user._id)
  const member = user?._id ?? (hasSessionHint() ? readStored(MEMBER) : null)
  keepFor(isSyncOn() ? member : null)
  const reachable = status === 'in' && isSyncOn() ? user._id : null
  clearTimeout(timer)
  timer = setTimeout(() => void connect(reachable), reachable === null ? 0 : START_AFTER_MS)
  for (const listener of listeners) listener()
}

let loading: Promise<typeof sync> | undefined

/** The code that sends and reads. */
export const loadSync = (): Promise<typeof sync> =>
  (loading ??= import('./sync.ts').catch((error: unknown) => {
    // The next call tries again; what was read waits.
    loading = undefined
    throw error
  }))

async function connect(member: string | null): Promise<void> {
  if (member === null && loading === undefined) return
  try {
    const { startSync, stopSync } = await loadSync()
    if (member === null) stopSync()
    else startSync(member)
  } catch {}
}

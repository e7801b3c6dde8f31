/**
 * Synchronises the notebook and the rules of hiding with the account of the member who is logged in
 * (docs/product.md#notebook). This module is in the initial script, so that changes are queued from
 * the first one on. The code that sends and fetches them (sync.ts) is loaded later, for members
 * only.
 */
import { queueChangesFor } from '../../lib/followed-member.ts'
import { hasSessionHint } from '../../lib/session-renewal.ts'
import { readStored, writeStored } from '../../lib/storage.ts'
import { subscribeStored } from '../../lib/stored-changes.ts'
import { sessionState, subscribeSession } from '../accounts/session.ts'
import type * as sync from './sync.ts'

/** The last known member, for pages that are opened while the server cannot be reached. */
const MEMBER = 'notebookMember'
export const SYNC_KEY = 'notebookSync'
const START_AFTER_MS = 1_000

let timer: ReturnType<typeof setTimeout> | undefined

export const isSyncOn = (): boolean => readStored(SYNC_KEY) !== 'off'

export function followMember(): void {
  subscribeSession(followSession)
  subscribeStored(SYNC_KEY, followSession)
  followSession()
}

function followSession(): void {
  const { status, user } = sessionState()
  if (user !== null) writeStored(MEMBER, user._id)
  const member = user?._id ?? (hasSessionHint() ? readStored(MEMBER) : null)
  queueChangesFor(isSyncOn() ? member : null)
  const connected = status === 'in' && isSyncOn() ? user._id : null
  clearTimeout(timer)
  timer = setTimeout(() => void connect(connected), connected === null ? 0 : START_AFTER_MS)
}

let loading: Promise<typeof sync> | undefined

/** Loads the code that sends changes and fetches those of other devices. */
export const loadSync = (): Promise<typeof sync> =>
  (loading ??= import('./sync.ts').catch((error: unknown) => {
    // The next call tries again; changes stay queued meanwhile.
    loading = undefined
    throw error
  }))

async function connect(member: string | null): Promise<void> {
  if (member === null && loading === undefined) return
  try {
    const { startSync, stopSync } = await loadSync()
    if (member === null) stopSync()
    else startSync(member)
  } catch {
    // The code could not be loaded. The next change of the session tries again.
  }
}

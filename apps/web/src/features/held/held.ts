/**
 * Held posts and threads of this browser, which wait for a moderator. They are not public, so they
 * are stored here until they are approved (then the published one replaces them), or their writer
 * closes or rewrites those that were rejected or expired.
 * Subscribable, for useSyncExternalStore; empty on the server.
 */
import type { AnswerOf } from '@shinobi/contract/common'
import type { getHeldState } from '@shinobi/contract/moderation'
import { ApiError, apiGet, apiSend } from '../../lib/api-client.ts'
import { sessionState } from '../accounts/session.ts'
import { readStored, writeStored } from '../../lib/storage.ts'
import { announceStored, subscribeStored } from '../../lib/stored-changes.ts'

const KEY = 'held'
/** About 50 kB of local storage at worst; older ones are dropped first. */
const MAX = 20
/** Moderators decide within days, or never. */
const KEEP_MS = 14 * 24 * 3_600_000

export interface HeldItem {
  /** The server's id. */
  readonly id: string
  readonly kind: 'post' | 'thread'
  /** The thread of a post, the category (name) of a thread. */
  readonly place: string
  /** Of a thread as typed, with the key of a tripcode, which its further posts are sent with. */
  readonly name: string | null
  readonly title: string | null
  readonly content: string
  readonly hasImage: boolean
  /** The member who wrote it; null for a visitor. The next user of this browser must not see it. */
  readonly owner: string | null
  /** Milliseconds since 1970. */
  readonly at: number
  readonly status: 'waiting' | 'rejected' | 'expired'
}

const NONE: readonly HeldItem[] = []
let known: readonly HeldItem[] | null = null

const isItem = (value: unknown): value is HeldItem =>
  typeof value === 'object' &&
  value !== null &&
  'id' in value &&
  'place' in value &&
  'content' in value &&
  'at' in value

function load(): readonly HeldItem[] {
  try {
    const stored: unknown = JSON.parse(readStored(KEY) ?? '[]')
    if (!Array.isArray(stored)) return NONE
    const items = stored.filter(isItem).filter(({ at }) => Date.now() - at < KEEP_MS)
    return items.length === 0 ? NONE : items
  } catch {
    // Unreadable data counts as empty.
    return NONE
  }
}

function change(update: (items: readonly HeldItem[]) => readonly HeldItem[]): void {
  // Another tab may have changed it since.
  const next = update(load())
  known = next.length === 0 ? NONE : next
  writeStored(KEY, next.length === 0 ? null : JSON.stringify(next))
  announceStored(KEY)
}

export function heldItems(): readonly HeldItem[] {
  known ??= load()
  return known
}

export const noHeldItems = (): readonly HeldItem[] => NONE

export const subscribeHeld = (listener: () => void): (() => void) =>
  subscribeStored(KEY, (isElsewhere) => {
    if (isElsewhere) known = null
    listener()
  })

/** A repeated sending after a lost answer has the same id. */
export function rememberHeld(
  item: Omit<HeldItem, 'at' | 'status' | 'owner'>,
  owner = sessionState().user?._id ?? null,
): void {
  const held: HeldItem = { ...item, owner, at: Date.now(), status: 'waiting' }
  change((items) => [...items.filter(({ id }) => id !== item.id), held].slice(-MAX))
}

export const forgetHeld = (id: string): void => change((items) => items.filter((item) => item.id !== id))

/**
 * Takes back a waiting item. One that was decided meanwhile is shown as such after the next look.
 * @throws what the call throws, except where the server does not know it
 */
export async function withdrawHeld(id: string): Promise<void> {
  try {
    await apiSend('DELETE', `/api/held/${encodeURIComponent(id)}`)
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error
  }
  forgetHeld(id)
}

type HeldState = AnswerOf<typeof getHeldState>

/** A published post by its thread and number, a thread by its id alone. */
export type ApprovedItem = HeldItem & Pick<HeldState, 'threadId' | 'number'>

/**
 * Asks the server for the state of waiting items. Approved ones are removed and returned, rejected
 * and expired ones are marked, and those unknown to the server are removed without a message. A
 * thread that still waits gets the category that it waits in.
 */
export async function askHeld(items: readonly HeldItem[]): Promise<ApprovedItem[]> {
  const waiting = items.filter(({ status }) => status === 'waiting')
  const asked = waiting.map(async (item): Promise<ApprovedItem | null> => {
    const { status, threadId, number, category } = await stateOf(item.id)
    if (status === 'waiting') {
      // The category of a thread may have been merged into another one.
      const place = category ?? item.place
      if (place !== item.place)
        change((stored) => stored.map((other) => (other.id === item.id ? { ...other, place } : other)))
      return null
    }
    if (status === 'rejected' || status === 'expired') {
      change((stored) => stored.map((other) => (other.id === item.id ? { ...other, status } : other)))
      return null
    }
    forgetHeld(item.id)
    return status === 'approved' ? { ...item, threadId, number } : null
  })
  return (await Promise.all(asked)).filter((item) => item !== null)
}

async function stateOf(id: string): Promise<HeldState> {
  try {
    return await apiGet<HeldState>(`/api/held/${encodeURIComponent(id)}`)
  } catch (error) {
    // Offline or busy: asked again later. One that the server does not know counts as withdrawn.
    const status = error instanceof ApiError && error.status === 404 ? 'withdrawn' : 'waiting'
    return { status, threadId: null, number: null, category: null }
  }
}

/** Holding: a post or thread that a moderator looks at first. What becomes of it is decided in features/moderation. */
import { HELD_WAITING_MAX } from '@shinobi/contract/limits'
import { messages } from '@shinobi/contract/messages'
import type { HeldAnswer } from '@shinobi/contract/posts'
import type { Transaction } from 'kysely'
import type { Tables } from '../../db/tables.ts'
import { afterCommit } from '../../db/transaction.ts'
import type { Deps } from '../../deps.ts'
import { actorId, type Visitor } from '../../http/visitor.ts'
import { ApiError } from '../../lib/api-error.ts'
import { countWaiting, insertHeldPost, selectHeldByClientId, type HeldState, type NewHeldPost } from './held.queries.ts'
import { createLru } from '../../lib/lru.ts'

/**
 * Who had something held at this server lately. Only their resends are looked up: nobody else's post pays for the question whether it
 * was held before.
 */
export interface HeldMemory {
  has(visitor: Visitor): boolean
  add(visitor: Visitor): void
}

const REMEMBERED = 20_000

export function createHeldMemory(): HeldMemory {
  const actors = createLru<string, true>(REMEMBERED)
  return { has: (visitor) => actors.has(actorId(visitor)), add: (visitor) => void actors.set(actorId(visitor), true) }
}

export const toHeldAnswer = (id: string, kind: 'post' | 'thread'): HeldAnswer => ({
  held: { _id: id, message: kind === 'post' ? messages.post_held : messages.thread_held },
})

type HoldDeps = Pick<Deps, 'admission' | 'bans' | 'limits' | 'live'>

/**
 * Stores a post or thread that has to wait; for the same sending again, the one that waits.
 * @returns its id, and whether it is new
 * @throws ApiError too_many_requests when too much of this visitor's waits, or came from this address
 */
export async function hold(
  tx: Transaction<Tables>,
  { admission, bans, limits, live }: HoldDeps,
  visitor: Visitor,
  post: Omit<NewHeldPost, 'visitorId' | 'userId'>,
): Promise<{ readonly id: string; readonly isNew: boolean }> {
  const held = { ...post, visitorId: visitor.visitorId, userId: visitor.member?.id ?? null }
  if (!(await insertHeldPost(tx, held))) {
    const before = await selectHeldByClientId(tx, post.threadId, post.clientId!)
    return { id: before?.id ?? post.id, isNew: false }
  }
  // One more than may wait, counting this one.
  if ((await countWaiting(tx, held, HELD_WAITING_MAX + 1)) > HELD_WAITING_MAX)
    throw new ApiError('too_many_requests', messages.held_full)
  await limits.held.take(visitor.addressHash)
  afterCommit(tx, () => {
    admission.held.add(visitor)
    bans.seen(visitor)
    live.queueChanged()
  })
  return { id: post.id, isNew: true }
}

/** The sending of this visitor that was held before, if there is one. */
export async function findHeld(
  { db, admission }: Pick<Deps, 'db' | 'admission'>,
  visitor: Visitor,
  threadId: string | null,
  clientId: string | null,
): Promise<HeldState | undefined> {
  if (clientId === null || !admission.held.has(visitor)) return undefined
  return selectHeldByClientId(db, threadId, clientId)
}

/** Whether something held is this visitor's own. */
export const isOwn = (held: HeldState, { member, visitorId }: Visitor): boolean =>
  held.visitorId === visitorId || (member !== null && held.userId === member.id)

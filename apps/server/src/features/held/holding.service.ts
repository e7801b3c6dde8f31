/**
 * Holding: a post or thread that a moderator looks at first. What becomes of it is decided in held.service.ts. Who writes posts and
 * threads stands before this feature, and is handed it in app.ts.
 */
import { HELD_WAITING_MAX } from '@shinobi/contract/limits'
import { messages } from '@shinobi/contract/messages'
import type { HeldAnswer } from '@shinobi/contract/posts'
import type { Transaction } from 'kysely'
import type { Tables } from '../../db/tables.ts'
import { afterCommit } from '../../db/transaction.ts'
import type { Deps } from '../../deps.ts'
import { actorId, type Visitor } from '../../http/visitor.ts'
import { ApiError } from '../../lib/api-error.ts'
import { createLru } from '../../lib/lru.ts'
import {
  countWaiting,
  insertHeldPost,
  selectHeldByClientId,
  type HeldState,
  type NewHeldPost,
} from './holding.queries.ts'

export interface Holding {
  /**
   * Stores a post or thread that has to wait; for the same sending again, the one that waits.
   * @returns its id, and whether it is new
   * @throws ApiError too_many_requests when too much of this visitor's waits, or came from this address
   */
  hold(
    tx: Transaction<Tables>,
    visitor: Visitor,
    post: Omit<NewHeldPost, 'visitorId' | 'userId'>,
  ): Promise<{ readonly id: string; readonly isNew: boolean }>
  /** What its writer is told. */
  toAnswer(id: string, kind: 'post' | 'thread'): HeldAnswer
  /**
   * Whether this visitor had something held at this server lately. Only their resends are looked up: nobody else's post pays for the
   * question whether it was held before.
   */
  remembers(visitor: Visitor): boolean
  /** What was told of the sending of this visitor that was held before, if there is one. @param threadId null for a thread */
  find(visitor: Visitor, threadId: string | null, clientId: string | null): Promise<HeldAnswer | undefined>
}

const REMEMBERED = 20_000

export function createHolding({ db, bans, limits, live }: Pick<Deps, 'db' | 'bans' | 'limits' | 'live'>): Holding {
  const actors = createLru<string, true>(REMEMBERED)
  const remembers = (visitor: Visitor): boolean => actors.has(actorId(visitor))

  return {
    async hold(tx, visitor, post) {
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
        actors.set(actorId(visitor), true)
        bans.seen(visitor)
        live.queueChanged()
      })
      return { id: post.id, isNew: true }
    },
    toAnswer,
    remembers,
    async find(visitor, threadId, clientId) {
      if (clientId === null || !remembers(visitor)) return undefined
      const held = await selectHeldByClientId(db, threadId, clientId)
      return held === undefined ? undefined : toAnswer(held.id, threadId === null ? 'thread' : 'post')
    },
  }
}

const toAnswer: Holding['toAnswer'] = (id, kind) => ({
  held: { _id: id, message: kind === 'post' ? messages.post_held : messages.thread_held },
})

/** Whether something held is this visitor's own. */
export const isOwn = (held: HeldState, { member, visitorId }: Visitor): boolean =>
  held.visitorId === visitorId || (member !== null && held.userId === member.id)

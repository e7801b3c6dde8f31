/** Holds posts and threads for a moderator. Decisions about them are in held.service.ts. */
import { HELD_WAITING_MAX } from '@shinobi/contract/limits'
import { messages } from '@shinobi/contract/messages'
import type { HeldAnswer } from '@shinobi/contract/posts'
import type { Db } from '../../db/client.ts'
import { afterCommit } from '../../db/transaction.ts'
import type { Limits } from '../../http/limits.ts'
import { actorId, type Visitor } from '../../http/visitor.ts'
import { ApiError } from '../../lib/api-error.ts'
import { takeAll, type Counter } from '../../lib/key-limit.ts'
import { createLru } from '../../lib/lru.ts'
import type { Live } from '../../realtime/live.ts'
import type { HeldText, Holding } from '../admission/holding.ts'
import type { ThreadEvents } from '../threads/thread-events.ts'
import { moveHeldOfThreads } from './held.queries.ts'
import { countWaiting, insertHeldPost, selectHeldByClientId, type HeldState } from './holding.queries.ts'

export interface HoldingOptions {
  readonly db: Db
  readonly limits: Pick<Limits, 'held' | 'heldOfNetwork'>
  readonly live: Pick<Live, 'queueChanged'>
  readonly threadEvents: Pick<ThreadEvents, 'onMove'>
}

const REMEMBERED = 20_000

export function createHolding({ db, limits, live, threadEvents }: HoldingOptions): Holding {
  threadEvents.onMove(moveHeldOfThreads)
  const actors = createLru<string, true>(REMEMBERED)
  const remembers = (visitor: Visitor): boolean => actors.has(actorId(visitor))
  const remember = (visitor: Visitor): void => void actors.set(actorId(visitor), true)

  return {
    async hold(tx, visitor, text) {
      const held = { ...text, visitorId: visitor.visitorId, userId: visitor.member?.id ?? null }
      if (!(await insertHeldPost(tx, held))) {
        // Another server held it, or this one before a restart.
        remember(visitor)
        return null
      }
      // Counts up to one more than the maximum; the new one is included.
      if ((await countWaiting(tx, held, HELD_WAITING_MAX + 1)) > HELD_WAITING_MAX)
        throw new ApiError('too_many_requests', messages.held_full)
      const { addressHash, networkHash } = visitor
      const ofNetwork: Counter[] = networkHash === null ? [] : [[limits.heldOfNetwork, networkHash]]
      await takeAll([...ofNetwork, [limits.held, addressHash]])
      afterCommit(tx, () => {
        remember(visitor)
        live.queueChanged()
      })
      return toAnswer(text)
    },
    remembers,
    async find(visitor, threadId, clientId) {
      if (!remembers(visitor)) return undefined
      const held = await selectHeldByClientId(db, threadId, clientId)
      return held === undefined ? undefined : toAnswer({ id: held.id, threadId })
    },
  }
}

const toAnswer = ({ id, threadId }: Pick<HeldText, 'id' | 'threadId'>): HeldAnswer => ({
  held: { _id: id, message: threadId === null ? messages.thread_held : messages.post_held },
})

/** Whether this visitor wrote it. */
export const isOwn = (held: HeldState, { member, visitorId }: Visitor): boolean =>
  held.visitorId === visitorId || (member !== null && held.userId === member.id)

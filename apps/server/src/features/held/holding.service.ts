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
import type { Bus } from '../../redis/bus.ts'
import type { HeldText, Holding } from '../admission/holding.ts'
import type { ThreadEvents } from '../threads/thread-events.ts'
import { moveHeldOfThreads } from './held.queries.ts'
import { countWaiting, insertHeldPost, selectHeldByClientId, type HeldState } from './holding.queries.ts'

export interface HoldingOptions {
  readonly db: Db
  /** To the other servers, where a resend may arrive. */
  readonly bus: Pick<Bus, 'publish' | 'subscribe' | 'hide'> | null
  readonly limits: Pick<Limits, 'held' | 'heldOfNetwork'>
  readonly live: Pick<Live, 'queueChanged'>
  readonly threadEvents: Pick<ThreadEvents, 'onMove'>
}

const REMEMBERED = 20_000

export function createHolding({ db, bus, limits, live, threadEvents }: HoldingOptions): Holding {
  threadEvents.onMove(moveHeldOfThreads)
  /** Writers, as Redis may have them. */
  const writers = createLru<string, true>(REMEMBERED)
  const writerOf = (visitor: Visitor): string => bus?.hide(actorId(visitor)) ?? actorId(visitor)
  const remembers = (visitor: Visitor): boolean => writers.has(writerOf(visitor))
  const remember = (writer: string): void => void writers.set(writer, true)
  bus?.subscribe('held', ({ writer }) => remember(writer))

  return {
    async hold(tx, visitor, text) {
      const held = { ...text, visitorId: visitor.visitorId, userId: visitor.member?.id ?? null }
      if (!(await insertHeldPost(tx, held))) {
        // Another server held it while Redis was away, or this one before a restart.
        remember(writerOf(visitor))
        return null
      }
      // Counts up to one more than the maximum; the new one is included.
      if ((await countWaiting(tx, held, HELD_WAITING_MAX + 1)) > HELD_WAITING_MAX)
        throw new ApiError('too_many_requests', messages.held_full)
      const { addressHash, networkHash } = visitor
      const ofNetwork: Counter[] = networkHash === null ? [] : [[limits.heldOfNetwork, networkHash]]
      await takeAll([...ofNetwork, [limits.held, addressHash]])
      afterCommit(tx, () => {
        const writer = writerOf(visitor)
        remember(writer)
        bus?.publish('held', { writer })
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

import { messages } from '@shinobi/contract/messages'
import { actorId, hashSource, isLoopback, type Visitor } from '../../http/visitor.ts'
import { ApiError } from '../../lib/api-error.ts'
import { createLru } from '../../lib/lru.ts'
import type { Bus } from '../../redis/bus.ts'
import type { WriteKind } from '../shields/sources.ts'

/**
 * Minimum seconds since the last text of the same kind (a setting), and since any text (raid mode).
 */
export interface Gaps {
  readonly own: number
  readonly shield: number
  /** Whether they are for a writer with a level, who has written on an earlier day. */
  readonly hasLevel: boolean
}

/**
 * Times of the last texts by writer, in memory: a restart loses them. Cookies are free, and whoever
 * collects them writes under each in turn, so all texts are also counted by address.
 */
export interface Cooldowns {
  /** @throws ApiError too_many_requests with the time to wait */
  check(visitor: Visitor, kind: WriteKind, gaps: Gaps): void
  /**
   * Starts the cooldown before the text is written, so that of two concurrent texts one is refused.
   * @returns a function that takes it back when nothing was written
   */
  start(visitor: Visitor, kind: WriteKind, gaps: Gaps): () => void
}

/** More texts than are written in the longest possible cooldown, even on a busy day. */
const WRITERS_MAX = 50_000

/**
 * Writers of one address, or of an IPv6 /48, within one cooldown (docs/product.md#limits). New are
 * visitors without a recent text under their cookie: a household, or the readers behind a carrier's
 * NAT. Those without a level may all be one person with the cookies of an hour, those with one
 * a school or an office.
 */
const WRITERS_OF_ONE = { new: 3, unlevelled: 10, levelled: 30 }

type Times = Record<WriteKind, number>

const isOff = ({ own, shield }: Gaps): boolean => own === 0 && shield === 0

/** @param bus to the other servers, which share these counts */
export function createCooldowns(now: () => number, bus: Pick<Bus, 'publish' | 'subscribe' | 'hide'> | null): Cooldowns {
  const lasts = createLru<string, Times>(WRITERS_MAX)
  const lastOf = (writer: string): Times => lasts.get(writer) ?? { post: -Infinity, thread: -Infinity }

  /** A writer whose only text failed is new again. */
  function setLast(writer: string, times: Times): void {
    if (times.post === -Infinity && times.thread === -Infinity) lasts.delete(writer)
    else lasts.set(writer, times)
  }

  // The clock was set back since a text that is in the future: nobody waits for hours.
  const waitFor = (at: number, seconds: number): number =>
    seconds === 0 || at > now() ? 0 : at + seconds * 1_000 - now()

  function waitsOf(writer: string, kind: WriteKind, { own, shield }: Gaps) {
    const last = lastOf(writer)
    return { own: waitFor(last[kind], own), shield: waitFor(Math.max(last.post, last.thread), shield) }
  }

  /** The keys that count a visitor's texts, as Redis may have them: their own first. */
  function writersOf(visitor: Visitor, kind: WriteKind, gaps: Gaps): string[] {
    const own = bus?.hide(actorId(visitor)) ?? actorId(visitor)
    // Loopback is the operator, or all visitors behind a proxy that is not configured
    // (TRUST_PROXY).
    if (isOff(gaps) || isLoopback(visitor.origin.address)) return [own]
    const isNew = visitor.member === null && !lasts.has(own)
    const group = isNew ? 'new' : gaps.hasLevel ? 'levelled' : 'unlevelled'
    return [own, placeOf(hashSource(visitor), group, kind, gaps)]
  }

  /** The slot of a source that is free first. */
  function placeOf(source: string, group: keyof typeof WRITERS_OF_ONE, kind: WriteKind, gaps: Gaps): string {
    const waitOf = (place: string): number => {
      const { own, shield } = waitsOf(place, kind, gaps)
      return Math.max(own, shield)
    }
    const places = Array.from({ length: WRITERS_OF_ONE[group] }, (_, place) => `${group} ${source} ${place}`)
    return places.reduce((one, other) => (waitOf(other) < waitOf(one) ? other : one))
  }

  bus?.subscribe('wrote', ({ writers, kind, isTakenBack }) => {
    for (const writer of writers) setLast(writer, { ...lastOf(writer), [kind]: isTakenBack ? -Infinity : now() })
  })

  return {
    check(visitor, kind, gaps) {
      if (isOff(gaps)) return
      const waits = writersOf(visitor, kind, gaps).map((writer) => waitsOf(writer, kind, gaps))
      const ownWait = Math.max(...waits.map((wait) => wait.own))
      const shieldWait = Math.max(...waits.map((wait) => wait.shield))
      const wait = Math.ceil(Math.max(ownWait, shieldWait) / 1_000)
      if (wait <= 0) return
      const message = shieldWait > ownWait ? messages.shield_cooldown(wait) : messages.cooldown(wait)
      throw new ApiError('too_many_requests', message, wait)
    },
    start(visitor, kind, gaps) {
      // Without a cooldown, the other servers need not know.
      const tell = (isTakenBack: boolean): void => {
        if (!isOff(gaps)) bus?.publish('wrote', { writers, kind, isTakenBack })
      }
      const writers = writersOf(visitor, kind, gaps)
      const before = writers.map(lastOf)
      const at = now()
      for (const [index, writer] of writers.entries()) lasts.set(writer, { ...before[index]!, [kind]: at })
      tell(false)
      return () => {
        tell(true)
        for (const [index, writer] of writers.entries()) {
          const last = lastOf(writer)
          if (last[kind] === at) setLast(writer, { ...last, [kind]: before[index]![kind] })
        }
      }
    },
  }
}

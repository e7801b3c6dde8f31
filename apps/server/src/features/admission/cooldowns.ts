import { messages } from '@shinobi/contract/messages'
import { actorId, isLoopback, type Visitor } from '../../http/visitor.ts'
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
}

/**
 * Times of the last texts by writer, in memory: a restart loses them. Cookies are free, so visitors
 * without a recent text under theirs, who are not members, are also counted by address.
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

/** More writers than post in the longest possible cooldown, even on a busy day. */
const WRITERS_MAX = 50_000

/**
 * Texts of new visitors per address within one cooldown: for a household, or the readers behind a
 * carrier's NAT.
 */
const NEWCOMERS_OF_ONE = 3

type Times = Record<WriteKind, number>

/** @param bus to the other servers, which share these counts */
export function createCooldowns(now: () => number, bus: Pick<Bus, 'publish' | 'subscribe' | 'hide'> | null): Cooldowns {
  const lasts = createLru<string, Times>(WRITERS_MAX)
  const lastOf = (writer: string): Times => lasts.get(writer) ?? { post: -Infinity, thread: -Infinity }

  /** A writer whose only text failed is new again. */
  function setLast(writer: string, times: Times): void {
    if (times.post === -Infinity && times.thread === -Infinity) lasts.delete(writer)
    else lasts.set(writer, times)
  }

  /** The keys that count a visitor's texts, as Redis may have them: their own first. */
  const writersOf = (visitor: Visitor): string[] => {
    const own = bus?.hide(actorId(visitor)) ?? actorId(visitor)
    // Loopback is the operator, or all visitors behind a proxy that is not configured
    // (TRUST_PROXY).
    const isNew = visitor.member === null && !lasts.has(own) && !isLoopback(visitor.origin.address)
    return isNew ? [own, placeOf(visitor.networkHash ?? visitor.addressHash)] : [own]
  }

  /** The least recently used slot of an address, or of an IPv6 network. */
  function placeOf(source: string): string {
    const places = Array.from({ length: NEWCOMERS_OF_ONE }, (_, place) => `new ${source} ${place}`)
    const lastAt = (writer: string): number => Math.max(...Object.values(lastOf(writer)))
    return places.reduce((one, other) => (lastAt(other) < lastAt(one) ? other : one))
  }

  bus?.subscribe('wrote', ({ writers, kind, isTakenBack }) => {
    for (const writer of writers) setLast(writer, { ...lastOf(writer), [kind]: isTakenBack ? -Infinity : now() })
  })

  return {
    check(visitor, kind, { own, shield }) {
      if (own === 0 && shield === 0) return
      // The clock was set back since a text that is in the future: nobody waits for hours.
      const waits = writersOf(visitor).map((writer) => {
        const last = lastOf(writer)
        const waitFor = (at: number, seconds: number): number =>
          seconds === 0 || at > now() ? 0 : at + seconds * 1_000 - now()
        return { own: waitFor(last[kind], own), shield: waitFor(Math.max(last.post, last.thread), shield) }
      })
      const ownWait = Math.max(...waits.map((wait) => wait.own))
      const shieldWait = Math.max(...waits.map((wait) => wait.shield))
      const wait = Math.ceil(Math.max(ownWait, shieldWait) / 1_000)
      if (wait <= 0) return
      const message = shieldWait > ownWait ? messages.shield_cooldown(wait) : messages.cooldown(wait)
      throw new ApiError('too_many_requests', message, wait)
    },
    start(visitor, kind, { own, shield }) {
      // Without a cooldown, the other servers need not know.
      const tell = (isTakenBack: boolean): void => {
        if (own > 0 || shield > 0) bus?.publish('wrote', { writers, kind, isTakenBack })
      }
      const writers = writersOf(visitor)
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

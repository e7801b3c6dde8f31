import { messages } from '@shinobi/contract/messages'
import { actorId, isLoopback, sourceOf, type Visitor } from '../../http/visitor.ts'
import { ApiError } from '../../lib/api-error.ts'
import { createLru } from '../../lib/lru.ts'
import type { Link } from '../../redis/link.ts'
import type { WriteKind } from '../shields/write-counts.ts'

/** Seconds that have to pass: since the last one of the kind (a setting), and since anything was written (raid mode). */
export interface Gaps {
  readonly own: number
  readonly shield: number
}

/**
 * When somebody wrote last; in memory, so a restart forgets. A cookie costs nothing: who has not written lately under theirs, and is no
 * member, is told from others who just came by the address.
 */
export interface Cooldowns {
  /** @throws ApiError too_many_requests with the time to wait */
  check(visitor: Visitor, kind: WriteKind, gaps: Gaps): void
  /** Begins to count, before it is written: two at once are one too many. @returns what takes it back when nothing was written */
  start(visitor: Visitor, kind: WriteKind, gaps: Gaps): () => void
}

/** Longer than the longest cooldown that can be set nobody need be remembered, and these many are a busy day. */
const WRITERS_MAX = 50_000

/** So many who just came may write from one address in the time that each of them has to wait: a household, or the readers of a carrier's NAT. */
const NEWCOMERS_OF_ONE = 3

type Times = Record<WriteKind, number>

/** @param link to the other servers, which count with this one */
export function createCooldowns(now: () => number, link: Pick<Link, 'tell' | 'on'> | null): Cooldowns {
  const lasts = createLru<string, Times>(WRITERS_MAX)
  const lastOf = (writer: string): Times => lasts.get(writer) ?? { post: -Infinity, thread: -Infinity }

  /** Under which names a visitor's texts are counted: their own first. */
  const writersOf = (visitor: Visitor): string[] => {
    const own = actorId(visitor)
    const { address } = visitor.origin
    // From loopback comes the operator, or everybody, where a proxy was not made known (TRUST_PROXY).
    const isNew = visitor.member === null && !lasts.has(own) && !isLoopback(address)
    return isNew ? [own, placeOf(sourceOf(address))] : [own]
  }

  /** The place of an address that was taken longest ago. */
  function placeOf(source: string): string {
    const places = Array.from({ length: NEWCOMERS_OF_ONE }, (_, place) => `new ${source} ${place}`)
    const lastAt = (writer: string): number => Math.max(...Object.values(lastOf(writer)))
    return places.reduce((one, other) => (lastAt(other) < lastAt(one) ? other : one))
  }

  link?.on('wrote', ({ writers, kind, isTakenBack }) => {
    for (const writer of writers) lasts.set(writer, { ...lastOf(writer), [kind]: isTakenBack ? -Infinity : now() })
  })

  return {
    check(visitor, kind, { own, shield }) {
      if (own === 0 && shield === 0) return
      const waits = writersOf(visitor).map((writer) => {
        const last = lastOf(writer)
        return {
          own: own === 0 ? 0 : last[kind] + own * 1_000 - now(),
          shield: shield === 0 ? 0 : Math.max(last.post, last.thread) + shield * 1_000 - now(),
        }
      })
      const ownWait = Math.max(...waits.map((wait) => wait.own))
      const shieldWait = Math.max(...waits.map((wait) => wait.shield))
      const wait = Math.ceil(Math.max(ownWait, shieldWait) / 1_000)
      if (wait <= 0) return
      const message = shieldWait > ownWait ? messages.shield_cooldown(wait) : messages.cooldown(wait)
      throw new ApiError('too_many_requests', message, wait)
    },
    start(visitor, kind, { own, shield }) {
      // While nobody has to wait, others need not know.
      const tell = (isTakenBack: boolean): void => {
        if (own > 0 || shield > 0) link?.tell('wrote', { writers, kind, isTakenBack })
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
          if (last[kind] !== at) continue
          const earlier = { ...last, [kind]: before[index]![kind] }
          // Who has written nothing after all is as new as before.
          if (earlier.post === -Infinity && earlier.thread === -Infinity) lasts.delete(writer)
          else lasts.set(writer, earlier)
        }
      }
    },
  }
}

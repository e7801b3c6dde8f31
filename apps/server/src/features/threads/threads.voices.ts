/**
 * What a post adds to its thread's heat. Trending shows where many write, not where one writes much: each further post of a writer in a
 * thread weighs half of the one before, so that all of them together weigh less than two. A cookie costs nothing, so what comes from
 * one line weighs less and less as well, once it is more than a household writes. In memory: a restart forgets.
 */
import { actorId, isLoopback, sourceOf, type Visitor } from '../../http/visitor.ts'
import { createLru } from '../../lib/lru.ts'

export interface Voices {
  /** Counts a post. @returns its weight, above 0, 1 at most */
  weigh(visitor: Visitor, threadId: string): number
}

/** Posts of one line in a thread that weigh what they would from as many lines. */
const OF_ONE_LINE = 5
const LIGHTEST = 2 ** -20
/** What older posts of theirs weigh has been halved by then anyway. */
const REMEMBERED_MS = 12 * 3_600_000
const REMEMBERED = 100_000

export function createVoices(): Voices {
  const counts = createLru<string, number>(REMEMBERED, { ttl: REMEMBERED_MS })

  /** How many there were before. */
  function count(key: string): number {
    const before = counts.get(key) ?? 0
    counts.set(key, before + 1)
    return before
  }

  return {
    weigh(visitor, threadId) {
      const own = count(`${threadId} ${actorId(visitor)}`)
      const ofLine = count(`${threadId} ${sourceOf(visitor.origin.address)}`)
      // From loopback comes everybody, where a proxy was not made known.
      const isOne = ofLine >= OF_ONE_LINE && !isLoopback(visitor.origin.address)
      const share = isOne ? (OF_ONE_LINE / (ofLine + 1)) ** 2 : 1
      return Math.max(LIGHTEST, share * 2 ** -own)
    },
  }
}

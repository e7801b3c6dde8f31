/**
 * The weight of a post in its thread's heat. Trending ranks threads by the number of writers, not
 * of posts: each further post of a writer in a thread weighs half of the one before, so that all of
 * them together weigh less than two. Cookies can be discarded, so posts of one line weigh less and
 * less as well, once they are more than a household writes. Kept in memory: lost at a restart.
 */
import { actorId, isLoopback, sourceOf, type Visitor } from '../../http/visitor.ts'
import { createLru } from '../../lib/lru.ts'

export interface PostWeights {
  /** Counts a post. @returns its weight, above 0, 1 at most */
  weigh(visitor: Visitor, threadId: string): number
}

/** Posts of one line in a thread that have the same weight as posts of different lines. */
const OF_ONE_LINE = 5
const LIGHTEST = 2 ** -20
/** By then the weight of the older posts has halved anyway. */
const REMEMBERED_MS = 12 * 3_600_000
const REMEMBERED = 100_000

export function createPostWeights(): PostWeights {
  const counts = createLru<string, number>(REMEMBERED, { ttl: REMEMBERED_MS })

  /** Counts one more. @returns how many there were before */
  function count(key: string): number {
    const before = counts.get(key) ?? 0
    counts.set(key, before + 1)
    return before
  }

  return {
    weigh(visitor, threadId) {
      const own = count(`${threadId} ${actorId(visitor)}`)
      const ofLine = count(`${threadId} ${sourceOf(visitor.origin.address)}`)
      // Behind a proxy that is not configured, all visitors have the loopback address.
      const isOne = ofLine >= OF_ONE_LINE && !isLoopback(visitor.origin.address)
      const share = isOne ? (OF_ONE_LINE / (ofLine + 1)) ** 2 : 1
      return Math.max(LIGHTEST, share * 2 ** -own)
    },
  }
}

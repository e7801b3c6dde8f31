/**
 * What searches may cost. A search for words that are everywhere, or nowhere, may walk the whole index: few run at a time, on
 * connections of their own (db/client.ts), each is cut off after a while, and of one source no more than its share is run.
 */
import { SEARCH_TIMEOUT_MS, SEARCHES_AT_ONCE } from '../../db/client.ts'
import { refuse } from '../../lib/api-error.ts'
import { tooMany, type KeyLimits } from '../../lib/key-limit.ts'
import { createTurns } from '../../lib/turns.ts'

export interface Searches {
  /**
   * @param source who asks, as `askerOf` tells it
   * @param tooBroad what is said of one that takes too long
   * @throws ApiError bad_search for what takes too long, too_many_requests and unavailable for what is one too many
   */
  run<T>(source: string, search: () => Promise<T>, tooBroad?: 'search_too_broad' | 'list_too_broad'): Promise<T>
}

const WAITING = 40
const WAITING_OF_ONE = 6
/** Milliseconds of searching for one source in a minute: a third of all there is. A reader's searches take ten or twenty each. */
const BUDGET_MS = 60_000

const isCutOff = (error: unknown): boolean => (error as { code?: unknown }).code === '57014'

/** @param now milliseconds of a clock that only goes forward */
export function createSearches(keyLimit: KeyLimits, now: () => number = () => performance.now()): Searches {
  const turns = createTurns({ places: SEARCHES_AT_ONCE, waitingMax: WAITING, waitingMaxOfOne: WAITING_OF_ONE })
  const spent = keyLimit({
    name: 'searches',
    points: BUDGET_MS,
    seconds: 60,
    refusal: tooMany('search_limited'),
  })

  return {
    async run(source, search, tooBroad = 'search_too_broad') {
      // The dearest it can be; what it does not use is given back.
      await spent.take(source, SEARCH_TIMEOUT_MS)
      let used = 0
      try {
        return await turns(async () => {
          const start = now()
          try {
            return await search()
          } finally {
            used = now() - start
          }
        }, source)
      } catch (error) {
        if (isCutOff(error)) throw refuse('bad_search', tooBroad)
        // A database that is away is nobody's share.
        used = 0
        throw error
      } finally {
        await spent.giveBack(source, Math.max(0, Math.floor(SEARCH_TIMEOUT_MS - used)))
      }
    },
  }
}

/**
 * Limits the cost of searches. A search for words that are everywhere, or nowhere, may walk the
 * whole index: few run at a time, on their own connections (db/client.ts), each has a time-out, and
 * each source has a share.
 */
import { SEARCH_TIMEOUT_MS, SEARCHES_AT_ONCE } from '../../db/client.ts'
import { refuse } from '../../lib/api-error.ts'
import { tooMany, type KeyLimits } from '../../lib/key-limit.ts'
import { createFairSemaphore } from '../../lib/fair-semaphore.ts'

export interface Searches {
  /**
   * @param source the client, as `askerOf` names it
   * @param tooBroad message for a search that takes too long
   * @throws ApiError bad_search when it takes too long; too_many_requests or unavailable when there
   * are too many
   */
  run<T>(source: string, search: () => Promise<T>, tooBroad?: 'search_too_broad' | 'list_too_broad'): Promise<T>
}

const WAITING = 40
const WAITING_OF_ONE = 6
/**
 * Milliseconds of searching per source and minute: a third of the total. An ordinary search takes
 * ten or twenty.
 */
const BUDGET_MS = 60_000

/** Whether a statement took longer than it may. */
export const isCutOff = (error: unknown): boolean => (error as { code?: unknown }).code === '57014'

/** @param now milliseconds of a monotonic clock */
export function createSearches(keyLimit: KeyLimits, now: () => number = () => performance.now()): Searches {
  const semaphore = createFairSemaphore({
    places: SEARCHES_AT_ONCE,
    waitingMax: WAITING,
    waitingMaxOfOne: WAITING_OF_ONE,
  })
  const spent = keyLimit({
    name: 'searches',
    points: BUDGET_MS,
    seconds: 60,
    refusal: tooMany('search_limited'),
  })

  return {
    async run(source, search, tooBroad = 'search_too_broad') {
      // Takes the maximum in advance; unused milliseconds are given back.
      await spent.take(source, SEARCH_TIMEOUT_MS)
      let used = 0
      try {
        return await semaphore(async () => {
          const start = now()
          try {
            return await search()
          } finally {
            used = now() - start
          }
        }, source)
      } catch (error) {
        if (isCutOff(error)) throw refuse('bad_search', tooBroad)
        // A search that failed because the database is away costs nothing.
        used = 0
        throw error
      } finally {
        await spent.giveBack(source, Math.max(0, Math.floor(SEARCH_TIMEOUT_MS - used)))
      }
    },
  }
}

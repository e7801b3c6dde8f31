/**
 * Limits the cost of rendering pages. Each render blocks the event loop for milliseconds: few run
 * at a time, other requests are served between two of them, and each source has a share.
 */
import { setImmediate } from 'node:timers/promises'
import { createFairSemaphore } from '../lib/fair-semaphore.ts'
import { createKeyLimits, tooMany } from '../lib/key-limit.ts'

export interface Renders {
  /**
   * @param source the client, as `askerOf` names it
   * @param render calls `waited` after each wait for something else, which costs nothing
   * @throws ApiError too_many_requests or unavailable when there are too many
   */
  run<T>(source: string, render: (waited: () => void) => Promise<T>): Promise<T>
}

/**
 * Renders beyond these would wait for seconds and are refused at once. Requests of one sender queue
 * behind each other, and not before those of others: a page keeps its place while its searches run.
 */
const AT_ONCE = 2
const AT_ONCE_OF_ONE = 1
const WAITING = 60
const WAITING_OF_ONE = 12
/**
 * Milliseconds of rendering per source and window, a third of the time. A town may be behind one
 * address, and read a thread that several posts a second make anew.
 */
const BUDGET_MS = 3_000
const WINDOW_S = 10
/** What a render takes in advance, and costs at most. */
const MOST_MS = 250

/** @param now milliseconds of a monotonic clock */
export function createRenders(now: () => number = () => performance.now()): Renders {
  const semaphore = createFairSemaphore({
    places: AT_ONCE,
    placesOfOne: AT_ONCE_OF_ONE,
    waitingMax: WAITING,
    waitingMaxOfOne: WAITING_OF_ONE,
  })
  // Of this process alone, as the event loop is.
  const spent = createKeyLimits(null)({
    name: 'renders',
    points: BUDGET_MS,
    seconds: WINDOW_S,
    refusal: tooMany('too_many_requests'),
  })

  return {
    run: (source, render) =>
      semaphore(async () => {
        await spent.take(source, MOST_MS)
        // A page made of cached answers waits for nothing: without this the whole queue would be
        // rendered before any other request is served.
        await setImmediate()
        let start = now()
        try {
          return await render(() => (start = now()))
        } finally {
          await spent.giveBack(source, Math.max(0, Math.floor(MOST_MS - (now() - start))))
        }
      }, source),
  }
}

/**
 * Limits the cost of rendering pages. Each render blocks the event loop for milliseconds: few run
 * at a time, other requests are served between two of them, and each source has a share. A page
 * waits for its data before its turn to render, so that slow data holds up no other page.
 */
import { setImmediate } from 'node:timers/promises'
import type { RenderInput } from '@shinobi/contract/render'
import { createFairSemaphore } from '../lib/fair-semaphore.ts'
import { createKeyLimits, tooMany } from '../lib/key-limit.ts'

export interface Renders {
  /**
   * @param source the client, as `askerOf` names it
   * @param page gathers its data, which costs nothing, then renders by `inTurn`
   * @throws ApiError too_many_requests or unavailable when there are too many
   */
  run<T>(source: string, page: (inTurn: RenderInput['inTurn']) => Promise<T>): Promise<T>
  /** Counts a page that was rendered to say that there is none. */
  countMissing(source: string): Promise<void>
}

/**
 * Pages under way; most of them wait for their data. A page holds it in memory, up to a megabyte,
 * until it is rendered. Pages of one sender wait for its other reads, so few of them are under way.
 */
const PAGES = 200
const PAGES_OF_ONE = 4
/** Renders at a time; and of one sender, so that its pages queue behind each other. */
const AT_ONCE = 2
const AT_ONCE_OF_ONE = 1
/** Pages beyond these would wait for seconds and are refused at once. */
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
/** What one that says that there is no such page costs besides: nobody needs a dozen a second. */
const MISSING_MS = 20

/** @param now milliseconds of a monotonic clock */
export function createRenders(now: () => number = () => performance.now()): Renders {
  const pages = createFairSemaphore({
    places: PAGES,
    placesOfOne: PAGES_OF_ONE,
    waitingMax: WAITING,
    waitingMaxOfOne: WAITING_OF_ONE,
  })
  const turns = createFairSemaphore({ places: AT_ONCE, placesOfOne: AT_ONCE_OF_ONE, waitingMax: WAITING })
  // Of this process alone, as the event loop is.
  const spent = createKeyLimits(null)({
    name: 'renders',
    points: BUDGET_MS,
    seconds: WINDOW_S,
    refusal: tooMany('too_many_requests'),
  })

  async function measure<T>(source: string, render: () => T): Promise<T> {
    await spent.take(source, MOST_MS)
    // Without this the whole queue would be rendered before any other request is served.
    await setImmediate()
    const start = now()
    try {
      return render()
    } finally {
      await spent.giveBack(source, Math.max(0, Math.floor(MOST_MS - (now() - start))))
    }
  }

  return {
    run: (source, page) => pages(() => page((render) => turns(() => measure(source, render), source)), source),
    // The last one that fits is answered; the next render is refused.
    countMissing: (source) => spent.take(source, MISSING_MS).catch(() => {}),
  }
}

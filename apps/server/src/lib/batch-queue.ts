import { AsyncLocalStorage } from 'node:async_hooks'
import type { FastifyBaseLogger } from 'fastify'
import { isPassing } from './api-error.ts'

/**
 * A queue for work after commits: items are collected and processed in batches, one after another.
 * A batch is retried while the database is away or its disk is full, or the storage of pictures is
 * away.
 */
export interface BatchQueue<T> {
  add(items: readonly T[]): void
  /** Number of waiting items. */
  waiting(): number
  /**
   * Processes what was added so far without delay. Resolves when that is done, or a batch has to be
   * tried again.
   */
  settle(): Promise<void>
  /** Processes waiting items within a time limit, and stops. */
  close(): Promise<void>
}

export interface BatchQueueOptions<T> {
  readonly name: string
  /** Milliseconds between the first item and its batch, and from one batch to the next. */
  readonly everyMs: number
  /**
   * Largest share of the time that batches may take, 1 by default: after one that took long, the
   * next waits longer than `everyMs`, at most five times as long.
   */
  readonly share?: number
  /** Maximum items of a batch. */
  readonly batch: number
  /** Size of an item in the queue, in ordinary items; 1 by default. */
  readonly sizeOf?: (item: T) => number
  readonly work: (items: readonly T[]) => Promise<void>
  readonly log: FastifyBaseLogger
}

/**
 * Maximum size of waiting items. Beyond it the oldest are left to the next sweep, to limit memory.
 */
const WAITING_MAX = 100_000
const RETRY_MS = 1_000
/** Times `everyMs`. */
const LONGEST_REST = 5

export function createBatchQueue<T>(options: BatchQueueOptions<T>): BatchQueue<T> {
  const { name, everyMs, share = 1, batch, sizeOf = () => 1, work, log } = options
  let waiting: T[] = []
  /** Of all waiting items. */
  let size = 0
  let timer: NodeJS.Timeout | null = null
  let running: Promise<void> | null = null
  let closed = false
  /** Items since the start: added, and done with. */
  let added = 0
  let done = 0
  let settling: { readonly until: number; readonly resolve: () => void }[] = []
  // A batch belongs to many requests, so it must not run, or log, in the context of one.
  const apart = AsyncLocalStorage.snapshot()

  function schedule(delay: number): void {
    if (timer !== null || running !== null || closed || waiting.length === 0) return
    timer = apart(() => setTimeout(() => void run(), delay))
  }

  async function run(): Promise<void> {
    if (timer !== null) clearTimeout(timer)
    timer = null
    const since = performance.now()
    running ??= drain().finally(() => {
      running = null
      schedule(settling.length > 0 ? 0 : restAfter(performance.now() - since))
    })
    await running
  }

  const restAfter = (took: number): number =>
    Math.min(LONGEST_REST * everyMs, Math.max(everyMs, took * (1 / share - 1)))

  function release(through: number): void {
    const ready = settling.filter(({ until }) => until <= through)
    settling = settling.filter(({ until }) => until > through)
    for (const { resolve } of ready) resolve()
  }

  /** Items that come during a batch wait as the first did, unless they fill one or are awaited. */
  const isDue = (): boolean => waiting.length > 0 && (waiting.length >= batch || settling.length > 0 || closed)

  async function drain(): Promise<void> {
    if (waiting.length === 0) return
    do {
      const items = waiting.slice(0, batch)
      waiting = waiting.slice(items.length)
      size -= sumOf(items)
      try {
        await work(items)
      } catch (error) {
        if (isPassing(error)) {
          waiting = [...items, ...waiting]
          size += sumOf(items)
          log.warn(
            { err: error, waiting: waiting.length },
            `${name}: database or storage away, or disk full: trying again`,
          )
          if (!closed) timer = setTimeout(() => void run(), RETRY_MS)
          release(Infinity)
          return
        }
        // A retry would fail the same way; the sweep finds what is missing.
        log.error({ err: error, items: items.length }, `${name}: dropping items that cannot be processed`)
      }
      done += items.length
      release(done)
    } while (isDue())
  }

  const sumOf = (items: readonly T[]): number => items.reduce((sum, item) => sum + sizeOf(item), 0)

  async function settle(): Promise<void> {
    if (waiting.length === 0 && running === null) return
    const { promise, resolve } = Promise.withResolvers<void>()
    settling.push({ until: added, resolve })
    void apart(run)
    await promise
  }

  return {
    add(items) {
      for (const item of items) waiting.push(item)
      added += items.length
      size += sumOf(items)
      let left = 0
      while (size > WAITING_MAX) {
        size -= sizeOf(waiting[left]!)
        left += 1
      }
      if (left > 0) waiting = waiting.slice(left)
      done += left
      schedule(everyMs)
    },
    waiting: () => waiting.length,
    settle,
    async close() {
      closed = true
      await run()
    },
  }
}

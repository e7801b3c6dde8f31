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
  /** Resolves when everything added so far is processed. */
  settle(): Promise<void>
  /** Processes waiting items within a time limit, and stops. */
  close(): Promise<void>
}

export interface BatchQueueOptions<T> {
  readonly name: string
  /** Milliseconds between the first item and its batch. */
  readonly everyMs: number
  /** Maximum items of a batch. */
  readonly batch: number
  readonly work: (items: readonly T[]) => Promise<void>
  readonly log: FastifyBaseLogger
}

/** Maximum waiting items. Beyond it the oldest are left to the next sweep, to limit memory. */
const WAITING_MAX = 100_000
const RETRY_MS = 1_000

export function createBatchQueue<T>({ name, everyMs, batch, work, log }: BatchQueueOptions<T>): BatchQueue<T> {
  let waiting: T[] = []
  let timer: NodeJS.Timeout | null = null
  let running: Promise<void> | null = null
  let closed = false
  // A batch belongs to many requests, so it must not run, or log, in the context of one.
  const apart = AsyncLocalStorage.snapshot()

  function schedule(delay: number): void {
    if (timer !== null || running !== null || closed || waiting.length === 0) return
    timer = apart(() => setTimeout(() => void run(), delay))
  }

  async function run(): Promise<void> {
    if (timer !== null) clearTimeout(timer)
    timer = null
    running ??= drain().finally(() => {
      running = null
      // Items added since the last check get a batch of their own.
      schedule(everyMs)
    })
    await running
  }

  async function drain(): Promise<void> {
    while (waiting.length > 0) {
      const items = waiting.slice(0, batch)
      waiting = waiting.slice(items.length)
      try {
        await work(items)
      } catch (error) {
        if (!isPassing(error)) {
          // A retry would fail the same way; the sweep finds what is missing.
          log.error({ err: error, items: items.length }, `${name}: dropping items that cannot be processed`)
          continue
        }
        waiting = [...items, ...waiting]
        log.warn(
          { err: error, waiting: waiting.length },
          `${name}: database or storage away, or disk full: trying again`,
        )
        if (!closed) timer = setTimeout(() => void run(), RETRY_MS)
        return
      }
    }
  }

  return {
    add(items) {
      for (const item of items) waiting.push(item)
      if (waiting.length > WAITING_MAX) waiting = waiting.slice(-WAITING_MAX)
      schedule(everyMs)
    },
    waiting: () => waiting.length,
    settle: run,
    async close() {
      closed = true
      await run()
    },
  }
}

import { AsyncLocalStorage } from 'node:async_hooks'
import type { FastifyBaseLogger } from 'fastify'
import { isPassing } from './api-error.ts'

/**
 * Work that follows commits at a small distance: gathered, done in batches one after another, tried
 * again while the database is away or its disk is full, or the storage of pictures is away.
 */
export interface Follower<T> {
  add(items: readonly T[]): void
  /** Items that wait for their batch now. */
  waiting(): number
  /** Resolves when everything added so far is done. */
  settle(): Promise<void>
  /** Finishes what is waiting, within limits, and stops. */
  close(): Promise<void>
}

export interface FollowerOptions<T> {
  readonly name: string
  /** Milliseconds between the first item and the batch that takes it. */
  readonly everyMs: number
  /** Items in a batch at most. */
  readonly batch: number
  readonly work: (items: readonly T[]) => Promise<void>
  readonly log: FastifyBaseLogger
}

/** Items waiting at most; beyond it the oldest are left to the next sweep rather than to fill the memory. */
const WAITING_MAX = 100_000
const RETRY_MS = 1_000

export function createFollower<T>({ name, everyMs, batch, work, log }: FollowerOptions<T>): Follower<T> {
  let waiting: T[] = []
  let timer: NodeJS.Timeout | null = null
  let running: Promise<void> | null = null
  let closed = false
  // A batch is of many requests: it runs, and logs, as part of none of them.
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
      // What came in between the last look and now waits for nobody else.
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
          // The same again would fail the same; the sweep finds what is missing.
          log.error({ err: error, items: items.length }, `${name}: leaving out what cannot be done`)
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

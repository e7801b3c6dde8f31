import { AsyncLocalStorage } from 'node:async_hooks'
import { refuse } from './api-error.ts'

/**
 * Group commit: while one batch is being processed, new items wait and form the next batch. However
 * many requests come at once, they use one connection and share one wait for the disk.
 */
export interface GroupCommit<T> {
  /** Adds an item to the next batch. @throws ApiError unavailable when too many wait already */
  add(item: T): void
  /** Resolves when nothing waits any more. */
  settle(): Promise<void>
  stats(): GroupCommitStats
}

export interface GroupCommitStats {
  /** Items waiting for the next batch. */
  readonly waiting: number
  /** Batches begun since the start, and their items: the ratio is the mean size. */
  readonly groups: number
  readonly items: number
}

export interface GroupCommitOptions<T> {
  /** Maximum items of a batch: more make the statement longer, but not cheaper per item. */
  readonly groupMax: number
  /**
   * Maximum waiting items; more mean that the work cannot keep up, so requests are refused at once.
   */
  readonly waitingMax: number
  /**
   * A batch contains at most one item of each key; the others follow in later batches, in order.
   */
  readonly keyOf?: (item: T) => string
  /**
   * Processes a batch. It reports the result of each item to its owner, failures included, and
   * never rejects.
   */
  readonly work: (group: readonly T[]) => Promise<void>
}

export function createGroupCommit<T>({ groupMax, waitingMax, keyOf, work }: GroupCommitOptions<T>): GroupCommit<T> {
  let waiting: T[] = []
  let running: Promise<void> | null = null
  let groups = 0
  let items = 0
  // A batch belongs to many requests, so it must not run, or log, in the context of one.
  const apart = AsyncLocalStorage.snapshot()

  async function drain(): Promise<void> {
    // Items of the same tick belong to the first batch too.
    await Promise.resolve()
    while (waiting.length > 0) {
      const group = takeGroup()
      groups += 1
      items += group.length
      await work(group)
    }
  }

  function takeGroup(): T[] {
    if (keyOf === undefined) return waiting.splice(0, groupMax)
    const keys = new Set<string>()
    const group: T[] = []
    const left: T[] = []
    for (const item of waiting) {
      const key = keyOf(item)
      if (group.length >= groupMax || keys.has(key)) {
        left.push(item)
        continue
      }
      keys.add(key)
      group.push(item)
    }
    waiting = left
    return group
  }

  return {
    add(item) {
      if (waiting.length >= waitingMax) throw refuse('unavailable', 'unavailable')
      waiting.push(item)
      running ??= apart(drain).finally(() => {
        running = null
      })
    },
    async settle() {
      while (running !== null) await running
    },
    stats: () => ({ waiting: waiting.length, groups, items }),
  }
}

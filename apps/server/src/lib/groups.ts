import { AsyncLocalStorage } from 'node:async_hooks'
import { refuse } from './api-error.ts'

/**
 * Work that is cheaper together: while one group is under way, what comes meanwhile waits, and goes as the next group.
 * So however many ask at once, they hold one connection and share one wait for the disk.
 */
export interface Groups<T> {
  /** Puts an item into the next group. @throws ApiError unavailable when too many wait already */
  add(item: T): void
  /** Resolves when nothing waits any more. */
  settle(): Promise<void>
  stats(): GroupStats
}

export interface GroupStats {
  /** Items that wait for the next group now. */
  readonly waiting: number
  /** Groups begun since the start, and the items in them: their ratio tells how large groups are. */
  readonly groups: number
  readonly items: number
}

export interface GroupsOptions<T> {
  /** Items in a group at most: beyond it a statement only grows longer, not cheaper for each. */
  readonly groupMax: number
  /** Items that may wait; more means that the work cannot keep up, and it is honest to say so at once. */
  readonly waitingMax: number
  /** Of items with the same key only the first goes with a group, the others with later ones in their order. */
  readonly keyOf?: (item: T) => string
  /** Does a group. It tells each item's owner what became of it, failures included, and never fails itself. */
  readonly work: (group: readonly T[]) => Promise<void>
}

export function createGroups<T>({ groupMax, waitingMax, keyOf, work }: GroupsOptions<T>): Groups<T> {
  let waiting: T[] = []
  let running: Promise<void> | null = null
  let groups = 0
  let items = 0
  // A group is many people's: it runs, and logs, as part of nobody's request.
  const apart = AsyncLocalStorage.snapshot()

  async function drain(): Promise<void> {
    // What comes with the same tick belongs to the first group too.
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

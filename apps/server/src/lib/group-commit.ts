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
   * A batch contains items of one lane only, and the batches of a lane follow each other in order.
   * Unset: all items are in one lane.
   */
  readonly laneOf?: (item: T) => string
  /**
   * Lanes of one track have one batch at a time; tracks do not wait for each other. Unset: all
   * lanes are of one track.
   */
  readonly trackOf?: (item: T) => string
  /**
   * Processes a batch. It reports the result of each item to its owner, failures included, and
   * never rejects.
   */
  readonly work: (group: readonly T[]) => Promise<void>
}

export function createGroupCommit<T>({
  groupMax,
  waitingMax,
  keyOf,
  laneOf = () => '',
  trackOf = () => '',
  work,
}: GroupCommitOptions<T>): GroupCommit<T> {
  /** Waiting items by lane; a lane that had a batch goes to the end. */
  const lanes = new Map<string, T[]>()
  /** Batches by lane, and their tracks. */
  const running = new Map<string, Promise<void>>()
  const tracks = new Set<string>()
  let waiting = 0
  let groups = 0
  let items = 0
  // A batch belongs to many requests, so it must not run, or log, in the context of one.
  const apart = AsyncLocalStorage.snapshot()

  function start(): void {
    for (const [lane, [first]] of lanes) {
      const track = trackOf(first!)
      if (tracks.has(track) || running.has(lane)) continue
      tracks.add(track)
      running.set(lane, apart(runBatch, lane, track))
    }
  }

  async function runBatch(lane: string, track: string): Promise<void> {
    // Items of the same tick belong to the batch too.
    await Promise.resolve()
    const group = takeGroup(lane)
    groups += 1
    items += group.length
    try {
      await work(group)
    } finally {
      running.delete(lane)
      tracks.delete(track)
      start()
    }
  }

  function takeGroup(lane: string): T[] {
    const [group, left] = split(lanes.get(lane)!)
    lanes.delete(lane)
    if (left.length > 0) lanes.set(lane, left)
    waiting -= group.length
    return group
  }

  function split(queued: T[]): [group: T[], left: T[]] {
    if (keyOf === undefined) return [queued.splice(0, groupMax), queued]
    const keys = new Set<string>()
    const group: T[] = []
    const left: T[] = []
    for (const item of queued) {
      const key = keyOf(item)
      if (group.length >= groupMax || keys.has(key)) {
        left.push(item)
        continue
      }
      keys.add(key)
      group.push(item)
    }
    return [group, left]
  }

  return {
    add(item) {
      if (waiting >= waitingMax) throw refuse('unavailable', 'unavailable')
      const lane = laneOf(item)
      const queued = lanes.get(lane)
      if (queued === undefined) lanes.set(lane, [item])
      else queued.push(item)
      waiting += 1
      start()
    },
    async settle() {
      while (running.size > 0) await Promise.all(running.values())
    },
    stats: () => ({ waiting, groups, items }),
  }
}

/** Counts what is said again and again, and says so once a window: the first time is told at once, its repeats together. */
export interface Repeats<T> {
  /**
   * @param key what makes two the same
   * @param id of this one, to be found in the summary; null for none
   * @param ms how long it took; null where that says nothing
   * @returns whether it is to be told now; a repeat is counted instead
   */
  see(key: string, what: T, id: string | null, ms: number | null): boolean
  /** Tells of all repeats that were not told yet, without waiting for the end of their window. */
  flush(): void
}

export interface Summary {
  readonly count: number
  readonly seconds: number
  /** Of the first `IDS_MAX` repeats that have one. */
  readonly ids: readonly string[]
  /** Of the slowest repeat. */
  readonly slowestMs: number | null
}

/** Ids in one summary: with 50 failures a second all of them can be found; a line of them is 8 kB, which every log takes. */
export const IDS_MAX = 500
/** Different things that are counted at a time. Beyond that the oldest is told early, and the next of its kind is told at once again. */
const KEYS_MAX = 500

export interface RepeatsOptions<T> {
  readonly windowMs: number
  readonly tell: (what: T, summary: Summary) => void
  readonly now: () => number
  /** Calls back after some milliseconds. */
  readonly schedule: (work: () => void, ms: number) => void
}

interface Entry<T> {
  readonly what: T
  since: number
  count: number
  ids: string[]
  slowestMs: number | null
}

export function createRepeats<T>({ windowMs, tell, now, schedule }: RepeatsOptions<T>): Repeats<T> {
  const entries = new Map<string, Entry<T>>()

  /** Tells of its repeats, if there were any, and begins its next window. */
  function tellOf(entry: Entry<T>): void {
    const { what, since, count, ids, slowestMs } = entry
    const at = now()
    Object.assign(entry, { since: at, count: 0, ids: [], slowestMs: null })
    if (count > 0) tell(what, { count, ids, slowestMs, seconds: Math.round((at - since) / 1_000) })
  }

  function endWindow(key: string, entry: Entry<T>): void {
    if (entries.get(key) !== entry) return
    const isOver = entry.count === 0
    tellOf(entry)
    if (isOver) entries.delete(key)
    else schedule(() => endWindow(key, entry), windowMs)
  }

  return {
    see(key, what, id, ms) {
      const entry = entries.get(key)
      if (entry !== undefined) {
        entry.count += 1
        if (id !== null && entry.ids.length < IDS_MAX) entry.ids.push(id)
        if (ms !== null) entry.slowestMs = Math.max(ms, entry.slowestMs ?? 0)
        return false
      }
      if (entries.size >= KEYS_MAX) {
        const [[oldestKey, oldest]] = entries as unknown as [[string, Entry<T>]]
        entries.delete(oldestKey)
        tellOf(oldest)
      }
      const fresh: Entry<T> = { what, since: now(), count: 0, ids: [], slowestMs: null }
      entries.set(key, fresh)
      schedule(() => endWindow(key, fresh), windowMs)
      return true
    },
    flush: () => {
      for (const entry of entries.values()) tellOf(entry)
    },
  }
}

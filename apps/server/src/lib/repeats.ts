/**
 * Folds repeated log lines: the first is logged at once, its repetitions within a window as one
 * summary.
 */
export interface Repeats<T> {
  /**
   * @param key equal for repetitions
   * @param id the id of this occurrence, for the summary; null for none
   * @param ms its duration; null where it is irrelevant
   * @returns whether to log it now; otherwise it is counted
   */
  see(key: string, what: T, id: string | null, ms: number | null): boolean
  /** Reports all counted repetitions now, without waiting for the end of their window. */
  flush(): void
}

export interface Summary {
  readonly count: number
  readonly seconds: number
  /** Of the first `IDS_MAX` repetitions with an id. */
  readonly ids: readonly string[]
  /** Of the slowest repetition. */
  readonly slowestMs: number | null
}

/**
 * Ids in one summary: at 50 failures a second all of them are included; such a line is 8 kB, which
 * every log accepts.
 */
export const IDS_MAX = 500
/**
 * Maximum kinds being counted. Beyond it the oldest is reported early, and its next repetition is
 * logged at once.
 */
const KEYS_MAX = 500

export interface RepeatsOptions<T> {
  readonly windowMs: number
  readonly tell: (what: T, summary: Summary) => void
  readonly now: () => number
  /** Calls back after a number of milliseconds. */
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

  /** Reports the repetitions, if there were any, and begins the next window. */
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

/**
 * A throttle per key: the first value is delivered at once, those that follow within the interval
 * together at its end. So a quiet thread sees a change immediately, and a storm costs one delivery
 * per interval.
 */
export interface Throttle<K, V> {
  add(key: K, value: V): void
  /** Delivers waiting values now rather than at the end of their interval. */
  flush(): void
  /** Number of waiting values. */
  waiting(): number
  /** Delivers waiting values, and every later value at once. */
  close(): void
}

export interface ThrottleOptions<K, V> {
  readonly everyMs: number
  /** Merges two values of one key; the second is the later. */
  readonly merge: (before: V, after: V) => V
  /** Delivers a value. Must not throw: it runs from timers. */
  readonly tell: (key: K, value: V) => void
  /**
   * Maximum keys with a running interval, and waiting values. Beyond it values are delivered early
   * rather than kept.
   */
  readonly max: number
}

interface Interval<V> {
  readonly timer: NodeJS.Timeout
  /** The value that waits for the end, and the number of values merged into it. */
  waiting: { readonly value: V; readonly count: number } | null
}

export function createThrottle<K, V>({ everyMs, merge, tell, max }: ThrottleOptions<K, V>): Throttle<K, V> {
  const intervals = new Map<K, Interval<V>>()
  let waiting = 0
  let closed = false

  function begin(key: K): void {
    // `close` delivers waiting values when the process stops, so the timer need not keep the
    // process alive.
    const timer = setTimeout(() => end(key), everyMs).unref()
    intervals.set(key, { timer, waiting: null })
  }

  /** Delivers the waiting value of a key. False when there was none. */
  function release(key: K, interval: Interval<V>): boolean {
    const held = interval.waiting
    if (held === null) return false
    interval.waiting = null
    waiting -= held.count
    tell(key, held.value)
    return true
  }

  function end(key: K): void {
    const interval = intervals.get(key)
    intervals.delete(key)
    if (interval !== undefined && release(key, interval)) begin(key)
  }

  function flush(): void {
    for (const [key, interval] of intervals) release(key, interval)
  }

  return {
    add(key, value) {
      const interval = intervals.get(key)
      if (interval === undefined) {
        if (!closed && intervals.size < max) begin(key)
        return tell(key, value)
      }
      const held = interval.waiting
      interval.waiting =
        held === null ? { value, count: 1 } : { value: merge(held.value, value), count: held.count + 1 }
      waiting += 1
      if (waiting >= max) flush()
    },
    flush,
    waiting: () => waiting,
    close() {
      closed = true
      flush()
      for (const { timer } of intervals.values()) clearTimeout(timer)
      intervals.clear()
    },
  }
}

/**
 * News about many things, told at most once in a while for each: the first at once, what follows within the interval
 * together at its end. So a calm place hears of a change immediately, and a storm costs one telling an interval.
 */
export interface Gatherer<K, V> {
  add(key: K, value: V): void
  /** Tells what waits now rather than at the end of its interval. */
  flush(): void
  /** Values that wait now. */
  waiting(): number
  /** Tells what waits, and from then on everything at once. */
  close(): void
}

export interface GathererOptions<K, V> {
  readonly everyMs: number
  /** Two values of one thing as one; the second is the later. */
  readonly merge: (before: V, after: V) => V
  /** Must not throw: it runs from timers. */
  readonly tell: (key: K, value: V) => void
  /** Things whose interval is running, and values waiting for its end. Beyond it more is told rather than remembered. */
  readonly max: number
}

interface Interval<V> {
  readonly timer: NodeJS.Timeout
  /** What waits for the end, and how many values it was made of. */
  waiting: { readonly value: V; readonly count: number } | null
}

export function createGatherer<K, V>({ everyMs, merge, tell, max }: GathererOptions<K, V>): Gatherer<K, V> {
  const intervals = new Map<K, Interval<V>>()
  let waiting = 0
  let closed = false

  function begin(key: K): void {
    // What waits is told when the process stops (close); nothing else needs the timer to keep it alive.
    const timer = setTimeout(() => end(key), everyMs).unref()
    intervals.set(key, { timer, waiting: null })
  }

  /** Tells what waits for a thing. False when nothing did. */
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

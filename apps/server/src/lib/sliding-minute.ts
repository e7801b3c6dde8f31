/** Counts events within the last 60 seconds, with a resolution of a second. */
export interface SlidingMinute {
  /** Counts a number of events at a time in milliseconds. */
  add(now: number, times?: number): void
  count(now: number): number
}

const SECONDS = 60

export function createSlidingMinute(): SlidingMinute {
  const counts = new Uint32Array(SECONDS)
  let newest = -Infinity
  let sum = 0

  /**
   * Drops the seconds that are older than a minute. When the clock goes back a little, events count
   * in the newest second; by a minute or more, it begins anew.
   */
  function advance(now: number): void {
    const second = Math.floor(now / 1_000)
    if (Math.abs(second - newest) >= SECONDS) {
      counts.fill(0)
      sum = 0
    } else if (second < newest) {
      return
    } else {
      for (let passed = newest + 1; passed <= second; passed += 1) {
        sum -= counts[passed % SECONDS]!
        counts[passed % SECONDS] = 0
      }
    }
    newest = second
  }

  return {
    add(now, times = 1) {
      advance(now)
      counts[newest % SECONDS]! += times
      sum += times
    },
    count(now) {
      advance(now)
      return sum
    },
  }
}

/** Fills steadily, up to its burst. */
export interface Bucket {
  /** Whether so many tokens are left (1 by default), which are taken. */
  (tokens?: number): boolean
  /**
   * Takes tokens that may not be there: until they are, nothing is left. A debt of more than two
   * seconds is forgiven.
   */
  spend(tokens: number): void
}

const DEBT_SECONDS = 2

/** @param now milliseconds */
export function createBucket(perSecond: number, burst: number, now: () => number): Bucket {
  let left = burst
  let filledAt = now()

  function fill(): void {
    const at = now()
    left = Math.min(burst, left + (Math.max(0, at - filledAt) / 1_000) * perSecond)
    filledAt = at
  }

  function take(tokens = 1): boolean {
    fill()
    if (left < tokens) return false
    left -= tokens
    return true
  }

  return Object.assign(take, {
    spend(tokens: number) {
      fill()
      left = Math.max(left - tokens, -DEBT_SECONDS * perSecond)
    },
  })
}

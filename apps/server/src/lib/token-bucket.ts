/**
 * Whether a bucket has so many tokens left (1 by default), which are taken. It fills steadily, up
 * to its burst.
 */
export type Bucket = (tokens?: number) => boolean

/** @param now milliseconds */
export function createBucket(perSecond: number, burst: number, now: () => number): Bucket {
  let left = burst
  let filledAt = now()
  return (tokens = 1) => {
    const at = now()
    left = Math.min(burst, left + (Math.max(0, at - filledAt) / 1_000) * perSecond)
    filledAt = at
    if (left < tokens) return false
    left -= tokens
    return true
  }
}

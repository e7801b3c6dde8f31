/**
 * How long the primary waits before it replaces a worker that ended: not at all for one that served
 * for a while. One that ends soon after its start is likely to do so again, so each pause in a row
 * is twice as long as the one before.
 */
export interface RestartPauses {
  /** @param livedMs how long the worker lived. @returns milliseconds */
  next(livedMs: number): number
}

/** A worker that lives longer is replaced at once. */
export const SOON_MS = 10_000
export const FIRST_PAUSE_MS = 500
export const LONGEST_PAUSE_MS = 30_000

export function createRestartPauses(): RestartPauses {
  let pause = FIRST_PAUSE_MS
  return {
    next(livedMs) {
      if (livedMs > SOON_MS) {
        pause = FIRST_PAUSE_MS
        return 0
      }
      const current = pause
      pause = Math.min(pause * 2, LONGEST_PAUSE_MS)
      return current
    },
  }
}

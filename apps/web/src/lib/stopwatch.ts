/**
 * Milliseconds from now on. The clock counts the time for which the device slept, and may be set
 * back; `performance.now()` is the other way round. So the larger one counts.
 */
export function startStopwatch(): () => number {
  const [clockAt, pageAt] = [Date.now(), performance.now()]
  return () => Math.max(Date.now() - clockAt, performance.now() - pageAt)
}

import { setImmediate } from 'node:timers/promises'

/** After so long other requests get a turn. */
const SLICE_MS = 10

/** Collects what is computed item by item, without keeping the event loop for long. */
export async function inSlices<T>(items: Iterable<T>): Promise<T[]> {
  const collected: T[] = []
  let since = performance.now()
  for (const item of items) {
    collected.push(item)
    if (performance.now() - since < SLICE_MS) continue
    await setImmediate()
    since = performance.now()
  }
  return collected
}

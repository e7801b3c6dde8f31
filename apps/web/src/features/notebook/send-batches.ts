import { ApiError } from '../../lib/api-client.ts'

/** A browser finishes requests of up to 64 KiB when their page ends. */
const BATCH_BYTES = 50_000

interface Waiting<T> {
  /** Most entries that the server takes at once. */
  readonly limit: number
  /** Whether the member is still logged in. */
  goesOn(): boolean
  /** The first entries that wait. */
  read(most: number): readonly T[] | Promise<readonly T[]>
  send(entries: readonly T[]): Promise<void>
  /** These entries wait no longer. */
  drop(entries: readonly T[]): void | Promise<void>
}

/**
 * Sends all that waits. What the server will never take (400) must not hold up the others: the
 * entries of a refused batch are sent one by one, and only the refused one is lost.
 */
export async function sendInBatches<T>({ limit, goesOn, read, send, drop }: Waiting<T>): Promise<void> {
  let most = limit
  while (goesOn()) {
    const entries = fitting(await read(most))
    if (entries.length === 0) return
    try {
      await send(entries)
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 400)) throw error
      most = entries.length > 1 ? 1 : limit
      if (entries.length > 1) continue
    }
    await drop(entries)
  }
}

const utf8 = new TextEncoder()

/** As many of the first entries as one request can carry; at least one. */
function fitting<T>(entries: readonly T[]): readonly T[] {
  let size = 0
  const count = entries.findIndex((entry) => (size += utf8.encode(JSON.stringify(entry)).length) > BATCH_BYTES)
  return count === -1 ? entries : entries.slice(0, Math.max(1, count))
}

import { refuse } from '../lib/api-error.ts'
import { createBucket, type Bucket } from '../lib/token-bucket.ts'
import { countReceived, type LiveCounts } from './counts.ts'
import type { LiveSocket } from './live.ts'

/**
 * The burst is this many seconds' worth of events: after a reconnect a client joins, catches up and
 * sends what waited.
 */
const BURST_SECONDS = 3
/** Consecutive refusals after which the connection is closed: only a program goes on that long. */
const REFUSALS_MAX = 1_000

export const bucketOfSocket = (perSecond: number, now: () => number): Bucket =>
  createBucket(perSecond, perSecond * BURST_SECONDS, now)

/**
 * Limits a socket to the rates of its own bucket and that of its source, which all sockets of the
 * source share; other events are refused without being parsed.
 */
export function limitEvents(socket: LiveSocket, own: Bucket, ofSource: Bucket, counts: LiveCounts): void {
  let refused = 0
  socket.use((packet, next) => {
    if (own() && ofSource()) {
      refused = 0
      countReceived(counts, packet[0])
      return next()
    }
    refused += 1
    counts.refused += 1
    if (refused > REFUSALS_MAX) return socket.disconnect(true)
    const error = refuse('too_many_requests', 'too_many_requests').toAnswer()
    const ack: unknown = packet.at(-1)
    if (typeof ack === 'function') ack({ error })
    else socket.emit('postError', error)
  })
}

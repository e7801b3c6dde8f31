import { refuse } from '../lib/api-error.ts'
import { countReceived, type LiveCounts } from './counts.ts'
import type { LiveSocket } from './live.ts'

/**
 * The burst is this many seconds' worth of events: after a reconnect a client joins, catches up and
 * sends what waited.
 */
const BURST_SECONDS = 3
/** Consecutive refusals after which the connection is closed: only a program goes on that long. */
const REFUSALS_MAX = 1_000

/**
 * Limits a socket to a rate of events (a token bucket); others are refused without being parsed.
 */
export function limitEvents(socket: LiveSocket, perSecond: number, now: () => number, counts: LiveCounts): void {
  const full = perSecond * BURST_SECONDS
  let left = full
  let filledAt = now()
  let refused = 0
  socket.use((packet, next) => {
    const at = now()
    left = Math.min(full, left + (Math.max(0, at - filledAt) / 1_000) * perSecond)
    filledAt = at
    if (left >= 1) {
      left -= 1
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

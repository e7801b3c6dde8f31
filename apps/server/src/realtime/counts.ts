import type { ClientToServerEvents, ServerToClientEvents } from '@shinobi/contract/events'

/** Counters of the sockets since the start, as plain integers. */
export interface LiveCounts {
  /** Accepted events by name; unknown names count as `unknown`. */
  readonly received: Record<keyof ClientToServerEvents | 'unknown', number>
  /** Events refused by the rate limit of their socket. */
  refused: number
  /**
   * Refused connections: a page of another site, too many sockets, handshakes or messages of one
   * address, or an invalid or expired identity.
   */
  readonly turnedAway: Record<'origin' | 'address' | 'identity', number>
  /** Published events, each counted once for all receivers. */
  readonly told: Record<Exclude<keyof ServerToClientEvents, 'postError'>, number>
}

export const countLive = (): LiveCounts => ({
  received: { joinThread: 0, newPost: 0, unknown: 0 },
  refused: 0,
  turnedAway: { origin: 0, address: 0, identity: 0 },
  told: { newPost: 0, threadChanged: 0, likesChanged: 0, noticesChanged: 0, queueChanged: 0 },
})

/** Counts an event under its name; the name comes from the client, so it may be anything. */
export function countReceived({ received }: LiveCounts, name: unknown): void {
  received[typeof name === 'string' && Object.hasOwn(received, name) ? (name as keyof typeof received) : 'unknown'] += 1
}

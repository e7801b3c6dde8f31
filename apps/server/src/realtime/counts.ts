import type { ClientToServerEvents, ServerToClientEvents } from '@shinobi/contract/events'

/** What has gone through the sockets since the start, in plain integers. */
export interface LiveCounts {
  /** Events that came and were let through, by name; all that no event of ours is called are `unknown`. */
  readonly received: Record<keyof ClientToServerEvents | 'unknown', number>
  /** Events refused because their socket sends too many. */
  refused: number
  /** Connections refused: a page of another site, too many of one address, or an identity that is not, or no longer, valid. */
  readonly turnedAway: Record<'origin' | 'address' | 'identity', number>
  /** Events told to a room or to everybody, each counted once however many hear it. */
  readonly told: Record<Exclude<keyof ServerToClientEvents, 'postError'>, number>
}

export const countLive = (): LiveCounts => ({
  received: { joinThread: 0, newPost: 0, unknown: 0 },
  refused: 0,
  turnedAway: { origin: 0, address: 0, identity: 0 },
  told: { newPost: 0, threadChanged: 0, likesChanged: 0, noticesChanged: 0, queueChanged: 0 },
})

/** Counts an event under its name, whatever a client calls it. */
export function countReceived({ received }: LiveCounts, name: unknown): void {
  received[typeof name === 'string' && Object.hasOwn(received, name) ? (name as keyof typeof received) : 'unknown'] += 1
}

/**
 * Bounds what half-sent messages hold. A websocket's message is kept until its last byte has come: megabytes for each connection of
 * somebody who never sends that byte.
 */
import type { ByteBudget } from '../lib/byte-budget.ts'
import type { LiveServer, LiveSocket } from './live.ts'

/** Less than this harms nobody, however long it waits: it may be a ping of the protocol, which no packet follows. */
const SMALL_BYTES = 64 * 1024
/** A message that is larger, and has not grown for so long, is not coming any more. */
const STILL_MS = 10_000
/** Nor is one that takes longer than this, byte by byte. */
const LONGEST_MS = 60_000
const LOOK_EVERY_MS = 2_000

export interface FrameOptions {
  readonly budget: ByteBudget
  /** Who sends over a connection; asked once for each. */
  readonly senderOf: (request: LiveSocket['conn']['request']) => string
  readonly now: () => number
}

interface Pending {
  bytes: number
  /** When the first byte came, and the last. */
  since: number
  grownAt: number
  readonly cut: () => void
}

/** @returns looks for messages that have stopped moving, and what stops looking by itself */
export function boundFrames(
  io: LiveServer,
  { budget, senderOf, now }: FrameOptions,
): { readonly look: () => void; readonly stop: () => void } {
  const pendings = new Set<Pending>()

  io.engine.on('connection', (connection: LiveSocket['conn']) => {
    const sender = senderOf(connection.request)
    const { socket } = connection.request
    const pending: Pending = { bytes: 0, since: 0, grownAt: 0, cut: () => socket.destroy() }
    const release = (): void => {
      if (pending.bytes === 0) return
      budget.giveBack(sender, pending.bytes)
      pending.bytes = 0
      pendings.delete(pending)
    }
    // Before the parser sees them: when it has a whole message, that is told while these bytes are counted.
    socket.prependListener('data', ({ length }: Buffer) => {
      if (!budget.take(sender, length)) return pending.cut()
      pending.grownAt = now()
      if (pending.bytes === 0) {
        pending.since = pending.grownAt
        pendings.add(pending)
      }
      pending.bytes += length
    })
    connection.on('packet', release)
    connection.once('close', release)
  })

  function look(): void {
    const at = now()
    for (const { bytes, since, grownAt, cut } of pendings) {
      if (bytes > SMALL_BYTES && (at - grownAt > STILL_MS || at - since > LONGEST_MS)) cut()
    }
  }
  const timer = setInterval(look, LOOK_EVERY_MS).unref()
  return { look, stop: () => clearInterval(timer) }
}

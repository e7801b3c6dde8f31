/**
 * Limits what a connection costs before its events are looked at: the memory of incomplete messages
 * and of events that are not read, and the number of messages, of their frames and of pings. A
 * websocket buffers a message until its last byte has arrived: megabytes for each connection of a
 * client that never sends that byte. Engine.IO buffers events for as long as the client answers its
 * pings, even if it reads nothing.
 */
import type { EventEmitter } from 'node:events'
import type { ByteBudget } from '../lib/byte-budget.ts'
import { createBucket, type Bucket } from '../lib/token-bucket.ts'
import type { LiveServer, LiveSocket } from './live.ts'

/**
 * A smaller message does no harm, however long it waits; it may also be a ping of the protocol,
 * which no packet follows.
 */
const SMALL_BYTES = 64 * 1024
/** A larger message that has not grown for this long is not coming any more. */
const STILL_MS = 10_000
/** Nor is one that takes longer than this, byte by byte. */
const LONGEST_MS = 60_000
const LOOK_EVERY_MS = 2_000
/**
 * Events that may wait for a client: more than a busy thread has in a minute. One that is further
 * behind reconnects, and catches up by the posts' numbers.
 */
const WAITING_MAX = 1_000

/**
 * Messages of a connection, and its bytes: several times the events that it may send
 * (limit-events.ts), and two pictures as data URLs. Events above their limit are answered; a
 * connection above this one is closed, because only a program sends so much.
 */
const MESSAGES_PER_SECOND = 60
const MESSAGES_BURST = 2_000
/** No browser sends pings of the websocket; each is answered by a system call. */
const PINGS_PER_SECOND = 5
const PINGS_BURST = 50
const BYTES_PER_SECOND = 256 * 1024
const BYTES_BURST = 32 * 1024 * 1024
/**
 * Frames of a message, and bytes for each further one. A frame costs memory and a round of the
 * parser even if it is empty. Browsers split only large messages, by many kilobytes; some programs
 * split any by 4 kB.
 */
const FRAMES_FREE = 4
const BYTES_PER_FRAME = 2 * 1024

export interface FrameOptions {
  readonly budget: ByteBudget
  /** The sender of a connection; called once for each. */
  readonly senderOf: (request: LiveSocket['conn']['request']) => string
  /** The messages and pings that all connections of its source may send; called once for each. */
  readonly messagesOf: (request: LiveSocket['conn']['request']) => Bucket
  readonly now: () => number
}

interface Websocket extends EventEmitter {
  readonly _receiver: { _loop: boolean; _maxFragments: number; readonly _bufferedBytes: number }
}

interface Pending {
  bytes: number
  /** When the first byte arrived, and the last. */
  since: number
  grownAt: number
  readonly cut: () => void
}

/**
 * @returns a function that checks for stalled messages and unread events, and one that ends the
 * regular checks
 */
export function boundFrames(
  io: LiveServer,
  { budget, senderOf, messagesOf, now }: FrameOptions,
): { readonly look: () => void; readonly stop: () => void } {
  const pendings = new Set<Pending>()
  const connections = new Set<LiveSocket['conn']>()

  io.engine.on('connection', (connection: LiveSocket['conn']) => {
    const sender = senderOf(connection.request)
    const ofSource = messagesOf(connection.request)
    const { socket } = connection.request
    const pending: Pending = { bytes: 0, since: 0, grownAt: 0, cut: () => socket.destroy() }
    const messages = createBucket(MESSAGES_PER_SECOND, MESSAGES_BURST, now)
    const pings = createBucket(PINGS_PER_SECOND, PINGS_BURST, now)
    const bytes = createBucket(BYTES_PER_SECOND, BYTES_BURST, now)
    const release = (): void => {
      budget.giveBack(sender, Math.max(0, pending.bytes - SMALL_BYTES))
      pending.bytes = 0
      pendings.delete(pending)
    }
    // Private fields: pings and pongs are no packets, so Engine.IO does not report them, and the
    // parser would go through the thousands of a chunk after the connection is closed.
    const { socket: websocket } = connection.transport as unknown as { readonly socket: Websocket }
    const { _receiver: receiver } = websocket
    /** Bytes of the next message that came with the end of the last one. */
    let begun = 0
    const count = (own: Bucket): void => {
      if (own() && ofSource()) return
      pending.cut()
      receiver._loop = false
    }
    websocket.on('ping', () => count(pings)).on('pong', () => count(pings))
    // Runs before the parser: when it completes a message, the packet event comes while these bytes
    // are counted.
    socket.prependListener('data', ({ length }: Buffer) => {
      // The first bytes of a message cost nothing: those of many others must not end a connection.
      const before = Math.max(SMALL_BYTES, pending.bytes)
      const counted = Math.max(0, pending.bytes + length - before)
      if (!bytes(length) || !budget.take(sender, counted)) return pending.cut()
      pending.grownAt = now()
      if (pending.bytes === 0) {
        pending.since = pending.grownAt
        pendings.add(pending)
      }
      pending.bytes += length
      receiver._maxFragments = FRAMES_FREE + Math.floor((begun + pending.bytes) / BYTES_PER_FRAME)
    })
    // Engine.IO's own events end with its close, but the client may go on sending for as long as it
    // does not answer the close of the websocket.
    connection.transport.prependListener('packet', () => {
      release()
      begun = receiver._bufferedBytes
      count(messages)
    })
    connections.add(connection)
    socket.once('close', () => {
      release()
      connections.delete(connection)
    })
  })

  function look(): void {
    const at = now()
    for (const { bytes, since, grownAt, cut } of pendings) {
      if (bytes > SMALL_BYTES && (at - grownAt > STILL_MS || at - since > LONGEST_MS)) cut()
    }
    for (const connection of connections) {
      // Private, but Engine.IO has no other count of what waits.
      if (connection['writeBuffer'].length > WAITING_MAX) connection.request.socket.destroy()
    }
  }
  const timer = setInterval(look, LOOK_EVERY_MS).unref()
  return { look, stop: () => clearInterval(timer) }
}

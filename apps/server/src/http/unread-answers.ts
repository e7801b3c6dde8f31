/**
 * Limits the memory of answers that are not read. An answer stays in memory until its client has
 * taken it, and a request of a hundred bytes can cause one of a megabyte.
 */
import { ServerResponse, type IncomingMessage, type Server } from 'node:http'

const MB = 1024 * 1024

/** Clients on slow lines are behind by a few hundred kilobytes; a carrier has hundreds of them. */
const OF_ONE = 32 * MB
const TOTAL = 128 * MB
/** A smaller rest costs no more than its connection. */
const SMALL_BYTES = 64 * 1024

interface Unread {
  readonly sender: string
  readonly bytes: number
  readonly cut: () => void
}

/** A response that tells its server when the client has not taken it at once. */
export class WatchedResponse extends ServerResponse {
  override end(...args: unknown[]): this {
    super.end(...(args as Parameters<ServerResponse['end']>))
    if (this.writableLength > SMALL_BYTES) this.req.socket.server?.emit('unread', this)
    return this
  }
}

/**
 * Closes the connections whose answers have waited longest: of one client's when these are too
 * many, or of all.
 * @param server with `WatchedResponse`
 * @param senderOf the sender of a request
 */
export function boundUnreadAnswers(
  server: Server,
  senderOf: (request: IncomingMessage) => string,
  { ofOne, total }: { readonly ofOne: number; readonly total: number } = { ofOne: OF_ONE, total: TOTAL },
): void {
  /** Oldest first. */
  const unread = new Set<Unread>()
  const held = new Map<string, number>()
  let sum = 0

  function count(sender: string, bytes: number): void {
    sum += bytes
    const left = (held.get(sender) ?? 0) + bytes
    if (left === 0) held.delete(sender)
    else held.set(sender, left)
  }

  server.on('unread', (response: ServerResponse) => {
    const sender = senderOf(response.req)
    const release = (): void => {
      if (unread.delete(answer)) count(sender, -answer.bytes)
    }
    const answer: Unread = {
      sender,
      bytes: response.writableLength,
      cut() {
        release()
        response.req.socket.destroy()
      },
    }
    unread.add(answer)
    count(sender, answer.bytes)
    response.once('close', release)
    while ((held.get(sender) ?? 0) > ofOne)
      unread
        .values()
        .find((one) => one.sender === sender)!
        .cut()
    while (sum > total) unread.values().next().value!.cut()
  })
}

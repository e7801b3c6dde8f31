import { Decoder, PacketType } from 'socket.io-parser'

/** Messages up to this length are parsed without a check. */
const SMALL = 4_096
/**
 * Maximum structure of a larger message. Separators within its one long string count too: a post
 * may be 4,000 commas.
 */
const MARKS_MAX = 6_000

/** Packets of Socket.IO that announce binary parts: BINARY_EVENT and BINARY_ACK. */
const BINARY = /^[56]/

/**
 * Socket.IO's parser, which refuses large messages that are not mostly one string. A picture as a
 * data URL is one string; megabytes of brackets are not, and parsing them would block the event
 * loop for seconds. It also refuses binary parts, which no event of the board has: each of ten may
 * have the maximum length, and they are buffered until the last one has arrived.
 *
 * One decoder reads one connection, which joins once. Socket.IO would begin to join anew with each
 * CONNECT until the first one has ended, and each costs as much as a handshake.
 */
export class CarefulDecoder extends Decoder {
  #hasJoined = false

  override add(message: unknown): void {
    if (typeof message !== 'string' || BINARY.test(message)) throw new Error('no event has binary parts')
    // Not `startsWith('0')`: the parser reads an empty message and a space as CONNECT, too.
    if (Number(message.charAt(0)) === PacketType.CONNECT) {
      if (this.#hasJoined) throw new Error('a connection joins once')
      this.#hasJoined = true
    }
    if (message.length > SMALL && countMarks(message) > MARKS_MAX) {
      throw new Error('a large message holds too many values')
    }
    super.add(message)
  }
}

/** Counts the separators of JSON values, and stops above the maximum. */
function countMarks(message: string): number {
  let count = 0
  for (const mark of [',', '[', '{', '"']) {
    for (let at = message.indexOf(mark); at !== -1 && count <= MARKS_MAX; at = message.indexOf(mark, at + 1)) count += 1
  }
  return count
}

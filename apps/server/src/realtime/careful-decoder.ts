import { Decoder } from 'socket.io-parser'

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
 */
export class CarefulDecoder extends Decoder {
  override add(message: unknown): void {
    if (typeof message !== 'string' || BINARY.test(message)) throw new Error('no event has binary parts')
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

import { Decoder } from 'socket.io-parser'

/** Messages up to this length are parsed as they are. */
const SMALL = 65_536
/** What a large message of ours holds besides one long string: a post's text, an id, a name. */
const MARKS_MAX = 20_000

/** Socket.IO's packets that announce binary parts: BINARY_EVENT and BINARY_ACK. */
const BINARY = /^[56]/

/**
 * The parser of Socket.IO, which does not even begin with a large message that is not mostly one string. A picture as a data
 * URL is; megabytes of brackets are not, and parsing them would hold the event loop for seconds. Nor with binary parts, which no
 * event of ours has: each of ten may have the length of the largest message, and they are kept until the last has come.
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

/** Counts what parts one JSON value from the next, and stops when there are too many. */
function countMarks(message: string): number {
  let count = 0
  for (const mark of [',', '[', '{', '"']) {
    for (let at = message.indexOf(mark); at !== -1 && count <= MARKS_MAX; at = message.indexOf(mark, at + 1)) count += 1
  }
  return count
}

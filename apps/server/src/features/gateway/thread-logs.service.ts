/**
 * Sends logs of threads while they are read. One may have a hundred megabytes, so what it costs is
 * limited as a whole, by the text of the thread, and the memory by the number of those that are
 * being sent.
 */
import { once } from 'node:events'
import { Readable } from 'node:stream'
import { refuse } from '../../lib/api-error.ts'
import { createByteBudget } from '../../lib/byte-budget.ts'
import { createFairSemaphore, RETRY_AFTER_S } from '../../lib/fair-semaphore.ts'
import { createKeyLimits, tooMany } from '../../lib/key-limit.ts'
import { writeLog, type Log } from './thread-logs.ts'

export interface LogSender {
  /**
   * A log as a stream, whose first part is there.
   * @param bytes of the texts in it
   * @param asker the client, as `askerOf` names it
   * @throws ApiError too_many_requests
   */
  open(log: Log, bytes: number, asker: string): Promise<Readable>
}

/** Parts that are made at a time: one takes the event loop up to fifty milliseconds, in slices. */
const PARTS_AT_ONCE = 2
const PARTS_OF_ONE = 1
/**
 * A log in memory: the part that is being sent and the one behind it. Each has 200 kB of text and a
 * post, and CP932 takes up to 3.5 bytes for one of them.
 */
const LOG_BYTES = 2 * 1024 * 1024
/** Logs that are being sent. */
const OPEN = 64
const OPEN_OF_ONE = 8
/**
 * Kilobytes of text of one source and minute: 400 ordinary threads, or one of a thousand long
 * posts, whose dat takes eight seconds of the event loop.
 */
const KB_PER_MINUTE = 60_000
/** Bytes of a post beside its text. */
const POST_BYTES = 200
/** For the largest log it takes 1.5 Mbit/s; a slower reader must not keep its place for ever. */
const SENT_WITHIN_MS = 600_000

export function createLogSender(): LogSender {
  const inTurn = createFairSemaphore({ places: PARTS_AT_ONCE, placesOfOne: PARTS_OF_ONE })
  const inMemory = createByteBudget({ total: OPEN * LOG_BYTES, ofOne: OPEN_OF_ONE * LOG_BYTES })
  // Of this process alone, whose time and memory they are.
  const sent = createKeyLimits(null)({
    name: 'logs',
    points: KB_PER_MINUTE,
    seconds: 60,
    refusal: tooMany('too_many_requests'),
  })

  async function* parts(log: Log, bytes: number, asker: string): AsyncGenerator<Buffer> {
    const cost = Math.ceil((bytes + log.thread.postCount * POST_BYTES) / 1_000)
    await sent.take(asker, Math.min(cost, KB_PER_MINUTE))
    yield* writeLog(log, (makePart) => inTurn(makePart, asker))
  }

  return {
    async open(log, bytes, asker) {
      if (!inMemory.take(asker, LOG_BYTES)) throw refuse('too_many_requests', 'too_many_requests', RETRY_AFTER_S)
      const stream = Readable.from(parts(log, bytes, asker))
      const late = setTimeout(() => stream.destroy(new Error('a log was not read in time')), SENT_WITHIN_MS).unref()
      stream.once('close', () => {
        clearTimeout(late)
        inMemory.giveBack(asker, LOG_BYTES)
      })
      // What fails until now is answered as an error.
      await once(stream, 'readable')
      return stream
    },
  }
}

import type {} from '@fastify/multipart'
import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { IMAGE_MAX_BYTES } from '@shinobi/contract/limits'
import type { MessageKey } from '@shinobi/contract/messages'
import { refuse } from '../lib/api-error.ts'
import { createFairSemaphore, RETRY_AFTER_S } from '../lib/fair-semaphore.ts'
import { bytesInFlight } from './bytes-in-flight.ts'
import type { Limits } from './limits.ts'
import { askerOf } from './visitor.ts'

/** A parsed form: text fields, and the bytes of its file, if any. */
export interface Form {
  readonly fields: Readonly<Record<string, unknown>>
  readonly file: Buffer | null
}

/** Limits of a multipart body, above those of every form of the board. */
export const MULTIPART_LIMITS = {
  fileSize: IMAGE_MAX_BYTES,
  files: 1,
  fields: 12,
  parts: 14,
  fieldSize: 64_000,
  fieldNameSize: 100,
}

/** Maximum number of forms being read. The others wait unread, at no cost. */
const READ_AT_ONCE = 16
/** Maximum of one sender, so that slow uploads of a few do not occupy all places. */
const READ_OF_ONE = 4
/**
 * A form with a smaller Content-Length does not wait, because it takes no more memory than JSON:
 * slow uploads must not block text posts.
 */
const SMALL_BYTES = 256 * 1024
/** Maximum forms of one sender, including waiting ones. */
const OF_ONE_SENDER = 16
/**
 * Time limit of a form. A longer one may take longer as long as it keeps this average rate: a
 * picture over a throttled line. While others wait that have fewer places, only one of its sender
 * may: sixteen slow forms of four senders would keep all places for two minutes.
 */
const FORM_MS = 20_000
const LEAST_BYTES_PER_S = 16 * 1024
const LOOK_EVERY_MS = 1_000

export interface FormOptions {
  /** Part of the form that holds the image. */
  readonly file: string
  /** Maximum bytes of the image, and the message about larger ones; 10 MB by default. */
  readonly maxBytes?: number
  readonly tooLarge?: MessageKey
}

type FormLimits = Pick<Limits, 'refusedPictures'>

const semaphore = createFairSemaphore({ places: READ_AT_ONCE, placesOfOne: READ_OF_ONE })
const underWay = new Map<string, number>()

/**
 * Reads a multipart form with an image, or a JSON object without one, and passes it to `work`. Its
 * bytes count until `work` is done, because a picture that waits for decoding takes as much memory
 * as one being received.
 * @throws ApiError payload_too_large when the image is too large, bad_request when the body is no
 * form, bad_image when the image is an empty file, too_many_requests while the sender has too many
 * forms or bytes in flight, or has sent too many pictures that were refused, too_slow when the body
 * takes too long, disk_full for a picture while there is no space for one, and whatever `work`
 * throws
 */
export async function withForm<T>(
  request: FastifyRequest,
  limits: FormLimits,
  options: FormOptions,
  work: (form: Form) => Promise<T>,
): Promise<T> {
  if (!request.isMultipart()) {
    const { body } = request
    if (typeof body !== 'object' || body === null || Array.isArray(body)) throw refuse('bad_request', 'bad_request')
    return work({ fields: body as Record<string, unknown>, file: null })
  }
  const { raw, headers } = request
  const sender = askerOf(request.ip)
  const { promise: full, reject } = Promise.withResolvers<never>()
  full.catch(() => {})
  let held = 0
  // As they arrive: a length that is only announced takes no memory.
  const count = ({ length }: Buffer): void => {
    const kept = Math.min(length, (options.maxBytes ?? IMAGE_MAX_BYTES) - held)
    if (bytesInFlight.take(sender, kept)) held += kept
    else reject(refuse('too_many_requests', 'too_many_requests', RETRY_AFTER_S))
  }
  const read = (): Promise<Form> => {
    // The parser is attached in the same task, so it misses nothing of the flow that this starts.
    raw.on('data', count)
    return within(request, sender, Promise.race([readMultipart(request, sender, limits, options), full]))
  }
  try {
    const form = await readInTurn(read, sender, Number(headers['content-length']) <= SMALL_BYTES)
    return await (form.file === null ? work(form) : limits.refusedPictures.count(sender, () => work(form)))
  } finally {
    raw.off('data', count)
    const giveBack = () => bytesInFlight.giveBack(sender, held)
    // Requests that tests inject have no `complete`.
    if (raw.complete || raw.readableEnded) giveBack()
    else discardRest(raw, giveBack)
  }
}

/**
 * Reads what is still arriving of a refused form, for a while, so that its client can read the
 * answer, and calls `done` once. Of a message that is answered before its end, the socket alone
 * tells when it is over.
 */
function discardRest(raw: IncomingMessage, done: () => void): void {
  const { socket } = raw
  const timer = setTimeout(() => socket.destroy(), FORM_MS).unref()
  const end = (): void => {
    clearTimeout(timer)
    raw.off('end', end)
    socket.off('close', end)
    done()
  }
  raw.once('end', end)
  socket.once('close', end)
  raw.unpipe()
  raw.resume()
}

async function readInTurn(read: () => Promise<Form>, sender: string, isSmall: boolean): Promise<Form> {
  const before = underWay.get(sender) ?? 0
  if (before >= OF_ONE_SENDER) throw refuse('too_many_requests', 'too_many_requests', RETRY_AFTER_S)
  underWay.set(sender, before + 1)
  try {
    return await (isSmall ? read() : semaphore(read, sender))
  } finally {
    const left = underWay.get(sender)! - 1
    if (left === 0) underWay.delete(sender)
    else underWay.set(sender, left)
  }
}

/** @throws ApiError too_slow when the body takes too long */
async function within<T>({ raw }: FastifyRequest, sender: string, reading: Promise<T>): Promise<T> {
  const { promise: slow, reject } = Promise.withResolvers<never>()
  const [start, bytesBefore] = [performance.now(), raw.socket.bytesRead]
  const timer = setInterval(() => {
    const elapsed = performance.now() - start
    const perSecond = (raw.socket.bytesRead - bytesBefore) / (elapsed / 1_000)
    const isSlow = perSecond < LEAST_BYTES_PER_S || semaphore.holdsTooMany(sender)
    if (elapsed > FORM_MS && isSlow) reject(refuse('too_slow', 'too_slow'))
  }, LOOK_EVERY_MS)
  // A later rejection must not count as unhandled.
  reading.catch(() => {})
  try {
    return await Promise.race([reading, slow])
  } finally {
    clearInterval(timer)
  }
}

async function readMultipart(
  request: FastifyRequest,
  sender: string,
  { refusedPictures }: FormLimits,
  { file: fileField, maxBytes = IMAGE_MAX_BYTES, tooLarge = 'image_too_large' }: FormOptions,
): Promise<Form> {
  const fields: Record<string, unknown> = Object.create(null)
  let file: Buffer | null = null
  try {
    for await (const part of request.parts({ limits: { fileSize: maxBytes } })) {
      if (part.type === 'field') {
        if (part.valueTruncated) throw refuse('payload_too_large', 'payload_too_large')
        fields[part.fieldname] = part.value
        continue
      }
      const isPicture = part.fieldname === fileField
      // Browsers send a file without a name when none was chosen.
      const isNamed = part.filename !== ''
      // Checked before the file is read.
      if (isPicture && isNamed) {
        request.requirePictures()
        await refusedPictures.requireFew(sender)
      }
      const bytes = await part.toBuffer()
      if (isPicture && isNamed && bytes.length === 0) throw refuse('bad_image', 'image_broken')
      if (!isPicture || bytes.length === 0) continue
      request.requirePictures()
      file = bytes
    }
  } catch (error) {
    throw toFormRefusal(error, tooLarge)
  }
  return { fields, file }
}

/** Translates errors of the parser. */
function toFormRefusal(error: unknown, tooLarge: MessageKey): unknown {
  const { code = '', message = '' } = error as { code?: string; message?: string }
  if (code === 'FST_REQ_FILE_TOO_LARGE') return refuse('payload_too_large', tooLarge)
  if (/^FST_(PARTS|FIELDS|FILES)_LIMIT$/.test(code)) return refuse('payload_too_large', 'payload_too_large')
  if (/^(FST_PROTO_VIOLATION|ECONNRESET|ABORT_ERR)$/.test(code)) return refuse('bad_request', 'bad_request')
  return /unexpected end|boundary|malformed|aborted/i.test(message) ? refuse('bad_request', 'bad_request') : error
}

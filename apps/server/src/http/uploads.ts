import type {} from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { IMAGE_MAX_BYTES } from '@shinobi/contract/limits'
import type { MessageKey } from '@shinobi/contract/messages'
import { refuse } from '../lib/api-error.ts'
import { createTurns } from '../lib/turns.ts'
import { bytesInFlight } from './bytes-in-flight.ts'
import { askerOf } from './visitor.ts'

/** A form as it came: text fields, and the bytes of the one file it may carry. */
export interface Form {
  readonly fields: Readonly<Record<string, unknown>>
  readonly file: Buffer | null
}

/** Limits of a multipart body: more fields, parts or bytes than any form of ours has. */
export const MULTIPART_LIMITS = {
  fileSize: IMAGE_MAX_BYTES,
  files: 1,
  fields: 12,
  parts: 14,
  fieldSize: 64_000,
  fieldNameSize: 100,
}

/** Forms that are read at a time, each until its sender has finished. The others wait unread, at no cost. */
const READ_AT_ONCE = 16
/** Of one sender: slow pictures of a few must not take the places of all. */
const READ_OF_ONE = 4
/** A form that says to be no longer waits for nobody, as it holds no more than JSON may: slow pictures must not stop the talk. */
const SMALL_BYTES = 256 * 1024
/** Forms of one sender under way at a time, those that wait included. */
const OF_ONE_SENDER = 16
/** A form may take this long; a longer one as long as it has come this quickly so far: a picture over a throttled line. */
const FORM_MS = 20_000
const LEAST_BYTES_PER_S = 16 * 1024
const LOOK_EVERY_MS = 1_000

export interface FormOptions {
  /** Part of the form that holds the image. */
  readonly file: string
  /** Bytes the image may have, and what is said about more; 10 MB when not given. */
  readonly maxBytes?: number
  readonly tooLarge?: MessageKey
}

const turns = createTurns({ places: READ_AT_ONCE, placesOfOne: READ_OF_ONE })
const underWay = new Map<string, number>()

/**
 * Reads a multipart form with an image, or a JSON object, which has none, and lets `work` have it. Its bytes are counted until that is
 * done: a picture that waits to be decoded takes as much memory as one that is on its way.
 * @throws ApiError payload_too_large when the image is too large, bad_request when the body is no
 *   form, too_many_requests while the sender has too many forms or bytes under way, too_slow when it
 *   takes too long to come, disk_full for a picture while there is no room for one, and whatever `work` throws
 */
export async function withForm<T>(
  request: FastifyRequest,
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
  // A form that does not say how long it is may be as long as a form may be.
  const bytes = Math.min(Number(headers['content-length'] ?? Infinity), options.maxBytes ?? IMAGE_MAX_BYTES)
  let isHeld = false
  const read = (): Promise<Form> => {
    isHeld = bytesInFlight.take(sender, bytes)
    if (!isHeld) throw refuse('too_many_requests', 'too_many_requests')
    return within(request, readMultipart(request, options))
  }
  try {
    return await work(await readInTurn(read, sender, Number(headers['content-length']) <= SMALL_BYTES))
  } finally {
    const giveBack = () => bytesInFlight.giveBack(sender, bytes)
    // What was refused before all of it had come may still be coming.
    if (isHeld && raw.closed) giveBack()
    else if (isHeld) raw.once('close', giveBack)
  }
}

async function readInTurn(read: () => Promise<Form>, sender: string, isSmall: boolean): Promise<Form> {
  const before = underWay.get(sender) ?? 0
  if (before >= OF_ONE_SENDER) throw refuse('too_many_requests', 'too_many_requests')
  underWay.set(sender, before + 1)
  try {
    return await (isSmall ? read() : turns(read, sender))
  } finally {
    const left = underWay.get(sender)! - 1
    if (left === 0) underWay.delete(sender)
    else underWay.set(sender, left)
  }
}

/** @throws ApiError too_slow when the body takes too long */
async function within<T>({ raw }: FastifyRequest, reading: Promise<T>): Promise<T> {
  const { promise: slow, reject } = Promise.withResolvers<never>()
  const [start, bytesBefore] = [performance.now(), raw.socket.bytesRead]
  const timer = setInterval(() => {
    const elapsed = performance.now() - start
    const perSecond = (raw.socket.bytesRead - bytesBefore) / (elapsed / 1_000)
    if (elapsed > FORM_MS && perSecond < LEAST_BYTES_PER_S) reject(refuse('too_slow', 'too_slow'))
  }, LOOK_EVERY_MS)
  // What comes later is read by nobody.
  reading.catch(() => {})
  try {
    return await Promise.race([reading, slow])
  } finally {
    clearInterval(timer)
  }
}

async function readMultipart(
  request: FastifyRequest,
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
      // Before it is read; one without a name is what a browser sends when nothing was chosen.
      if (isPicture && part.filename !== '') request.requirePictures()
      const bytes = await part.toBuffer()
      if (!isPicture || bytes.length === 0) continue
      request.requirePictures()
      file = bytes
    }
  } catch (error) {
    throw toFormRefusal(error, tooLarge)
  }
  return { fields, file }
}

/** What the parser's errors mean for the visitor. */
function toFormRefusal(error: unknown, tooLarge: MessageKey): unknown {
  const { code = '', message = '' } = error as { code?: string; message?: string }
  if (code === 'FST_REQ_FILE_TOO_LARGE') return refuse('payload_too_large', tooLarge)
  if (/^FST_(PARTS|FIELDS|FILES)_LIMIT$/.test(code)) return refuse('payload_too_large', 'payload_too_large')
  if (/^(FST_PROTO_VIOLATION|ECONNRESET|ABORT_ERR)$/.test(code)) return refuse('bad_request', 'bad_request')
  return /unexpected end|boundary|malformed|aborted/i.test(message) ? refuse('bad_request', 'bad_request') : error
}

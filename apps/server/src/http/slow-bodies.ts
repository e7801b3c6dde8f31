/**
 * Limits the memory and time of bodies that are not forms (those: uploads.ts): one that never ends
 * would stay in memory for as long as its connection, and a long one takes milliseconds to parse.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { refuse } from '../lib/api-error.ts'
import type { ByteBudget } from '../lib/byte-budget.ts'
import { RETRY_AFTER_S } from '../lib/fair-semaphore.ts'
import { createLru } from '../lib/lru.ts'
import { createBucket, type Bucket } from '../lib/token-bucket.ts'
import { bytesInFlight } from './bytes-in-flight.ts'
import { askerOf } from './visitor.ts'

/**
 * The first bytes of a body cost nothing, so that those of many others never end a request: nearly
 * all texts are shorter.
 */
const SMALL_BYTES = 16 * 1024
/**
 * Bytes of longer bodies per second and source, and as a burst: two of the longest imports of an
 * administrator. Nobody writes ten long texts a second.
 */
const LONG_PER_SECOND = 2 * 1024 * 1024
const LONG_BURST = 32 * 1024 * 1024
const SOURCES_MAX = 20_000
/** As for forms: 16 kB a second, for the longest body. */
const WITHIN_MS = 20_000
/** Requests whose body nobody reads. */
const BODILESS = new Set(['GET', 'HEAD'])

export interface BodyOptions {
  readonly budget?: ByteBudget
  readonly withinMs?: number
  /** Milliseconds of a monotonic clock. */
  readonly now?: () => number
}

/**
 * Refuses long bodies of a client that sends many, and closes the connection of one that sends too
 * many bytes at a time, or too slowly.
 */
export function boundBodies(
  app: FastifyInstance,
  { budget = bytesInFlight, withinMs = WITHIN_MS, now = () => performance.now() }: BodyOptions = {},
): void {
  const buckets = createLru<string, Bucket>(SOURCES_MAX)

  /** Whether a source may send a long body; loopback is not counted (see `askerOf`). */
  function mayBeLong(sender: string, bytes: number): boolean {
    const bucket = buckets.get(sender) ?? createBucket(LONG_PER_SECOND, LONG_BURST, now)
    buckets.set(sender, bucket)
    return bucket(bytes)
  }

  app.addHook('preParsing', (request, reply, payload, done) => {
    const { raw, method, headers } = request
    const isForm = /^multipart\//i.test(headers['content-type'] ?? '')
    if (BODILESS.has(method) || isForm) return done(null, payload)
    const sender = askerOf(request.ip)
    const announced = headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : Infinity
    const bytes = Math.min(announced, request.routeOptions.bodyLimit ?? Infinity)
    if (bytes > SMALL_BYTES && !mayBeLong(sender, bytes)) {
      reply.header('connection', 'close')
      return done(refuse('too_many_requests', 'too_many_requests', RETRY_AFTER_S))
    }
    let received = 0
    let held = 0
    const count = ({ length }: Buffer): void => {
      received += length
      const more = Math.max(0, received - SMALL_BYTES) - held
      if (budget.take(sender, more)) held += more
      else raw.destroy()
    }
    const timer = setTimeout(() => raw.destroy(), withinMs).unref()
    // The parser is attached in the same task, so it misses nothing of the flow that this starts.
    raw.on('data', count).once('end', () => clearTimeout(timer))
    reply.raw.once('close', () => {
      clearTimeout(timer)
      raw.off('data', count)
      budget.giveBack(sender, held)
    })
    done(null, payload)
  })
}

/**
 * Drops the body of a request that needs none, and closes its connection with the answer: Node
 * would go on reading what is left of it for minutes.
 */
export function dropNeedlessBody(request: IncomingMessage, response: ServerResponse): void {
  const { 'transfer-encoding': encoding, 'content-length': length } = request.headers
  if (!BODILESS.has(request.method!) || (encoding === undefined && Number(length ?? 0) === 0)) return
  response.setHeader('connection', 'close')
  request.resume()
}

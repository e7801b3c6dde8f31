import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { refuse } from '../lib/api-error.ts'
import { createLru } from '../lib/lru.ts'
import { createBucket, type Bucket } from '../lib/token-bucket.ts'
import { SAFE_METHODS } from './origins.ts'
import { isLoopback, sourceOf } from './visitor.ts'

/**
 * Writes per second and source, and uncached reads; and how many of each may come as a burst: the
 * hundreds of clients behind a carrier's address, after an interruption of the line.
 */
const PER_SECOND = 200
const BURST = 1_500
/** An answer of the API counts as one read for each so many bytes: posts may be long. */
const BYTES_OF_READ = 16_384
/** A source that waited so long may send hundreds of requests again. */
const RETRY_AFTER_S = 5
const SOURCES_MAX = 20_000

const endless: Bucket = Object.assign(() => true, { spend() {} })

/**
 * One bucket for each source of an address. That of loopback is never empty: it is the operator's,
 * or everybody's behind a proxy that TRUST_PROXY does not name.
 * @param now milliseconds
 */
export function createSourceBuckets(perSecond: number, burst: number, now: () => number): (address: string) => Bucket {
  const buckets = createLru<string, Bucket>(SOURCES_MAX)
  return (address) => {
    if (isLoopback(address)) return endless
    const source = sourceOf(address)
    let bucket = buckets.get(source)
    if (bucket === undefined) buckets.set(source, (bucket = createBucket(perSecond, burst, now)))
    return bucket
  }
}

/** By its route: `/%61pi/threads` is of the API, too. */
const isOfApi = ({ routeOptions }: FastifyRequest): boolean => routeOptions.url?.startsWith('/api/') ?? false

/**
 * Refuses floods before anything is read or looked up: a request that a later limit refuses has
 * cost a hundred times as much by then. Cached answers do not get here. A refused client has to
 * reconnect.
 * @param now milliseconds of a monotonic clock
 */
export function guardFloods(app: FastifyInstance, now: () => number = () => performance.now()): void {
  const readsOf = createSourceBuckets(PER_SECOND, BURST, now)
  const writesOf = createSourceBuckets(PER_SECOND, BURST, now)

  app.addHook('onRequest', async (request, reply) => {
    // Pictures are files, fifty per page.
    if (request.url.startsWith('/images/')) return
    const bucketOf = SAFE_METHODS.has(request.method) ? readsOf : writesOf
    if (bucketOf(request.ip)()) return
    reply.header('connection', 'close')
    throw refuse('too_many_requests', 'too_many_requests', RETRY_AFTER_S)
  })
  app.addHook('onSend', (request, _reply, answer, done) => {
    if (typeof answer === 'string' && SAFE_METHODS.has(request.method) && isOfApi(request)) {
      readsOf(request.ip).spend(Math.floor(Buffer.byteLength(answer) / BYTES_OF_READ))
    }
    done()
  })
}

/**
 * Requests per second and source, cached ones included, and a burst: six hundred visitors behind
 * one address who load a page with its files at once. A cached answer costs little, but thirty
 * thousand a second of one client keep everybody else waiting.
 */
const ALL_PER_SECOND = 2_000
const ALL_BURST = 20_000
/**
 * Refuses a flood of requests before anything is looked up.
 * @param addressOf the address of the client of a request
 * @returns whether a request was refused, and has its answer
 */
export function createRequestLimit(
  addressOf: (request: IncomingMessage) => string,
  now: () => number = () => performance.now(),
): (request: IncomingMessage, response: ServerResponse) => boolean {
  const requestsOf = createSourceBuckets(ALL_PER_SECOND, ALL_BURST, now)
  const body = JSON.stringify(refuse('too_many_requests', 'too_many_requests').toAnswer())

  return (request, response) => {
    if (requestsOf(addressOf(request))()) return false
    response.writeHead(429, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'retry-after': String(RETRY_AFTER_S),
      connection: 'close',
    })
    response.end(request.method === 'HEAD' ? undefined : body)
    return true
  }
}

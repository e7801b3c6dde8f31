import type { FastifyInstance } from 'fastify'
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
/** A source that waited so long may send a thousand requests again. */
const RETRY_AFTER_S = 5
const SOURCES_MAX = 20_000

/**
 * Refuses floods before anything is read or looked up: a request that a later limit refuses has
 * cost a hundred times as much by then. Cached answers do not get here. A refused client has to
 * reconnect.
 * @param now milliseconds of a monotonic clock
 */
export function guardFloods(app: FastifyInstance, now: () => number = () => performance.now()): void {
  const buckets = createLru<string, Bucket>(SOURCES_MAX)

  app.addHook('onRequest', async (request, reply) => {
    // Requests from loopback are the operator's; or everybody's, behind a proxy that TRUST_PROXY
    // does not name. Pictures are files, fifty per page.
    if (isLoopback(request.ip) || request.url.startsWith('/images/')) return
    const source = `${SAFE_METHODS.has(request.method) ? 'reads' : 'writes'} ${sourceOf(request.ip)}`
    const bucket = buckets.get(source) ?? createBucket(PER_SECOND, BURST, now)
    buckets.set(source, bucket)
    if (bucket()) return
    reply.header('connection', 'close')
    throw refuse('too_many_requests', 'too_many_requests', RETRY_AFTER_S)
  })
}

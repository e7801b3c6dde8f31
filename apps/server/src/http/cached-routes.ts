import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { addressBySchema, canonicalUrl, type AddressOf } from './canonical-url.ts'
import {
  isNotModified,
  partOf,
  STALE_IF_ERROR_MS,
  type Entry,
  type KeptStatus,
  type Load,
  type ResponseCache,
} from './response-cache.ts'

export interface CachedRoute {
  /** Max staleness of an answer after a change, in milliseconds. */
  readonly maxStaleMs: number
  /** By default what the route's schema reads of the query. */
  readonly addressOf?: AddressOf
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The answer is public and the same for everybody. */
    cache?: CachedRoute
  }
  interface FastifyRequest {
    cacheLoad: Load | null
    /**
     * Tags what the answer shows. Call it before the first query, so that no change in between is
     * missed.
     */
    tagAnswer: (...tags: string[]) => void
    /** Removes a tag that the answer turned out not to need. */
    untagAnswer: (tag: string) => void
  }
}

/**
 * Caching headers of public answers. Browsers revalidate each time (mostly 304); shared caches may
 * keep an answer for a second. Removed content must leave them within two seconds. A cache that
 * counts in whole seconds, as nginx does, keeps a second for up to two, so `cache-control` allows
 * nothing more. CDNs with a finer clock read `cdn-cache-control` (RFC 9213) instead: there a second
 * of freshness and a second of stale-while-revalidate make two seconds as well, without a wait.
 * stale-if-error must be in that field, because `s-maxage` and `must-revalidate` both forbid stale
 * answers (RFC 9111), even while the origin is down. With it an answer may be five minutes old, so
 * that visitors do not notice a restart or a crash; what was removed before stays removed.
 */
export const PUBLIC_CACHING = {
  'cache-control': 'public, max-age=0, must-revalidate, s-maxage=1',
  'cdn-cache-control': `public, max-age=1, stale-while-revalidate=1, stale-if-error=${STALE_IF_ERROR_MS / 1_000}`,
} as const

/**
 * Answers other than 200 that must replace what shared caches hold under an address. If they were
 * not cacheable, a cache that loses its origin could serve the page from before the removal.
 */
const REPLACING = new Set([301, 302, 303, 307, 308, 404, 410])

/** Header fields of a single answer or connection, which are never cached. */
const NOT_KEPT = new Set([
  'content-length',
  'content-encoding',
  'connection',
  'keep-alive',
  'date',
  'transfer-encoding',
  'set-cookie',
  'etag',
  'x-request-id',
  // For the origin of the requesting page.
  'access-control-allow-origin',
  'access-control-allow-credentials',
  'access-control-expose-headers',
])

/**
 * Puts the answers of routes with `config.cache` into the response cache; answers without caching
 * headers get no-store.
 */
export function cacheRoutes(app: FastifyInstance, cache: ResponseCache): void {
  app.decorateRequest('cacheLoad', null)
  app.decorateRequest('tagAnswer', function (this: FastifyRequest, ...tags: string[]) {
    for (const tag of tags) this.cacheLoad?.tags.add(tag)
  })

  app.decorateRequest('untagAnswer', function (this: FastifyRequest, tag: string) {
    this.cacheLoad?.tags.delete(tag)
  })

  app.addHook('onRequest', async (request, reply) => {
    const options = request.routeOptions.config.cache
    if (options === undefined) return
    // Also on refusals and uncached answers, because a cache follows the last answer that it got.
    reply.header('vary', [reply.getHeader('vary'), 'accept-encoding'].filter(Boolean).join(', '))
    if (!cache.isShared(request.raw)) return
    const key = canonicalUrl(request.raw.url!, options.addressOf ?? addressOfCall(request))
    // The route refuses it.
    if (key === null) return
    if (key !== request.raw.url) {
      const entry = await cache.find(key)
      if (entry !== null) {
        reply.hijack()
        return cache.send(entry, request.raw, reply.raw)
      }
    }
    request.cacheLoad = cache.begin(key, options.maxStaleMs)
  })

  app.addHook('onSend', async (request, reply, payload) => {
    const load = request.cacheLoad
    request.cacheLoad = null
    const { statusCode } = reply
    const lastResort = load !== null && statusCode === 503 ? cache.fallBack(load) : null
    if (lastResort !== null) {
      replaceAnswer(reply, lastResort)
      return sendEntry(lastResort, request, reply)
    }
    const isWhole = isKept(statusCode) && (typeof payload === 'string' || Buffer.isBuffer(payload))
    if (load === null || !isWhole) {
      if (load !== null) cache.abandon(load)
      if (load !== null && REPLACING.has(statusCode)) {
        cache.forget(load.key)
        reply.headers(PUBLIC_CACHING)
      } else if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
      return payload
    }
    // What was removed meanwhile, while a page waited for its turn perhaps, ends with this client.
    if (statusCode === 200 && load.removed) reply.header('cache-control', 'no-store')
    else if (statusCode !== 200 || !reply.hasHeader('cache-control')) reply.headers(PUBLIC_CACHING)
    const headers: [string, string][] = []
    for (const [name, value] of Object.entries(reply.getHeaders())) {
      if (value !== undefined && !NOT_KEPT.has(name)) headers.push([name, String(value)])
    }
    const body = typeof payload === 'string' ? Buffer.from(payload) : payload
    return sendEntry(cache.finish(load, headers, body, statusCode), request, reply)
  })

  // A handler that ends without onSend must not leave other requests waiting. (When the client of
  // the first one disconnects, its load continues for them.)
  app.addHook('onResponse', async (request) => abandonLoad(request, cache))

  /** Sets the header fields of an entry that depend on the request, and returns the body. */
  async function sendEntry(entry: Entry, request: FastifyRequest, reply: FastifyReply): Promise<Buffer | null> {
    const part = partOf(entry, request.headers)
    if (part !== null) {
      for (const name of Object.keys(reply.getHeaders())) reply.removeHeader(name)
      reply.code(part.status).headers(Object.fromEntries(toPairs(part.headers)))
      return part.body
    }
    const variant = await cache.variantFor(entry, request.headers['accept-encoding'])
    reply.header('etag', variant.etag)
    if (entry.status === 200 && isNotModified(request.headers['if-none-match'], variant.etag)) {
      reply.code(304).removeHeader('content-type').removeHeader('content-length')
      return null
    }
    if (variant.headers.includes('content-encoding')) {
      reply.header('content-encoding', variant.headers[variant.headers.indexOf('content-encoding') + 1])
    }
    reply.header('content-length', variant.body.length)
    return variant.body
  }
}

/** Replaces what a failed load was about to answer. */
function replaceAnswer(reply: FastifyReply, { status, headers }: Entry): void {
  for (const name of Object.keys(reply.getHeaders())) if (!NOT_KEPT.has(name)) reply.removeHeader(name)
  reply.code(status).headers(Object.fromEntries(headers))
}

/** Header fields as pairs, of a list of names and values. */
const toPairs = (fields: readonly string[]): [name: string, value: string][] =>
  fields.flatMap((name, index) => (index % 2 === 0 ? [[name, fields[index + 1]!] as [string, string]] : []))

const isKept = (status: number): status is KeptStatus => status === 200 || status === 404

const addressesOfCalls = new WeakMap<object, AddressOf>()

/** By its schema of the query, made once for each route. */
function addressOfCall({ routeOptions: { schema = {} } }: FastifyRequest): AddressOf {
  const known = addressesOfCalls.get(schema)
  if (known !== undefined) return known
  const addressOf = addressBySchema(schema.querystring)
  addressesOfCalls.set(schema, addressOf)
  return addressOf
}

function abandonLoad(request: FastifyRequest, cache: ResponseCache): void {
  if (request.cacheLoad === null) return
  cache.abandon(request.cacheLoad)
  request.cacheLoad = null
}

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isNotModified, isShared, type Load, type ResponseCache } from './response-cache.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The answer is public and the same for everybody; `patience` tells for how many milliseconds it may lag behind a change. */
    cache?: { readonly patience: number }
  }
  interface FastifyRequest {
    cacheLoad: Load | null
    /** Names what the answer shows. Call it before the first query, so that a change in between is noticed. */
    tagAnswer: (...tags: string[]) => void
    /** Takes a tag back that the answer turned out not to need. */
    untagAnswer: (tag: string) => void
  }
}

/** Browsers ask again each time (a visitor sees the own write), shared caches may keep an answer for a second. */
export const PUBLIC_CACHE_CONTROL = 'public, max-age=0, must-revalidate, s-maxage=1'

/** Header fields that belong to one answer or connection and are never kept. */
const NOT_KEPT = new Set([
  'content-length',
  'content-encoding',
  'connection',
  'keep-alive',
  'date',
  'transfer-encoding',
  'set-cookie',
  'etag',
  'vary',
])

/** Puts the answers of routes with `config.cache` into the response cache. */
export function cacheRoutes(app: FastifyInstance, cache: ResponseCache): void {
  app.decorateRequest('cacheLoad', null)
  app.decorateRequest('tagAnswer', function (this: FastifyRequest, ...tags: string[]) {
    for (const tag of tags) this.cacheLoad?.tags.add(tag)
  })

  app.decorateRequest('untagAnswer', function (this: FastifyRequest, tag: string) {
    this.cacheLoad?.tags.delete(tag)
  })

  app.addHook('onRequest', async (request) => {
    const options = request.routeOptions.config.cache
    if (options === undefined || !isShared(request.raw)) return
    request.cacheLoad = cache.begin(request.raw.url!, options.patience)
  })

  app.addHook('onSend', async (request, reply, payload) => {
    const load = request.cacheLoad
    if (load === null) return payload
    request.cacheLoad = null
    if (reply.statusCode !== 200 || (typeof payload !== 'string' && !Buffer.isBuffer(payload))) {
      cache.abandon(load)
      return payload
    }
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', PUBLIC_CACHE_CONTROL)
    const headers: [string, string][] = []
    for (const [name, value] of Object.entries(reply.getHeaders())) {
      if (value !== undefined && !NOT_KEPT.has(name)) headers.push([name, String(value)])
    }
    const entry = cache.finish(load, headers, Buffer.from(payload))
    const variant = await cache.variantFor(entry, request.headers['accept-encoding'])
    reply.header('etag', variant.etag).header('vary', 'accept-encoding')
    if (isNotModified(request.headers['if-none-match'], variant.etag)) {
      reply.code(304).removeHeader('content-type').removeHeader('content-length')
      return null
    }
    if (variant.headers.includes('content-encoding')) {
      reply.header('content-encoding', variant.headers[variant.headers.indexOf('content-encoding') + 1])
    }
    reply.header('content-length', variant.body.length)
    return variant.body
  })

  // A handler that ends without onSend must not leave others waiting. (When the first who asked goes away, it goes on for them.)
  app.addHook('onResponse', async (request) => abandonLoad(request, cache))
}

function abandonLoad(request: FastifyRequest, cache: ResponseCache): void {
  if (request.cacheLoad === null) return
  cache.abandon(request.cacheLoad)
  request.cacheLoad = null
}

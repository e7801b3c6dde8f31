/**
 * Gives each request that the router answers an id, measures its duration, and logs it when it
 * failed or was slow.
 */
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Histogram } from 'prom-client'
import type { ProxyTrust } from '../http/proxies.ts'
import { isRequestId, makeRequestId } from '../lib/request-id.ts'
import type { Metrics } from './figures.ts'
import { runInRequest } from './request-log.ts'

/** Name of the id in each log line of its request. */
export const REQUEST_ID_LABEL = 'requestId'
const HEADER = 'x-request-id'

/**
 * Ids of requests: that of a trusted proxy if it sends one, so that both logs can be read together;
 * else a new one.
 */
export const createRequestIds =
  (trustsProxy: ProxyTrust) =>
  ({ headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>): string => {
    const given = headers[HEADER]
    return isRequestId(given) && trustsProxy(socket.remoteAddress ?? '', 0) ? given : makeRequestId()
  }

export interface WatchRequestsOptions {
  readonly metrics: Metrics
  /** Threshold in milliseconds for logging a request; 0 disables the log. */
  readonly slowMs: number
}

/**
 * Call it after the response cache has its hooks: cached answers are shared, and must not contain
 * the id of the first request.
 */
export function watchRequests(app: FastifyInstance, { metrics, slowMs }: WatchRequestsOptions): void {
  const durations = new Histogram({
    name: 'shinobi_request_seconds',
    help: 'Time that the router took to answer a request, by method, route and class of status (paused: a write that was refused in the read-only mode or on a full disk); what the cache answers is not among it',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
    registers: [metrics],
  })

  app.addHook('onRequest', (request, _reply, done) => runInRequest(request.log, done))
  app.addHook('onSend', (request, reply, payload, done) => {
    reply.header(HEADER, request.id)
    done(null, payload)
  })
  app.addHook('onResponse', (request, reply, done) => {
    const { statusCode, elapsedTime } = reply
    const route = routeOf(request)
    // Refused on purpose, or (a full disk) with an alert of its own: no failure of the board.
    const status = request.isPausedWrite ? 'paused' : `${Math.floor(statusCode / 100)}xx`
    durations.observe({ method: request.method, route, status }, elapsedTime / 1_000)
    const isSlow = slowMs > 0 && elapsedTime >= slowMs
    const isError = statusCode >= 500 && !request.isPausedWrite
    if (isError || isSlow) {
      const facts = { method: request.method, route, status: statusCode, ms: Math.round(elapsedTime) }
      request.log.warn(facts, isError ? 'request answered with an error' : 'slow request')
    }
    done()
  })
}

/**
 * The pattern of the route and never the address, which contains search words, and of which there
 * are too many.
 */
function routeOf({ routeOptions: { url = 'none' } }: FastifyRequest): string {
  // Each built file has its own route, with a new name in each version.
  return url.startsWith('/assets/') ? '/assets/*' : url
}

/**
 * Fastify with what every route of the board needs: parsing, errors, headers, guards, cache,
 * cookies and forms.
 */
import type { IncomingMessage, RequestListener, Server } from 'node:http'
import cookie from '@fastify/cookie'
import multipart from '@fastify/multipart'
import proxyAddr from '@fastify/proxy-addr'
import Fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type RawReplyDefaultExpression,
  type RawRequestDefaultExpression,
  type RawServerDefault,
} from 'fastify'
import { serializerCompiler, validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod'
import type { Config } from '../config.ts'
import { readConnectionLimit } from '../process/file-limit.ts'
import { createRequestIds, REQUEST_ID_LABEL, watchRequests } from '../telemetry/requests.ts'
import { cacheRoutes } from './cached-routes.ts'
import { originForm, withoutChanges } from './canonical-url.ts'
import { boundConnections } from './connections.ts'
import { takeEmptyBodies } from './empty-bodies.ts'
import { answerUnparsed, handleErrors } from './errors.ts'
import { createRequestLimit, guardFloods } from './floods.ts'
import { setSecurityHeaders } from './headers.ts'
import type { Metrics } from '../telemetry/figures.ts'
import { keepDescriptorsFree } from './free-descriptors.ts'
import { guardOrigins, type OriginCheck } from './origins.ts'
import type { ProxyTrust } from './proxies.ts'
import type { ResponseCache } from './response-cache.ts'
import { REQUEST_TIMEOUT_MS } from './server.ts'
import { boundBodies, dropNeedlessBody } from './slow-bodies.ts'
import { boundUnreadAnswers } from './unread-answers.ts'
import { MULTIPART_LIMITS } from './uploads.ts'
import { askerOf } from './visitor.ts'

/** Fastify, with schemas and handlers typed by the contract. */
export type App = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  ZodTypeProvider
>

export interface FastifyOptions {
  readonly config: Config
  readonly logger: FastifyBaseLogger
  /** May be listening already; the app takes over its requests when it is ready. */
  readonly server: Server
  /** Signs cookies. */
  readonly secret: string
  readonly metrics: Metrics
  readonly cache: ResponseCache
  readonly trustsProxy: ProxyTrust
  readonly isAllowedOrigin: OriginCheck
}

/** Limit of JSON bodies: twice a post of 4,000 characters with every character escaped. */
const BODY_LIMIT = 256 * 1024
/**
 * Limit of short calls, which need no account: four times a password, and more than a reason of a
 * report. Parsing 200 kB takes milliseconds, and comes before the limits of what a call does.
 */
const SHORT_BODY_LIMIT = 16 * 1024
const SHORT_CALLS = /^\/auth\/|^\/api\/(proofs|scroll|held)\b|\/(checkNickname|report|likes?)$/
/** Requests under way get this long at a stop; then their connections are closed. */
const CLOSE_REQUESTS_AFTER_MS = 4_000

export async function createFastify(options: FastifyOptions): Promise<App> {
  const { config, logger, server, secret, metrics, cache, trustsProxy, isAllowedOrigin } = options
  let route: RequestListener
  const app: App = Fastify<Server>({
    loggerInstance: logger,
    trustProxy: trustsProxy,
    bodyLimit: BODY_LIMIT,
    requestTimeout: REQUEST_TIMEOUT_MS,
    return503OnClosing: true,
    forceCloseConnections: 'idle',
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: REQUEST_ID_LABEL }),
    genReqId: createRequestIds(trustsProxy),
    clientErrorHandler: answerUnparsed,
    // An address that is not UTF-8 matches nothing: it gets the 404 of its kind rather than the
    // router's own.
    rewriteUrl: (request) => (isReadable(request.url!) ? request.url! : unreadableAddress(request.url!)),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 200 },
    serverFactory: (handler) => {
      route = handler
      return server
    },
  }).withTypeProvider<ZodTypeProvider>()

  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  handleErrors(app)
  takeEmptyBodies(app)
  setSecurityHeaders(app, {
    secure: config.publicUrl.startsWith('https://'),
    withGoogle: config.googleClientId !== null,
  })
  guardFloods(app)
  boundBodies(app)
  app.addHook('onRoute', (route) => {
    if (SHORT_CALLS.test(route.url)) route.bodyLimit ??= SHORT_BODY_LIMIT
  })
  guardOrigins(app, isAllowedOrigin, config)
  cacheRoutes(app, cache)
  watchRequests(app, { metrics, slowMs: config.slowRequestMs })
  await app.register(cookie, { secret })
  await app.register(multipart, { limits: MULTIPART_LIMITS })

  const addressOf = (request: IncomingMessage): string => proxyAddr(request, trustsProxy)
  boundUnreadAnswers(server, (request) => askerOf(addressOf(request)))
  boundConnections(server, { max: config.connectionsPerAddress, trustsProxy })
  const isFlood = createRequestLimit(addressOf)
  app.addHook('onReady', async () => {
    server.removeAllListeners('request')
    server.on('request', (request, response) => {
      if (isFlood(request, response)) return
      dropNeedlessBody(request, response)
      request.url = withoutChanges(originForm(request.url!))
      // Cached answers are sent before the router. Pictures are none of them, and a HEAD of one
      // stays a HEAD: a bucket sends no bytes for it.
      if (request.url.startsWith('/images/')) route(request, response)
      else cache.serve(request, response, () => route(request, response))
    })
    const most = readConnectionLimit()
    if (most !== null) keepDescriptorsFree(server, most)
  })
  app.addHook('preClose', async () => {
    // A request that is still being sent may take minutes; its client sends it again to the next
    // server.
    setTimeout(() => server.closeAllConnections(), CLOSE_REQUESTS_AFTER_MS).unref()
  })
  return app
}

function isReadable(url: string): boolean {
  if (!url.includes('%')) return true
  try {
    decodeURIComponent(url.split('?', 1)[0]!)
    return true
  } catch {
    return false
  }
}

const unreadableAddress = (url: string): string => (url.startsWith('/api/') ? '/api/not-found' : '/not-found')

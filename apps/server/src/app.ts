/** The one visible list of what the server is made of. Built apart from listening, so that tests use it as it is. */
import type { RequestListener, Server } from 'node:http'
import { join } from 'node:path'
import cookie from '@fastify/cookie'
import multipart from '@fastify/multipart'
import proxyAddr from '@fastify/proxy-addr'
import Fastify, { LogController, type FastifyBaseLogger, type FastifyInstance } from 'fastify'
import { serializerCompiler, validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod'
import { Registry } from 'prom-client'
import type { SiteInfo } from '@shinobi/contract/site'
import type { Config } from './config.ts'
import type { Database, Sources } from './db/client.ts'
import { foldersOf } from './db/embedded/cluster.ts'
import { followReplica } from './db/replica.ts'
import { createRevisions } from './db/revisions.ts'
import type { Deps } from './deps.ts'
import { createAccountLimits } from './features/accounts/account-limits.ts'
import { registerAccounts } from './features/accounts/accounts.routes.ts'
import { createGoogleVerifier } from './features/accounts/google-token.ts'
import { createMailer } from './features/accounts/mailer.ts'
import { createMailMetrics } from './features/accounts/mails.metrics.ts'
import { createMails } from './features/accounts/mails.service.ts'
import { selectMember } from './features/accounts/sessions.queries.ts'
import { registerAudit } from './features/audit/audit.routes.ts'
import { createAdmission } from './features/admission/admission.service.ts'
import { registerBans } from './features/bans/bans.routes.ts'
import { followBans } from './features/bans/bans.service.ts'
import { registerAdmin } from './features/admin/admin.routes.ts'
import { registerCategories } from './features/categories/categories.routes.ts'
import { moveHeldOfThreads } from './features/held/held.queries.ts'
import { startHeldRelease } from './features/held/held.release.ts'
import { registerHeld } from './features/held/held.routes.ts'
import { createHolding } from './features/held/holding.service.ts'
import { createImageCollector } from './features/images/images.collector.ts'
import { createStoredImages } from './features/images/images.tally.ts'
import { registerIpLogging } from './features/ip-logging/ip-logging.routes.ts'
import { followIpLogging } from './features/ip-logging/ip-logging.service.ts'
import { registerLikes } from './features/likes/likes.routes.ts'
import { createLikes } from './features/likes/likes.service.ts'
import { registerDecisions } from './features/moderation/decisions.routes.ts'
import { createLogWatch } from './features/moderation/log-watch.ts'
import { registerModeration } from './features/moderation/moderation.routes.ts'
import { registerNews } from './features/news/news.routes.ts'
import { createNews } from './features/news/news.service.ts'
import { sweepNews } from './features/news/news.sweep.ts'
import { registerPosts } from './features/posts/posts.routes.ts'
import { announcePosts } from './features/posts/posts.service.ts'
import { registerPostsSocket } from './features/posts/posts.socket.ts'
import { createPostWriter } from './features/posts/posts.writer.ts'
import { createRemovedImages } from './features/posts/removed-images.ts'
import { createDepartures } from './features/profile/departures.service.ts'
import { registerProfile } from './features/profile/profile.routes.ts'
import { registerCases } from './features/reports/case-lists.routes.ts'
import { moveCases } from './features/reports/cases.queries.ts'
import { registerReports } from './features/reports/reports.routes.ts'
import { deleteEndedMutes } from './features/reports/reports.queries.ts'
import { openFlaggedCase } from './features/reports/reports.service.ts'
import { createSearches } from './features/search/searches.ts'
import { createSearchIndexer, SEARCH_TAG } from './features/search/search.indexer.ts'
import { registerShields } from './features/shields/shields.routes.ts'
import { followShields } from './features/shields/shields.service.ts'
import { registerSettings } from './features/settings/settings.routes.ts'
import { followSettings } from './features/settings/settings.service.ts'
import { registerThreadFeeds } from './features/threads/threads.feed.ts'
import { remindReaders } from './features/threads/threads.reminder.ts'
import { createVoices } from './features/threads/threads.voices.ts'
import { createThreadRanking } from './features/threads/threads.ranking.ts'
import { registerThreads } from './features/threads/threads.routes.ts'
import { threadTags } from './features/threads/threads.tags.ts'
import { registerWords } from './features/words/words.routes.ts'
import { followWords } from './features/words/words.service.ts'
import { cacheRoutes } from './http/cached-routes.ts'
import { registerDocs } from './http/docs.ts'
import { takeEmptyBodies } from './http/empty-bodies.ts'
import { answerError, handleErrors } from './http/errors.ts'
import { setSecurityHeaders } from './http/headers.ts'
import { registerHealth } from './http/health.ts'
import { registerMetrics, type Metrics } from './http/metrics.ts'
import { createLimits } from './http/limits.ts'
import { guardFloods } from './http/floods.ts'
import { createOriginCheck, guardOrigins } from './http/origins.ts'
import { registerImages } from './http/images.ts'
import { createProxyTrust } from './http/proxies.ts'
import { registerPages, type WebBundle } from './http/pages.ts'
import { ResponseCache } from './http/response-cache.ts'
import { MULTIPART_LIMITS } from './http/uploads.ts'
import { createHttpServer, REQUEST_TIMEOUT_MS } from './http/server.ts'
import { createSessions, guardAccess } from './http/session.ts'
import { NOTICES_TAG } from './http/tags.ts'
import { createVisitors } from './http/visitor.ts'
import { followWritability, guardWrites } from './http/writability.ts'
import { isUnavailable, refuse } from './lib/api-error.ts'
import { createBackground } from './lib/background.ts'
import { freeBytesOf } from './lib/disk-space.ts'
import { createImageStore, openImageFiles } from './lib/image-store.ts'
import { createKeyLimits } from './lib/key-limit.ts'
import { countLive } from './realtime/counts.ts'
import { createLive, type LiveServer } from './realtime/live.ts'
import { createSocketServer } from './realtime/socket-server.ts'
import type { Link } from './redis/link.ts'
import { purgePosts, purgeThreads } from './purge.ts'
import { createRetention } from './retention.ts'
import { addBoardFigures } from './telemetry/board.ts'
import { watchDatabase } from './telemetry/database.ts'
import { addLinkFigures } from './telemetry/link.ts'
import { logOfRequests } from './telemetry/request-log.ts'
import { createRequestIds, REQUEST_ID_LABEL, watchRequests } from './telemetry/requests.ts'
import { VERSION } from './version.ts'

export interface BuildOptions {
  readonly config: Config
  readonly database: Database
  /** Signs cookies and keys hashes. */
  readonly secret: string
  /** The built web app, or null to serve the API alone. */
  readonly bundle: WebBundle | null
  readonly now?: () => number
  readonly logger: FastifyBaseLogger
  /** To the other servers of the board; null where this is the only one. */
  readonly link?: Link | null
  /** May listen already; its requests are the app's once that is ready. */
  readonly server?: Server
  /** Between two requests to one publisher, where another time is wanted than is polite. */
  readonly newsHostDelayMs?: number
  /** Free space where the board writes; that of DATA_DIR when not given. */
  readonly readFreeBytes?: () => Promise<number>
}

export interface BuiltApp {
  readonly app: FastifyInstance
  readonly io: LiveServer
  readonly deps: Deps
}

/** Memory for ready-made answers. */
const CACHE_BYTES = 64 * 1024 * 1024
/** JSON bodies: a post of 4,000 characters with every character escaped, twice over. */
const BODY_LIMIT = 256 * 1024
/** Requests under way get this long at a stop; then their connections are closed. */
const CLOSE_REQUESTS_AFTER_MS = 4_000
/**
 * How often what has expired goes, and how often, and how far back, index and ranking are compared with the posts, to make up
 * for what a crash left out.
 */
const SWEEP_EVERY_MS = 600_000
const SWEEP_BACK_MS = 2 * SWEEP_EVERY_MS

export async function buildApp({
  config,
  database,
  secret,
  bundle,
  now = Date.now,
  logger,
  link = null,
  server = createHttpServer(),
  newsHostDelayMs,
  readFreeBytes = freeBytesOf([config.dataDir, join(config.dataDir, 'images'), foldersOf(config.dataDir).data]),
}: BuildOptions): Promise<BuiltApp> {
  const { db, activity, searching } = database
  const replica =
    database.replica === null ? null : followReplica({ primary: db, replica: database.replica, log: logger })
  const readerOf =
    (sources: Sources): Deps['dbFor'] =>
    ({ cacheLoad }) =>
      sources.replica !== null && cacheLoad !== null && replica?.isSame(cacheLoad.tags) === true
        ? sources.replica
        : sources.db
  const cache = new ResponseCache({
    maxBytes: CACHE_BYTES,
    now,
    onChange: replica?.changed,
    tellOthers: link === null ? undefined : (tags, when) => link.tell('drop', { tags, when }),
  })
  const trustsProxy = createProxyTrust(config.trustProxy)
  let route: RequestListener
  const app = Fastify<Server>({
    loggerInstance: logger,
    trustProxy: trustsProxy,
    bodyLimit: BODY_LIMIT,
    requestTimeout: REQUEST_TIMEOUT_MS,
    return503OnClosing: true,
    forceCloseConnections: 'idle',
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: REQUEST_ID_LABEL }),
    genReqId: createRequestIds(trustsProxy),
    // An address that is no UTF-8 names nothing: it gets the 404 of its kind rather than the router's own.
    rewriteUrl: (request) => (isReadable(request.url!) ? request.url! : unreadableAddress(request.url!)),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 200 },
    serverFactory: (handler) => {
      route = handler
      return server
    },
  }).withTypeProvider<ZodTypeProvider>()
  const log = logOfRequests(app.log)
  const metrics: Metrics = new Registry()
  const secure = config.publicUrl.startsWith('https://')
  const isAllowedOrigin = createOriginCheck(config)

  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  handleErrors(app)
  takeEmptyBodies(app)
  setSecurityHeaders(app, { secure, withGoogle: config.googleClientId !== null })
  guardFloods(app)
  guardOrigins(app, isAllowedOrigin, config)
  cacheRoutes(app, cache)
  watchRequests(app, { metrics, slowMs: config.slowRequestMs })
  const stopWatching = watchDatabase({ activity, metrics, log, slowMs: config.slowQueryMs })
  app.addHook('onClose', async () => stopWatching())
  await app.register(cookie, { secret })
  await app.register(multipart, { limits: MULTIPART_LIMITS })

  const revisions = createRevisions(db, log)
  const settings = await followSettings(db, config, revisions)
  await revisions.follow('answers', async () => cache.clear())
  const writability = await followWritability({ settings, readFreeBytes, minFreeBytes: config.minFreeBytes, log })
  guardWrites(app, writability)
  const sessions = createSessions(app, {
    secret,
    secure,
    now,
    findMember: (sessionId) => selectMember(db, sessionId, new Date(now()), settings.current),
  })
  guardAccess(app, sessions)
  // Whoever runs the board and is told that something is done finds it in force, here at once.
  app.addHook('onSend', async ({ method, routeOptions }, { statusCode }) => {
    const { access } = routeOptions.config
    const isDone = method !== 'GET' && statusCode < 400
    if (isDone && (access === 'moderator' || access === 'admin')) await revisions.settle()
  })
  const visitors = createVisitors(app, { sessions, secret, now, secure })
  const liveCounts = countLive()
  const { io, attach: attachSockets } = createSocketServer({
    log,
    isAllowedOrigin,
    addressOf: (request) => proxyAddr(request, trustsProxy),
    meet: visitors.meetSocket,
    meetAgain: visitors.meetAgain,
    socketsPerAddress: config.socketsPerAddress,
    eventsPerSecond: config.socketEventsPerSecond,
    adapter: link?.socketAdapter,
    counts: liveCounts,
    now,
  })

  const live = createLive(io, liveCounts)
  writability.onChange(() => {
    cache.dropHere([NOTICES_TAG], 'at once')
    live.noticesChanged()
  })
  const keyLimit = createKeyLimits(link)
  const search = createSearchIndexer(db, log, () => cache.drop([SEARCH_TAG]))
  const ranking = createThreadRanking(db, log, (categoryIds) => {
    if (categoryIds.length > 0) cache.drop([threadTags.lists, ...categoryIds.map(threadTags.category)])
  })
  const imageFiles = await openImageFiles(config, log)
  const storedImages = createStoredImages(db, config.imagesMaxBytes)
  const images = createImageStore(imageFiles, storedImages)
  const imageCollector = createImageCollector({ db, log, files: imageFiles, images })
  const words = await followWords(db, revisions)
  const bans = await followBans({ db, secret, now, log, revisions })
  const ipLogging = await followIpLogging({ db, secret, now, log, revisions })
  const postWriter = createPostWriter({
    db,
    now,
    log,
    onCommit: (written) => announcePosts({ cache, live, search, ranking }, written),
  })
  const likes = createLikes({ db, now, log, cache, live, ranking })
  const departures = createDepartures({ db, now, log, cache, live, images })
  const removedImages = createRemovedImages({ db, log, images })
  const logWatch = createLogWatch({ db, log, now, cache, search, removedImages })
  const background = createBackground(log)
  const mailer = createMailer(config)
  const mailMetrics = createMailMetrics(metrics, db)
  const mails = mailer === null ? null : createMails({ mailer, db, now, log, config, secret, metrics: mailMetrics })
  link?.on('drop', ({ tags, when }) => cache.dropHere(tags, when))
  link?.watch((isWhole) => {
    cache.trustDrops(isWhole)
    replica?.trustChanges(isWhole)
    if (isWhole) remindReaders({ db, live, background })
  })
  const shields = await followShields({
    ...{ db, secret, now, log, revisions, settings, background, cache, live, link },
    canProve: isSecureContext(config.publicUrl),
  })
  const flagPost: Deps['flagPost'] = (flagged) => background.run(() => openFlaggedCase(deps, flagged))
  const news = createNews(
    { config, db, log, now, settings, writability, cache, live, search, images, words, flagPost, metrics },
    { hostDelayMs: newsHostDelayMs },
  )
  const limits = createLimits(settings, keyLimit, config.imagesMbPerDay)
  const deps: Deps = {
    config,
    db,
    dbFor: readerOf(database),
    searchDbFor: readerOf(searching),
    searches: createSearches(keyLimit),
    voices: createVoices(),
    log,
    now,
    revisions,
    settings,
    writability,
    cache,
    limits,
    accountLimits: createAccountLimits(config, keyLimit),
    secret,
    sessions,
    visitors,
    verifyGoogleToken: createGoogleVerifier(config, log, now),
    mails,
    background,
    metrics,
    live,
    images,
    imageFiles,
    storedImages,
    imageCollector,
    words,
    bans,
    shields,
    admission: createAdmission({ db, now, link }),
    holding: createHolding({ db, bans, limits, live }),
    flagPost,
    moveWithThreads: async (tx, threadIds, categoryId) => {
      await moveCases(tx, threadIds, categoryId)
      await moveHeldOfThreads(tx, threadIds, categoryId)
    },
    ipLogging,
    search,
    ranking,
    postWriter,
    likes,
    departures,
    removedImages,
    logWatch,
    news,
  }

  const heldRelease = startHeldRelease(deps)

  addBoardFigures({ ...deps, io, liveCounts })
  addLinkFigures(metrics, link)
  registerHealth(app, db)
  registerMetrics(app, metrics, config.metricsToken)
  await registerDocs(app)
  await registerImages(app, imageFiles)

  // In this order a later feature may use an earlier one's service, never the other way round.
  await app.register(async (scope) => {
    const typed = scope.withTypeProvider<ZodTypeProvider>()
    registerAudit(typed, deps)
    registerSettings(typed, deps)
    registerWords(typed, deps)
    registerCategories(typed, deps)
    registerAccounts(typed, deps)
    registerBans(typed, deps)
    registerShields(typed, deps)
    registerThreads(typed, deps)
    registerThreadFeeds(typed, deps)
    registerIpLogging(typed, deps)
    registerPosts(typed, deps)
    registerHeld(typed, deps)
    registerLikes(typed, deps)
    registerReports(typed, deps)
    registerCases(typed, deps)
    registerProfile(typed, deps)
    registerModeration(typed, deps)
    registerDecisions(typed, deps)
    registerAdmin(typed, deps)
    registerNews(typed, deps)
  })
  io.on('connection', (socket) => registerPostsSocket(socket, deps))

  if (bundle !== null) registerPages(app, { bundle, cache, site: toSiteInfo(config), now })
  app.setNotFoundHandler((_request, reply) => answerError(reply, refuse('not_found', 'not_found')))

  // What an earlier run, or another server, left out of the index and the ranking is made up for beside the visitors.
  const stopSweeping = new AbortController()
  const retention = createRetention(deps)
  let sweeping: Promise<void> | null = null
  const sweep = (): void => {
    sweeping ??= Promise.all([
      search.sweep(now(), stopSweeping.signal),
      ranking.sweep(now() - SWEEP_BACK_MS),
      departures.sweep(),
      logWatch.sweep(now()),
      purgePosts({ db, images }, now(), stopSweeping.signal),
      purgeThreads({ db, images }, now(), stopSweeping.signal),
      bans.sweep(),
      ipLogging.sweep(),
      deleteEndedMutes(db, new Date(now())),
      retention.sweep(now(), stopSweeping.signal),
      sweepNews({ db, images, log }, now()),
      sweepImages(),
    ])
      .then(() => {})
      .catch((error: unknown) => log.error({ err: error }, 'could not sweep'))
      .finally(() => {
        sweeping = null
      })
  }
  const sweepImages = async (): Promise<void> => {
    // A storage that is away has said so, and keeps nothing else from being swept.
    await imageCollector.sweep(now(), stopSweeping.signal).catch((error: unknown) => {
      if (!isUnavailable(error)) throw error
    })
    await storedImages.refresh()
  }
  const sweeper = setInterval(sweep, SWEEP_EVERY_MS).unref()
  app.addHook('onReady', async () => {
    server.removeAllListeners('request')
    // Cached answers go out in front of the router.
    server.on('request', (request, response) => cache.serve(request, response, () => route(request, response)))
    attachSockets(server)
    sweep()
  })
  app.addHook('preClose', async () => {
    clearInterval(sweeper)
    stopSweeping.abort()
    // A request that is still being sent may take minutes; what it holds is sent again to the next server.
    setTimeout(() => app.server.closeAllConnections(), CLOSE_REQUESTS_AFTER_MS).unref()
    // Sockets first: their clients come back to the next server, and the posts they had sent are still written below.
    io.disconnectSockets(true)
    await io.close()
    await news.close()
    await postWriter.settle()
    await likes.close()
    await departures.close()
    await logWatch.close()
    await bans.close()
    await shields.close()
    await ipLogging.close()
    await heldRelease.close()
    await sweeping
    await background.close()
    await mails?.close()
    await revisions.close()
    await writability.close()
    await replica?.close()
    await removedImages.close()
    await search.close()
    await ranking.close()
  })
  app.addHook('onClose', () => imageFiles.close())
  return { app, io, deps }
}

const toSiteInfo = (config: Config): SiteInfo => ({
  publicUrl: config.publicUrl,
  contactEmail: config.contactEmail,
  version: VERSION,
  sourceUrl: config.sourceUrl,
  hostingBadge: config.hostingBadge,
  googleClientId: config.googleClientId,
  sendsMail: config.smtpUrl !== null,
})

/** Whether browsers take our pages for a secure context (https, or this very machine). */
const isSecureContext = (publicUrl: string): boolean =>
  publicUrl.startsWith('https://') || /^http:\/\/(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:|\/|$)/.test(publicUrl)

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

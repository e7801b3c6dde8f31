/** The list of all parts of the server. Built without listening, so that tests can use it. */
import { createAccountLimits } from './features/accounts/account-limits.ts'
import { registerAccounts } from './features/accounts/accounts.routes.ts'
import { createGoogleVerifier } from './features/accounts/google-token.ts'
import { openMails } from './features/accounts/mails.service.ts'
import { registerAdmin } from './features/admin/admin.routes.ts'
import { createAdmission } from './features/admission/admission.service.ts'
import { registerAudit } from './features/audit/audit.routes.ts'
import { registerBans } from './features/bans/bans.routes.ts'
import { followBans } from './features/bans/bans.service.ts'
import { registerCategories } from './features/categories/categories.routes.ts'
import { startHeldRelease } from './features/held/held.release.ts'
import { registerHeld } from './features/held/held.routes.ts'
import { createHolding } from './features/held/holding.service.ts'
import { registerIpLogging } from './features/ip-logging/ip-logging.routes.ts'
import { followIpLogging } from './features/ip-logging/ip-logging.service.ts'
import { registerLikes } from './features/likes/likes.routes.ts'
import { createLikes } from './features/likes/likes.service.ts'
import { registerDecisions } from './features/moderation/decisions.routes.ts'
import { createLogWatch } from './features/moderation/log-watch.ts'
import { registerModeration } from './features/moderation/moderation.routes.ts'
import { registerNews } from './features/news/news.routes.ts'
import { createNews } from './features/news/news.service.ts'
import { registerNotebook } from './features/notebook/notebook.routes.ts'
import { registerPosts } from './features/posts/posts.routes.ts'
import { announcePosts } from './features/posts/posts.announcer.ts'
import { registerPostsSocket } from './features/posts/posts.socket.ts'
import { createPostWriter } from './features/posts/posts.writer.ts'
import { createRemovedImages } from './features/posts/removed-images.ts'
import { createDepartures } from './features/profile/departures.service.ts'
import { registerProfile } from './features/profile/profile.routes.ts'
import { registerCases } from './features/reports/case-lists.routes.ts'
import { registerReports } from './features/reports/reports.routes.ts'
import { createReports } from './features/reports/reports.service.ts'
import { createSearchIndexer } from './features/search/search.indexer.ts'
import { createSearches } from './features/search/searches.ts'
import { registerSettings } from './features/settings/settings.routes.ts'
import { registerShields } from './features/shields/shields.routes.ts'
import { followShields } from './features/shields/shields.service.ts'
import { createThreadEvents } from './features/threads/thread-events.ts'
import { registerThreadFeeds } from './features/threads/threads.feed.ts'
import { createSortColumns } from './features/threads/threads.sort-columns.ts'
import { remindReaders } from './features/threads/threads.reminder.ts'
import { registerThreads } from './features/threads/threads.routes.ts'
import { createVoices } from './features/threads/threads.voices.ts'
import { registerWords } from './features/words/words.routes.ts'
import { followWords } from './features/words/words.service.ts'
import { registerDocs } from './http/docs.ts'
import { registerHealth } from './http/health.ts'
import { registerImages } from './features/images/images.routes.ts'
import { registerMetrics } from './http/metrics.ts'
import { registerPages, type WebBundle } from './http/pages.ts'
import { toSiteInfo } from './http/site-info.ts'
import { openInfrastructure, type InfrastructureOptions } from './infrastructure.ts'
import { createServices } from './lib/services.ts'
import { purgePosts, purgeThreads } from './purge.ts'
import { createRetention } from './retention.ts'
import { createSweeper } from './sweeper.ts'
import { addBoardFigures } from './telemetry/board.ts'
import { addBusFigures } from './telemetry/bus.ts'

export interface BuildOptions extends InfrastructureOptions {
  /** The built web app, or null to serve the API alone. */
  readonly bundle: WebBundle | null
  /** Delay between two requests to one publisher; unset for the polite default. */
  readonly newsHostDelayMs?: number
}

export type BuiltApp = Awaited<ReturnType<typeof buildApp>>

export async function buildApp({ bundle, newsHostDelayMs, ...options }: BuildOptions) {
  const services = createServices(options.logger)
  const { app, sockets, ...core } = await openInfrastructure(options, services)
  const { config, db, log, now, metrics, cache, bus, keyLimit, revisions } = core

  // Each service may use those above it, and is closed before them.
  const words = await followWords(db, revisions)
  const search = services.add('search', createSearchIndexer(core))
  const searches = createSearches(keyLimit)
  const mails = services.add('mails', openMails(core))
  services.add('background', core.background)
  const accountLimits = createAccountLimits(config, keyLimit)
  const verifyGoogleToken = createGoogleVerifier(config, log, now)
  const bans = services.add('bans', await followBans(core))
  const shields = services.add('shields', await followShields(core))
  const admission = createAdmission({ ...core, words, bans, shields })
  const threadEvents = createThreadEvents()
  const sortColumns = services.add('sortColumns', createSortColumns(core))
  const voices = createVoices()
  bus?.watch((isWhole) => isWhole && remindReaders(core))
  const ipLogging = services.add('IP logging', await followIpLogging(core))
  const removedImages = services.add('images of removed posts', createRemovedImages({ ...core, threadEvents }))
  const postWriter = services.add('posts', createPostWriter(core))
  announcePosts(postWriter, { ...core, search, sortColumns })
  const holding = createHolding({ ...core, threadEvents })
  services.add('held', startHeldRelease({ ...core, words, search, bans, shields, postWriter }))
  const likes = services.add('likes', createLikes({ ...core, sortColumns }))
  services.add('reports', createReports({ ...core, words, threadEvents }))
  const departures = services.add('departures', createDepartures(core))
  const logWatch = services.add('moderation log', createLogWatch({ ...core, search, removedImages }))
  const news = services.add('news', createNews({ ...core, search, words }, { hostDelayMs: newsHostDelayMs }))
  services.add('purge of posts', { sweep: (at, signal) => purgePosts(core, at, signal) })
  services.add('purge of threads', { sweep: (at, signal) => purgeThreads(core, at, signal) })
  services.add('retention', createRetention({ ...core, mails }))
  // Closed first: the services above still have to write the posts that sockets have received.
  services.add('sockets', sockets)
  services.add('sweeper', createSweeper(services, now))

  const deps = {
    ...{ ...core, words, search, searches, mails, accountLimits, verifyGoogleToken, bans, shields, admission },
    ...{ threadEvents, sortColumns, voices, ipLogging, removedImages, postWriter, holding, likes, departures },
    ...{ logWatch, news },
  }

  addBoardFigures({ ...deps, sockets })
  addBusFigures(metrics, bus)
  registerHealth(app, db)
  registerMetrics(app, metrics, config.metricsToken)
  await registerDocs(app)
  await registerImages(app, core.storage.files)
  registerAudit(app, deps)
  registerSettings(app, deps)
  registerWords(app, deps)
  registerCategories(app, deps)
  registerAccounts(app, deps)
  registerBans(app, deps)
  registerShields(app, deps)
  registerThreads(app, deps)
  registerThreadFeeds(app, deps)
  registerIpLogging(app, deps)
  registerPosts(app, deps)
  registerHeld(app, deps)
  registerLikes(app, deps)
  registerReports(app, deps)
  registerCases(app, deps)
  registerProfile(app, deps)
  registerNotebook(app, deps)
  registerModeration(app, deps)
  registerDecisions(app, deps)
  registerAdmin(app, deps)
  registerNews(app, deps)
  sockets.io.on('connection', (socket) => registerPostsSocket(socket, deps))
  if (bundle !== null) registerPages(app, { bundle, cache, site: toSiteInfo(config), now })

  app.addHook('onReady', () => services.start())
  app.addHook('preClose', () => services.close())
  return { app, io: sockets.io, services, deps }
}

/** The list of all routes, over all services. Built without listening, so that tests can use it. */
import { registerAccounts } from './features/accounts/accounts.routes.ts'
import { registerAdmin } from './features/admin/admin.routes.ts'
import { registerAudit } from './features/audit/audit.routes.ts'
import { registerBans } from './features/bans/bans.routes.ts'
import { registerCards } from './features/cards/cards.routes.ts'
import { registerCategories } from './features/categories/categories.routes.ts'
import { registerBbsCgi } from './features/gateway/bbs-cgi.routes.ts'
import { registerGateway } from './features/gateway/gateway.routes.ts'
import { registerThreadLogs } from './features/gateway/thread-logs.routes.ts'
import { registerHeld } from './features/held/held.routes.ts'
import { registerIpLogging } from './features/ip-logging/ip-logging.routes.ts'
import { registerLevels } from './features/levels/levels.routes.ts'
import { registerLikes } from './features/likes/likes.routes.ts'
import { registerDecisions } from './features/moderation/decisions.routes.ts'
import { registerModeration } from './features/moderation/moderation.routes.ts'
import { registerNews } from './features/news/news.routes.ts'
import { registerHiding } from './features/notebook/hiding.routes.ts'
import { registerNotebook } from './features/notebook/notebook.routes.ts'
import { registerOwners } from './features/owners/owners.routes.ts'
import { registerPosts } from './features/posts/posts.routes.ts'
import { registerPostsSocket } from './features/posts/posts.socket.ts'
import { registerProfile } from './features/profile/profile.routes.ts'
import { registerCases } from './features/reports/case-lists.routes.ts'
import { registerPushRoutes } from './features/push/push.routes.ts'
import { registerReports } from './features/reports/reports.routes.ts'
import { registerSettings } from './features/settings/settings.routes.ts'
import { registerShields } from './features/shields/shields.routes.ts'
import { registerThreadFeeds } from './features/threads/threads.feed.ts'
import { registerSitemaps } from './features/threads/threads.sitemap.ts'
import { registerThreads } from './features/threads/threads.routes.ts'
import { registerWords } from './features/words/words.routes.ts'
import { registerDocs } from './http/docs.ts'
import { registerHealth } from './http/health.ts'
import { registerImages } from './features/images/images.routes.ts'
import { registerMetrics } from './http/metrics.ts'
import { registerPages, type WebBundle } from './http/pages.ts'
import { toSiteInfo } from './http/site-info.ts'
import { createBoardServices, type ServiceOptions } from './board-services.ts'
import { openInfrastructure, type InfrastructureOptions } from './infrastructure.ts'
import { createServices } from './lib/services.ts'
import { addBoardFigures } from './telemetry/board.ts'
import { addBusFigures } from './telemetry/bus.ts'

export interface BuildOptions extends InfrastructureOptions, ServiceOptions {
  /** The built web app, or null to serve the API alone. */
  readonly bundle: WebBundle | null
}

export type BuiltApp = Awaited<ReturnType<typeof buildApp>>

export async function buildApp({ bundle, ...options }: BuildOptions) {
  const services = createServices(options.logger)
  const { app, ...infrastructure } = await openInfrastructure(options, services)
  const deps = await createBoardServices(infrastructure, services, options)
  const { config, now, metrics, cache, bus, storage } = deps
  const { sockets } = infrastructure

  addBoardFigures({ ...deps, sockets })
  addBusFigures(metrics, bus)
  registerHealth(app, options.database)
  registerMetrics(app, metrics, config.metricsToken)
  await registerDocs(app)
  await registerImages(app, storage.files)
  registerAudit(app, deps)
  registerSettings(app, deps)
  registerWords(app, deps)
  registerCategories(app, deps)
  registerAccounts(app, deps)
  registerBans(app, deps)
  registerLevels(app, deps)
  registerShields(app, deps)
  registerThreads(app, deps)
  registerThreadFeeds(app, deps)
  registerSitemaps(app, deps)
  registerCards(app, deps)
  registerIpLogging(app, deps)
  registerPosts(app, deps)
  registerHeld(app, deps)
  registerLikes(app, deps)
  registerReports(app, deps)
  registerCases(app, deps)
  registerOwners(app, deps)
  registerProfile(app, deps)
  registerNotebook(app, deps)
  registerHiding(app, deps)
  registerPushRoutes(app, deps)
  registerModeration(app, deps)
  registerDecisions(app, deps)
  registerAdmin(app, deps)
  registerNews(app, deps)
  registerGateway(app, deps)
  registerBbsCgi(app, deps)
  registerThreadLogs(app, deps)
  sockets.io.on('connection', (socket) => registerPostsSocket(socket, deps))
  if (bundle !== null) registerPages(app, { bundle, cache, site: toSiteInfo(config), now })

  app.addHook('onReady', () => services.start())
  app.addHook('preClose', () => services.close())
  return { app, io: sockets.io, services, deps }
}

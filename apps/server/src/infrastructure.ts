/**
 * The infrastructure below all features: database, cache, HTTP, sessions and sockets, and the
 * settings that they use.
 */
import type { Server } from 'node:http'
import { join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import { Registry } from 'prom-client'
import { isForStaff } from '@shinobi/contract/permissions'
import type { Config } from './config.ts'
import type { Core } from './core.ts'
import type { Database } from './db/client.ts'
import { askCoordinator } from './db/coordinator.ts'
import { isDistributed } from './db/distribution.ts'
import { foldersOf } from './db/embedded/cluster.ts'
import { followReplica } from './db/replica.ts'
import { createRevisions } from './db/revisions.ts'
import { selectMember } from './features/accounts/sessions.queries.ts'
import type { ImageStore } from './features/images/image-store.ts'
import { openImages, type Images } from './features/images/images.service.ts'
import { followSettings, type LiveSettings } from './features/settings/settings.service.ts'
import { untilHeadsFollow } from './features/threads/thread-heads.ts'
import { createFastify, type App } from './http/fastify.ts'
import { createLimits } from './http/limits.ts'
import { createOriginCheck } from './http/origins.ts'
import { createProxyTrust } from './http/proxies.ts'
import { readFrom } from './http/read-from.ts'
import { ResponseCache } from './http/response-cache.ts'
import { createHttpServer } from './http/server.ts'
import { guardAccess } from './http/access-guard.ts'
import { createSessions } from './http/session.ts'
import { createVisitors } from './http/visitor.ts'
import { announceChanges, followWritability, guardWrites } from './http/writability.ts'
import { createBackground } from './lib/background.ts'
import { freeBytesOf } from './lib/disk-space.ts'
import { createKeyLimits } from './lib/key-limit.ts'
import type { Services } from './lib/services.ts'
import { createSocketServer, type SocketServer } from './realtime/socket-server.ts'
import type { Bus } from './redis/bus.ts'
import { watchDatabase } from './telemetry/database.ts'
import { logOfRequests } from './telemetry/request-log.ts'

export interface InfrastructureOptions {
  readonly config: Config
  readonly database: Database
  /** Secret for cookies and hashes. */
  readonly secret: string
  readonly now?: () => number
  readonly logger: FastifyBaseLogger
  /** Connection to the other servers of the board; null where there are none. */
  readonly bus?: Bus | null
  /** May be listening already; the app takes over its requests when it is ready. */
  readonly server?: Server
  /** Free space of the board's disk; that of DATA_DIR by default. */
  readonly readFreeBytes?: () => Promise<number>
}

export interface Infrastructure extends Core {
  readonly app: App
  readonly sockets: SocketServer
  readonly settings: LiveSettings
  readonly storage: Images
  readonly images: ImageStore
}

/** Memory for cached answers. */
const CACHE_BYTES = 64 * 1024 * 1024

/**
 * Opens the infrastructure. The caller closes `sockets` and `background`, in the right order among
 * the other services.
 */
export async function openInfrastructure(
  {
    config,
    database,
    secret,
    now = Date.now,
    logger,
    bus = null,
    server = createHttpServer(),
    readFreeBytes = freeBytesOf([config.dataDir, join(config.dataDir, 'images'), foldersOf(config.dataDir).data]),
  }: InfrastructureOptions,
  services: Services,
): Promise<Infrastructure> {
  const { db, checking, workers } = database
  const metrics = new Registry()
  const trustsProxy = createProxyTrust(config.trustProxy)
  const isAllowedOrigin = createOriginCheck(config)

  const replica = services.add(
    'replica',
    checking.replica === null ? null : followReplica({ primary: db, replica: checking.replica, log: logger }),
  )
  const cache = new ResponseCache({
    corsOrigins: config.corsOrigins,
    maxBytes: CACHE_BYTES,
    now,
    onChange: replica?.changed,
    tellOthers: bus === null ? undefined : (tags, when) => bus.publish('drop', { tags, when }),
  })
  bus?.subscribe('drop', ({ tags, when }) => cache.dropHere(tags, when))
  bus?.watch((isWhole) => {
    cache.trustDrops(isWhole)
    replica?.trustChanges(isWhole)
  })

  const app = await createFastify({ config, logger, server, secret, metrics, cache, trustsProxy, isAllowedOrigin })
  const log = logOfRequests(app.log)
  services.add(
    'database figures',
    watchDatabase({ ...{ activity: database.activity, workers }, metrics, log, slowMs: config.slowQueryMs }),
  )

  if (await isDistributed(db)) {
    const checks = services.add('workers', workers.follow(askCoordinator(checking.db), log))
    await checks.poll()
  }

  const revisions = services.add('revisions', createRevisions(db, log))
  await revisions.follow('answers', async () => cache.clear())
  const settings = await followSettings(db, config, revisions)
  const writability = services.add(
    'writability',
    await followWritability({ settings, readFreeBytes, minFreeBytes: config.minFreeBytes, log }),
  )
  guardWrites(app, writability)

  const secure = config.publicUrl.startsWith('https://')
  const findMember = (sessionId: string) => selectMember(db, sessionId, new Date(now()), settings.current)
  const sessions = createSessions(app, { secret, secure, now, findMember })
  guardAccess(app, sessions)
  // When a change by staff succeeds, it must be in effect on this server, and in the lists of all,
  // before the answer is sent.
  app.addHook('onSend', async ({ method, routeOptions }, { statusCode }) => {
    const { action } = routeOptions.config
    const isDone = method !== 'GET' && statusCode < 400
    if (!isDone || action === undefined || !isForStaff(action)) return
    await Promise.all([revisions.settle(), untilHeadsFollow(db)])
  })
  const visitors = createVisitors(app, { sessions, secret, now, secure })

  const sockets = createSocketServer({ config, log, now, server, isAllowedOrigin, trustsProxy, visitors, bus })
  const { live } = sockets
  announceChanges([writability, workers], cache, live)

  const storage = services.add('images', await openImages({ config, db, log }))
  app.addHook('onClose', () => storage.files.close())
  const keyLimit = createKeyLimits(bus)
  return {
    ...{ config, db, log, now, secret, metrics, bus, cache, revisions, writability, keyLimit, sessions, visitors },
    ...{ live, app, sockets, settings, storage },
    isPartlyAway: () => workers.away > 0,
    dbFor: readFrom(database, replica),
    searchDbFor: readFrom(database.searching, replica),
    limits: createLimits(settings, keyLimit, config.imagesMbPerDay),
    background: createBackground(log),
    images: storage.images,
  }
}

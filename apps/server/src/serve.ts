/**
 * One process that serves the board: database, schema, listening; and its graceful stop on SIGINT
 * and SIGTERM.
 */
import cluster from 'node:cluster'
import type { Logger } from 'pino'
import { buildApp } from './app.ts'
import type { Config } from './config.ts'
import { openBoardDatabase, type BoardDatabase } from './db/board-database.ts'
import type { Database } from './db/client.ts'
import { migrateToLatest } from './db/migrate.ts'
import { refuseStrandedBoard } from './db/stranded-board.ts'
import { createFirstAdmin } from './features/accounts/admins.service.ts'
import { loadWebBundle } from './http/pages.ts'
import { createHttpServer, listen } from './http/server.ts'
import { answerWhileWaiting, type Away } from './http/waiting.ts'
import { isDatabaseAway } from './lib/api-error.ts'
import { retryWhileAway } from './lib/retry-while-away.ts'
import { warnOfFewFiles, watchOpenFiles } from './process/file-limit.ts'
import { stopOnSignals, type GracefulStop } from './process/graceful-stop.ts'
import { onHangup } from './process/hangup.ts'
import { IS_FIRST_WORKER, tellPrimary } from './process/messages.ts'
import { createSystemd, type Systemd } from './process/systemd.ts'
import { retireWhenTold, sendHeartbeats } from './process/worker.ts'
import { createLogger } from './logger.ts'
import { RedisAwayError } from './redis/redis-away-error.ts'
import type { Bus } from './redis/bus.ts'
import { loadSecret } from './secret.ts'
import { VERSION } from './version.ts'

/**
 * Brings the schema up to date, and makes the first administrator.
 * @throws AdminRefusal, StrandedBoardError
 */
async function prepareDatabase({ db }: Database, config: Config, log: Logger): Promise<void> {
  await refuseStrandedBoard(db, config)
  const { firstAdmin } = config
  await migrateToLatest(db)
  const isNew = firstAdmin !== null && (await createFirstAdmin(db, firstAdmin, Date.now()))
  if (isNew) log.info('created the first administrator')
}

/**
 * Connects this process to others of the same board; null for a single process, which does not load
 * Redis' libraries.
 */
export async function openBusOf({ redisUrl: url }: Config, secret: string, log: Logger): Promise<Bus | null> {
  if (url === null) return null
  const { openBus } = await import('./redis/bus.ts')
  return openBus({ url, secret, log })
}

/** The line for the operator once the board is open. */
export const describeBoard = (config: Config, port: number): string => {
  const url = config.port === 0 ? `http://localhost:${port}` : config.publicUrl
  return `忍板 ${VERSION} is open at ${url} (${config.databaseUrl === null ? `PostgreSQL in ${config.dataDir}` : 'PostgreSQL'})`
}

/**
 * Serves until a signal arrives. While the database or Redis is unavailable it listens, answers 503
 * and retries. Returns the line for the operator.
 * @throws errors that `explainSetup` explains, or a failure to listen
 */
export async function serve(config: Config): Promise<string> {
  const logger = createLogger(config)
  const systemd = cluster.isWorker ? null : createSystemd(logger)
  const stop = stopOnSignals(logger, () => systemd?.stopping())
  onHangup({
    stop: () => void stop.now('SIGHUP'),
    // The primary handles SIGHUP for its workers.
    reload: () => cluster.isWorker || logger.warn('SIGHUP: a rolling restart needs WEB_CONCURRENCY above 1'),
  })
  if (cluster.isWorker) sendHeartbeats(config.workerTimeoutMs)
  else warnOfFewFiles(logger)
  watchOpenFiles(logger)
  try {
    const port = await openBoard(config, logger, stop, systemd)
    systemd?.ready('open')
    tellPrimary({ type: 'shinobi:open', port })
    return describeBoard(config, port)
  } catch (error) {
    await stop.close()
    throw error
  }
}

/** @returns the port */
async function openBoard(config: Config, logger: Logger, stop: GracefulStop, systemd: Systemd | null): Promise<number> {
  const server = createHttpServer()
  let listening: Promise<number> | null = null
  const startListening = (): Promise<number> => (listening ??= listen(server, config, logger))

  /** Answers 503 until the database or Redis is available. */
  async function answerMeanwhile(away: Away, error: unknown): Promise<void> {
    logger.warn({ err: error }, `${away} is away: waiting for it, and answering 503 meanwhile`)
    if (cluster.isWorker && process.env[IS_FIRST_WORKER] !== 'true') return
    answerWhileWaiting(server, away)
    await startListening()
    systemd?.ready(`waiting for ${away}`)
  }

  async function openDatabase(): Promise<BoardDatabase> {
    const opened = await openBoardDatabase(config, logger)
    stop.add(() => opened.close())
    return opened
  }

  const [database, bundle] = await Promise.all([openDatabase(), loadWebBundle()])
  await retryWhileAway(() => prepareDatabase(database, config, logger), {
    isAway: isDatabaseAway,
    onAway: (error) => answerMeanwhile('PostgreSQL', error),
  })
  const secret = loadSecret(config)
  const bus = await retryWhileAway(() => openBusOf(config, secret, logger), {
    isAway: (error) => error instanceof RedisAwayError,
    onAway: (error) => answerMeanwhile('Redis', error),
  })
  if (bus !== null) stop.add(() => bus.close())
  const { app } = await buildApp({ config, database, secret, bundle, logger, bus, server })
  stop.add(() => app.close())
  if (cluster.isWorker) retireWhenTold(server, stop)
  // A bug in one request must not end the process for everybody, but must be logged.
  process.on('unhandledRejection', (error) => logger.error({ err: error }, 'unhandled rejection'))
  await app.ready()
  return startListening()
}

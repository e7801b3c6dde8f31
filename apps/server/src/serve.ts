/** One process that serves the board: database, schema, listening; and its graceful stop on SIGINT and SIGTERM. */
import cluster from 'node:cluster'
import type { Logger } from 'pino'
import { buildApp } from './app.ts'
import type { Config } from './config.ts'
import { openBoardDatabase } from './db/board-database.ts'
import type { Database } from './db/client.ts'
import { migrateToLatest } from './db/migrate.ts'
import { createFirstAdmin } from './features/accounts/admins.service.ts'
import { loadWebBundle } from './http/pages.ts'
import { createLogger } from './logger.ts'
import type { Link } from './redis/link.ts'
import { loadSecret } from './secret.ts'
import { VERSION } from './version.ts'

/** Connections that may wait to be taken: Node's 511 overflow when a busy thread's readers all come back at once. */
const BACKLOG = 4_096
/** A graceful stop that takes longer than this is ended. */
export const STOP_WITHIN_MS = 10_000

/** Brings the schema up to date, and makes the first administrator. @throws AdminRefusal */
export async function prepareDatabase({ db }: Database, { firstAdmin }: Config, log: Logger): Promise<void> {
  await migrateToLatest(db)
  const isNew = firstAdmin !== null && (await createFirstAdmin(db, firstAdmin, Date.now()))
  if (isNew) log.info('the first administrator was made')
}

/** What binds this process to others of the same board; null for one that serves alone, which does without Redis' libraries. */
export async function openLinkOf({ redisUrl: url }: Config, secret: string, log: Logger): Promise<Link | null> {
  if (url === null) return null
  const { openLink } = await import('./redis/link.ts')
  return openLink({ url, secret, log })
}

/** What the operator reads once the board is open. */
export const describeBoard = (config: Config, port: number): string => {
  const url = config.port === 0 ? `http://localhost:${port}` : config.publicUrl
  return `忍板 ${VERSION} is open at ${url} (${config.databaseUrl === null ? `PostgreSQL in ${config.dataDir}` : 'PostgreSQL'})`
}

/** Serves until a signal comes. Answers what the operator is told. @throws what `explainSetup` explains, or a failure to listen */
export async function serve(config: Config): Promise<string> {
  const logger = createLogger(config)
  const [database, bundle] = await Promise.all([openBoardDatabase(config, logger), loadWebBundle()])
  // Of several processes the one that looks after them has prepared it for all.
  if (!cluster.isWorker) await prepareDatabase(database, config, logger)
  const secret = loadSecret(config)
  const link = await openLinkOf(config, secret, logger)
  const { db, replica, activity } = database
  const { app } = await buildApp({ config, db, replica, activity, secret, bundle, logger, link })

  let stopping = false
  const stop = async (signal: string): Promise<void> => {
    if (stopping) return
    stopping = true
    logger.info(`${signal}: stopping`)
    setTimeout(() => {
      logger.error('could not stop in time')
      process.exit(1)
    }, STOP_WITHIN_MS).unref()
    let code = 0
    for (const close of [() => app.close(), () => link?.close(), () => database.close()]) {
      try {
        await close()
      } catch (error) {
        logger.error({ err: error }, 'could not close cleanly')
        code = 1
      }
    }
    process.exit(code)
  }
  process.on('SIGINT', (signal) => void stop(signal))
  process.on('SIGTERM', (signal) => void stop(signal))
  // A bug in one request must not take the board down for everybody, but must be seen.
  process.on('unhandledRejection', (error) => logger.error({ err: error }, 'unhandled rejection'))

  try {
    await app.listen({ port: config.port, host: config.host, backlog: BACKLOG })
  } catch (error) {
    await database.close()
    throw Object.assign(error as Error, { syscall: 'listen' })
  }
  const address = app.server.address()
  const port = typeof address === 'object' && address !== null ? address.port : config.port
  return describeBoard(config, port)
}

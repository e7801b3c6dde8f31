/** Starts the server: settings, database, schema, secrets, listening; and stops it gracefully on SIGINT and SIGTERM. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { buildApp } from './app.ts'
import { loadConfig } from './config.ts'
import { openDatabase } from './db/client.ts'
import { migrateToLatest } from './db/migrate.ts'
import { explainSetup } from './explain-setup.ts'
import { AdminRefusal, createFirstAdmin } from './features/accounts/admins.service.ts'
import { loadWebBundle } from './http/pages.ts'
import { loadSecret } from './secret.ts'

/** Connections that may wait to be taken: Node's 511 overflow when a busy thread's readers all come back at once. */
const BACKLOG = 4_096
/** A graceful stop that takes longer than this is ended. */
const STOP_WITHIN_MS = 10_000

async function start(): Promise<void> {
  const config = loadConfig()
  mkdirSync(config.dataDir, { recursive: true })
  const [database, bundle] = await Promise.all([
    openDatabase({ url: config.databaseUrl, folder: join(config.dataDir, 'database'), pool: config.databasePool }),
    loadWebBundle(),
  ])
  await migrateToLatest(database.db)
  const { firstAdmin } = config
  const hasNewAdmin = firstAdmin !== null && (await createFirstAdmin(database.db, firstAdmin, Date.now()))
  const { app } = await buildApp({ config, db: database.db, secret: loadSecret(config), bundle })
  if (hasNewAdmin) app.log.info('the first administrator was made')

  let stopping = false
  const stop = async (signal: string): Promise<void> => {
    if (stopping) return
    stopping = true
    app.log.info(`${signal}: stopping`)
    setTimeout(() => {
      app.log.error('could not stop in time')
      process.exit(1)
    }, STOP_WITHIN_MS).unref()
    let code = 0
    for (const close of [() => app.close(), () => database.close()]) {
      try {
        await close()
      } catch (error) {
        app.log.error({ err: error }, 'could not close cleanly')
        code = 1
      }
    }
    process.exit(code)
  }
  process.on('SIGINT', (signal) => void stop(signal))
  process.on('SIGTERM', (signal) => void stop(signal))
  // A bug in one request must not take the board down for everybody, but must be seen.
  process.on('unhandledRejection', (error) => app.log.error({ err: error }, 'unhandled rejection'))

  try {
    await app.listen({ port: config.port, host: config.host, backlog: BACKLOG })
  } catch (error) {
    await database.close()
    throw Object.assign(error as Error, { syscall: 'listen' })
  }
  const address = app.server.address()
  const port = typeof address === 'object' && address !== null ? address.port : config.port
  const url = config.port === 0 ? `http://localhost:${port}` : config.publicUrl
  console.log(
    `忍板 is open at ${url} (${database.kind === 'embedded' ? `embedded database in ${config.dataDir}` : 'PostgreSQL'})`,
  )
}

/** What an operator can mend is said in one line; everything else shows where it happened. */
function explain(error: unknown): string {
  if (error instanceof AdminRefusal) return `Settings ADMIN_… cannot be used: ${error.message}`
  if ((error as NodeJS.ErrnoException).syscall === 'listen') return explainListen(error as ListenError)
  return explainSetup(error) ?? (error as Error).stack ?? String(error)
}

type ListenError = NodeJS.ErrnoException & { readonly port?: number; readonly address?: string }

function explainListen({ code = '', port, address = '' }: ListenError): string {
  if (code === 'EADDRINUSE') return `Port ${port} is taken by another program. Stop it, or set PORT to another number.`
  if (code === 'EACCES') return 'This port may not be used without more rights. Set PORT to a number above 1023.'
  return `Setting HOST cannot be used: it takes an address of this machine (${code} ${address}).`
}

start().catch((error: unknown) => {
  console.error(explain(error))
  process.exit(1)
})

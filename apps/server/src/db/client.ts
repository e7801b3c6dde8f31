/**
 * The database: PostgreSQL when a URL is given, else the embedded PostgreSQL (PGlite) in a folder or in memory.
 * Both speak the same SQL through Kysely; nothing above this file knows which one serves.
 */
import { mkdirSync } from 'node:fs'
import { Kysely, PGliteDialect, PostgresDialect, sql, type LogEvent, type PostgresPool } from 'kysely'
import { createStatementMeter, type DatabaseActivity, type StatementMeter } from './activity.ts'
import { lockFolder } from './folder-lock.ts'
import { openPool } from './postgres-pool.ts'
import type { Tables } from './tables.ts'

export type Db = Kysely<Tables>

export interface Database {
  readonly db: Db
  /** What serves, for the log. */
  readonly kind: 'embedded' | 'postgresql'
  readonly activity: DatabaseActivity
  /** The same on the replica; null without one. While the replica is away its queries go to the original. */
  readonly replica: Db | null
  close(): Promise<void>
}

export interface DatabaseOptions {
  /** PostgreSQL address; null for the embedded one. */
  readonly url: string | null
  /** A streaming replica of that PostgreSQL. */
  readonly replicaUrl?: string | null
  /** Folder of the embedded database; null keeps it in memory. */
  readonly folder: string | null
  /** What the embedded one in memory begins with: a dump of another (PGlite's `dumpDataDir`). */
  readonly dump?: Blob | undefined
  readonly pool?: number
  readonly log?: (event: LogEvent) => void
}

export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  return options.url === null ? openEmbedded(options) : openPostgres(options.url, options)
}

function openPostgres(url: string, options: DatabaseOptions): Database {
  const meter = createStatementMeter()
  const { pool, connections } = openPool(url, options.pool ?? 10, meter)
  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool }),
    ...(options.log === undefined ? {} : { log: options.log }),
  })
  const replica = options.replicaUrl == null ? null : openReplica(options.replicaUrl, pool, meter, options)
  return {
    ...{ db, replica, kind: 'postgresql', activity: { watch: meter.watch, connections } },
    async close() {
      await replica?.destroy()
      await db.destroy()
    },
  }
}

function openReplica(url: string, original: PostgresPool, meter: StatementMeter, options: DatabaseOptions): Db {
  const { pool } = openPool(url, options.pool ?? 10, meter)
  return new Kysely<Tables>({
    dialect: new PostgresDialect({
      pool: { ...pool, connect: () => pool.connect().catch(() => original.connect()) },
    }),
  })
}

async function openEmbedded(options: DatabaseOptions): Promise<Database> {
  const { folder } = options
  let unlock = (): void => {}
  if (folder !== null) {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    unlock = lockFolder(folder)
  }
  try {
    const { PGlite } = await import('@electric-sql/pglite')
    const embedded = await PGlite.create({
      ...(folder !== null && { dataDir: folder }),
      ...(options.dump !== undefined && { loadDataDir: options.dump }),
    })
    const meter = createStatementMeter()
    const db = new Kysely<Tables>({
      dialect: new PGliteDialect({
        pglite: embedded,
        // Its one connection; what begins and ends a transaction goes past it.
        onCreateConnection: async (connection) => {
          const execute = connection.executeQuery.bind(connection)
          connection.executeQuery = (query, queryOptions) =>
            meter.measure(
              query.sql,
              () => execute<never>(query, queryOptions),
              ({ rows, numAffectedRows }) => rows.length || Number(numAffectedRows ?? 0),
            )
        },
      }),
      ...(options.log === undefined ? {} : { log: options.log }),
    })
    await sql`select 1`.execute(db)
    return {
      db,
      kind: 'embedded',
      activity: { watch: meter.watch, connections: () => null },
      replica: null,
      close: async () => {
        await db.destroy()
        if (!embedded.closed) await embedded.close()
        unlock()
      },
    }
  } catch (error) {
    unlock()
    throw error
  }
}

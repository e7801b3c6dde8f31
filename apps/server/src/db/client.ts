/**
 * The database: PostgreSQL when a URL is given, else the embedded PostgreSQL (PGlite) in a folder or in memory.
 * Both speak the same SQL through Kysely; nothing above this file knows which one serves.
 */
import { mkdirSync } from 'node:fs'
import { PGlite } from '@electric-sql/pglite'
import { Kysely, PGliteDialect, sql, type LogEvent } from 'kysely'
import { PostgresJSDialect } from 'kysely-postgres-js'
import postgres from 'postgres'
import { lockFolder } from './folder-lock.ts'
import type { Tables } from './tables.ts'

export type Db = Kysely<Tables>

export interface Database {
  readonly db: Db
  /** What serves, for the log. */
  readonly kind: 'embedded' | 'postgresql'
  close(): Promise<void>
}

export interface DatabaseOptions {
  /** PostgreSQL address; null for the embedded one. */
  readonly url: string | null
  /** Folder of the embedded database; null keeps it in memory. */
  readonly folder: string | null
  readonly pool?: number
  readonly log?: (event: LogEvent) => void
}

/** Statements that take longer than this are cut off by PostgreSQL, so that one bad query cannot hold the board. */
const STATEMENT_TIMEOUT_MS = 15_000

export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  return options.url === null ? openEmbedded(options) : openPostgres(options.url, options)
}

function openPostgres(url: string, options: DatabaseOptions): Database {
  const connections = postgres(url, {
    max: options.pool ?? 10,
    // A lost server is noticed within seconds and tried again quickly: the board answers 503 meanwhile and recovers by itself.
    connect_timeout: 5,
    backoff: (attempt) => Math.min(0.2 * 2 ** attempt, 2),
    idle_timeout: 300,
    onnotice: () => {},
    connection: { application_name: 'shinobi-ita', statement_timeout: STATEMENT_TIMEOUT_MS },
  })
  const db = new Kysely<Tables>({
    dialect: new PostgresJSDialect({ postgres: connections }),
    ...(options.log === undefined ? {} : { log: options.log }),
  })
  return { db, kind: 'postgresql', close: () => connections.end({ timeout: 5 }) }
}

async function openEmbedded(options: DatabaseOptions): Promise<Database> {
  const { folder } = options
  let unlock = (): void => {}
  if (folder !== null) {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    unlock = lockFolder(folder)
  }
  try {
    const embedded = await PGlite.create(folder === null ? {} : { dataDir: folder })
    const db = new Kysely<Tables>({
      dialect: new PGliteDialect({ pglite: embedded }),
      ...(options.log === undefined ? {} : { log: options.log }),
    })
    await sql`select 1`.execute(db)
    return {
      db,
      kind: 'embedded',
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

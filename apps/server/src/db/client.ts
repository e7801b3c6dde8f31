/**
 * The database: PostgreSQL when a URL is given, else the embedded PostgreSQL (PGlite) in a folder or in memory.
 * Both speak the same SQL through Kysely; nothing above this file knows which one serves.
 */
import { mkdirSync } from 'node:fs'
import { PGlite } from '@electric-sql/pglite'
import { Kysely, PGliteDialect, PostgresDialect, sql, type LogEvent } from 'kysely'
import { lockFolder } from './folder-lock.ts'
import { openPool } from './postgres-pool.ts'
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
  /** What the embedded one in memory begins with: a dump of another (PGlite's `dumpDataDir`). */
  readonly dump?: Blob | undefined
  readonly pool?: number
  readonly log?: (event: LogEvent) => void
}

export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  return options.url === null ? openEmbedded(options) : openPostgres(options.url, options)
}

function openPostgres(url: string, options: DatabaseOptions): Database {
  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: openPool(url, options.pool ?? 10) }),
    ...(options.log === undefined ? {} : { log: options.log }),
  })
  return { db, kind: 'postgresql', close: () => db.destroy() }
}

async function openEmbedded(options: DatabaseOptions): Promise<Database> {
  const { folder } = options
  let unlock = (): void => {}
  if (folder !== null) {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    unlock = lockFolder(folder)
  }
  try {
    const embedded = await PGlite.create({
      ...(folder !== null && { dataDir: folder }),
      ...(options.dump !== undefined && { loadDataDir: options.dump }),
    })
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

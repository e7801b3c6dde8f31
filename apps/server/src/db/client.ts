/**
 * PostgreSQL through Kysely: embedded (db/embedded) or the operator's. Code outside of this file
 * does not depend on which one.
 */
import { Kysely, PostgresDialect, type LogEvent, type PostgresPool } from 'kysely'
import { createStatementMeter, type DatabaseActivity } from './activity.ts'
import { openPool, type PoolOptions } from './postgres-pool.ts'
import type { Tables } from './tables.ts'

export type Db = Kysely<Tables>

/**
 * Connections for searches, to the primary and the replica each, and so the number of concurrent
 * searches.
 */
export const SEARCHES_AT_ONCE = 3
/** Longer than any search of ten million posts takes that returns results. */
export const SEARCH_TIMEOUT_MS = 2_000

/** The database, and a replica to read from. */
export interface Sources {
  readonly db: Db
  /** Null without one. While it is unreachable, its queries go to the primary. */
  readonly replica: Db | null
}

export interface Database extends Sources {
  readonly activity: DatabaseActivity
  /** The same on a few separate connections, with a short statement time-out. */
  readonly searching: Sources
  close(): Promise<void>
}

export interface DatabaseOptions {
  /** Address of PostgreSQL, in the format of node-postgres. */
  readonly url: string
  /** A streaming replica of that PostgreSQL. */
  readonly replicaUrl?: string | null
  /** Maximum connections to each of the two. */
  readonly pool?: number
  readonly log?: (event: LogEvent) => void
}

/** Opens no connection yet; the first query does. */
export function openDatabase(options: DatabaseOptions): Database {
  const meter = createStatementMeter()
  const { connections, ...sources } = openSources(options, { size: options.pool ?? 10, meter })
  const searching = openSources(options, { size: SEARCHES_AT_ONCE, meter, statementTimeoutMs: SEARCH_TIMEOUT_MS })
  return {
    ...sources,
    searching,
    activity: { watch: meter.watch, connections },
    async close() {
      for (const { db, replica } of [searching, sources]) {
        await replica?.destroy()
        await db.destroy()
      }
    },
  }
}

function openSources(
  { url, replicaUrl, log }: DatabaseOptions,
  options: PoolOptions,
): Sources & Pick<DatabaseActivity, 'connections'> {
  const { pool, connections } = openPool(url, options)
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }), ...(log === undefined ? {} : { log }) })
  return { db, replica: replicaUrl == null ? null : openReplica(replicaUrl, pool, options), connections }
}

function openReplica(url: string, original: PostgresPool, options: PoolOptions): Db {
  const { pool } = openPool(url, options)
  return new Kysely<Tables>({
    dialect: new PostgresDialect({
      pool: { ...pool, connect: () => pool.connect().catch(() => original.connect()) },
    }),
  })
}

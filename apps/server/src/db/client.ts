/**
 * PostgreSQL through Kysely: embedded (db/embedded) or the operator's. Code outside of this file
 * does not depend on which one.
 */
import { Kysely, PostgresDialect, type LogEvent, type PostgresPool } from 'kysely'
import { createStatementMeter, type DatabaseActivity } from './activity.ts'
import { openPool, type PoolOptions } from './postgres-pool.ts'
import type { Tables } from './tables.ts'
import { createWorkers, WORKER_TIMEOUT_MS, type Workers } from './workers.ts'

export type Db = Kysely<Tables>

/**
 * Connections for searches, to the primary and the replica each, and so the number of concurrent
 * searches.
 */
export const SEARCHES_AT_ONCE = 3
/** Longer than any search of ten million posts takes that returns results. */
export const SEARCH_TIMEOUT_MS = 2_000

/** Connections for checks of the database: one for itself, and one for its workers. */
export const CHECKS_AT_ONCE = 2
/** A check gets no answer within this time when the server hangs. */
const CHECK_TIMEOUT_MS = 2_000
/**
 * A check connects to the worker anew each time: on a connection that was kept, nothing limits the
 * wait for a worker that hangs.
 */
const CHECK_OPTIONS = `-c citus.max_cached_conns_per_worker=0 -c citus.node_connection_timeout=${WORKER_TIMEOUT_MS}`

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
  /** The same on connections that no statement of visitors can hold, with a short time-out. */
  readonly checking: Sources
  /** Those of a cluster. */
  readonly workers: Workers
  close(): Promise<void>
}

export interface DatabaseOptions {
  /** Address of PostgreSQL, in the format of node-postgres. */
  readonly url: string
  /** A streaming replica of that PostgreSQL. */
  readonly replicaUrl?: string | null
  /** Maximum connections to each of the two. */
  readonly pool?: number
  /** How long a query waits for a connection before it fails. */
  readonly connectTimeoutMs?: number
  readonly log?: (event: LogEvent) => void
}

/** Opens no connection yet; the first query does. */
export function openDatabase(options: DatabaseOptions): Database {
  const meter = createStatementMeter()
  const workers = createWorkers()
  const { pool: size = 10, connectTimeoutMs } = options
  const patience = connectTimeoutMs === undefined ? {} : { connectTimeoutMs }
  const { connections, ...sources } = openSources(options, { size, meter, workers, ...patience })
  const searching = openSources(options, {
    ...{ size: SEARCHES_AT_ONCE, meter, workers, ...patience },
    statementTimeoutMs: SEARCH_TIMEOUT_MS,
  })
  const { url, replicaUrl = null } = options
  const checking = openSources(
    { url, replicaUrl },
    {
      // Not metered: a check of a worker that hangs is no slow query of the board.
      ...{ size: CHECKS_AT_ONCE, meter: createStatementMeter(), workers: createWorkers() },
      queryTimeoutMs: CHECK_TIMEOUT_MS,
      sessionOptions: CHECK_OPTIONS,
    },
  )
  return {
    ...sources,
    searching,
    checking,
    workers,
    activity: { watch: meter.watch, connections },
    async close() {
      for (const { db, replica } of [checking, searching, sources]) {
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
  // A connection that the primary has in its place is no failure.
  const { pool } = openPool(url, { ...options, meter: { ...options.meter, failed: () => {} } })
  return new Kysely<Tables>({
    dialect: new PostgresDialect({
      pool: { ...pool, connect: () => pool.connect().catch(() => original.connect()) },
    }),
  })
}

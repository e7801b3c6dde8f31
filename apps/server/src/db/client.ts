/** PostgreSQL through Kysely: the board's own (db/embedded) or the operator's. Nothing above this file knows which one serves. */
import { Kysely, PostgresDialect, type LogEvent, type PostgresPool } from 'kysely'
import { createStatementMeter, type DatabaseActivity, type StatementMeter } from './activity.ts'
import { openPool } from './postgres-pool.ts'
import type { Tables } from './tables.ts'

export type Db = Kysely<Tables>

export interface Database {
  readonly db: Db
  readonly activity: DatabaseActivity
  /** The same on the replica; null without one. While the replica is away its queries go to the original. */
  readonly replica: Db | null
  close(): Promise<void>
}

export interface DatabaseOptions {
  /** Address of PostgreSQL, as node-postgres takes it. */
  readonly url: string
  /** A streaming replica of that PostgreSQL. */
  readonly replicaUrl?: string | null
  /** Connections at most, to each of the two. */
  readonly pool?: number
  readonly log?: (event: LogEvent) => void
}

/** Opens no connection yet: the first query does. */
export function openDatabase(options: DatabaseOptions): Database {
  const meter = createStatementMeter()
  const { pool, connections } = openPool(options.url, options.pool ?? 10, meter)
  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool }),
    ...(options.log === undefined ? {} : { log: options.log }),
  })
  const replica = options.replicaUrl == null ? null : openReplica(options.replicaUrl, pool, meter, options)
  return {
    ...{ db, replica, activity: { watch: meter.watch, connections } },
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

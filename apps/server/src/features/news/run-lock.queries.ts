/** A lock of all processes that share a database, for one run at a time. */
import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import { isConnectionLost } from '../../lib/api-error.ts'

/** A number that no other lock uses: "news" in ASCII. */
const KEY = 0x6e657773

/** Whether a run is active in any process. */
export async function isRunLocked(db: Db): Promise<boolean> {
  // pg_locks shows a key of eight bytes as two halves; this one is below 2^32.
  const { rows } = await sql<{ held: boolean }>`
    select exists (
      select from pg_locks
      where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())
        and classid = 0 and objid = ${KEY}::oid and objsubid = 1 and granted
    ) as held`.execute(db)
  return rows[0]!.held
}

/**
 * Does some work unless another process is doing it. An advisory lock of PostgreSQL, held by one
 * connection for the time of the work, is released however the process ends.
 * @param work gets a function that checks the lock: it throws after the connection broke, because
 * another process may have started the work then
 * @returns null when another process holds the lock
 */
export async function withRunLock<T>(db: Db, work: (lookAtLock: () => Promise<void>) => Promise<T>): Promise<T | null> {
  return db.connection().execute(async (connection) => {
    const { rows } = await sql<{ held: boolean }>`select pg_try_advisory_lock(${KEY}::bigint) as held`.execute(
      connection,
    )
    if (rows[0]?.held !== true) return null
    try {
      return await work(async () => void (await sql`select 1`.execute(connection)))
    } finally {
      await sql`select pg_advisory_unlock(${KEY}::bigint)`.execute(connection).catch((error: unknown) => {
        // The lock is released with the connection.
        if (!isConnectionLost(error)) throw error
      })
    }
  })
}

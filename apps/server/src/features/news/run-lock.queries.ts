/** One worker at a time over all processes that share a database. */
import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import { isConnectionLost } from '../../lib/api-error.ts'

/** Any number that nothing else locks: "news" in ASCII. */
const KEY = 0x6e657773

/** Whether somebody is at the work, in whichever process. */
export async function isRunLocked(db: Db): Promise<boolean> {
  // A key of eight bytes stands there as its two halves; ours is below 2^32.
  const { rows } = await sql<{ held: boolean }>`
    select exists (
      select from pg_locks
      where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())
        and classid = 0 and objid = ${KEY}::oid and objsubid = 1 and granted
    ) as held`.execute(db)
  return rows[0]!.held
}

/**
 * Does some work unless another process is at it. PostgreSQL knows by a lock that belongs to a connection held meanwhile, and frees it
 * however the process ends.
 * @param work is given a look at the lock: it fails once the connection broke, as another process may be at the work from then on
 * @returns null when another process is at it
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
        // With the connection the lock is gone as well.
        if (!isConnectionLost(error)) throw error
      })
    }
  })
}

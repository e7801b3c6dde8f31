import { sql } from 'kysely'
import type { Db } from '../db/client.ts'
import { isDistributed } from '../db/distribution.ts'

/** How many statements wait for a lock; on a Citus cluster those of its workers. */
export async function countLockWaits(db: Db): Promise<number> {
  const waits = (await isDistributed(db))
    ? sql`citus_lock_waits`
    : sql`pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  const { rows } = await sql`select from ${waits}`.execute(db)
  return rows.length
}

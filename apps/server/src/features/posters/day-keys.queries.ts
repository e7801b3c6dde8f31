import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import { inOneTransaction } from '../../db/distribution.ts'

/**
 * The key of a day, which is `fresh` when the day has none yet. Of several servers that ask at
 * once, all get the same.
 */
export async function takeDayKey(db: Db, day: string, fresh: Buffer): Promise<Buffer> {
  // "do update" changes nothing; without it the existing row is not returned.
  const { rows } = await sql<{ key: Buffer }>`
    insert into "dayKeys" (day, key) values (${day}::date, ${fresh})
    on conflict (day) do update set day = excluded.day returning key`.execute(db)
  return rows[0]!.key
}

/** Deletes the keys of the days before this one. */
export async function deleteKeysBefore(db: Db, day: string): Promise<void> {
  await sql`delete from "dayKeys" where day < ${day}::date`.execute(db)
}

/**
 * Replaces the file of the table by one that has no key of the days before this one: a deleted row
 * stays readable in its page for most of a day, until another one needs its place.
 */
export async function replaceFile(db: Db, day: string): Promise<void> {
  await inOneTransaction(db, async (tx) => {
    // The key of this day may be there already, written by another server.
    await sql`lock table "dayKeys" in access exclusive mode`.execute(tx)
    const { rows: kept } = await sql<{ day: string; key: Buffer }>`
      select day::text, key from "dayKeys" where day >= ${day}::date`.execute(tx)
    await sql`truncate "dayKeys"`.execute(tx)
    for (const one of kept) await takeDayKey(tx, one.day, one.key)
  })
}

/**
 * Hides in lists who opened a thread whose post 1 was removed: its removal left the name and
 * tripcode in the row of the thread.
 */
import { sql, type Kysely } from 'kysely'

type Database = Kysely<unknown>

/** Threads per statement. */
const PORTION = 2_000

export async function up(db: Database): Promise<void> {
  for (let after = '00000000-0000-0000-0000-000000000000'; ;) {
    const { rows } = await sql<{ id: string }>`
      select id from threads where id > ${after}::uuid order by id limit ${PORTION}`.execute(db)
    if (rows.length === 0) return
    const hidden = await sql<{ id: string }>`
      update threads set nickname = null, trip = null
      where id = any(${rows.map(({ id }) => id)}::uuid[]) and (nickname is not null or trip is not null)
        and exists (select from posts where "threadId" = threads.id and number = 1 and "deletedAt" is not null)
      returning id`.execute(db)
    // The copies of a distributed board are on another server than the posts.
    await sql`
      update "threadHeads" set nickname = null, trip = null
      where id = any(${hidden.rows.map(({ id }) => id)}::uuid[])`.execute(db)
    after = rows.at(-1)!.id
  }
}

/** A restoration brings names back. */
export async function down(): Promise<void> {}

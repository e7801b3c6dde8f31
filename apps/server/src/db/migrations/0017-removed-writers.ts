/**
 * What removals left of writers. The name and tripcode of a removed post 1 were in the row of its
 * thread. The mail field of posts of logs was never deleted, and neither was the name of one
 * without a text: an index finds these posts, and the sweep clears them.
 */
import { sql, type Kysely } from 'kysely'

type Database = Kysely<unknown>

/** Threads per statement. */
const PORTION = 2_000

export async function up(db: Database): Promise<void> {
  // In place of posts_removed, which servers of the version before need.
  await sql`
    create index posts_kept on posts ("deletedAt")
    where "deletedAt" is not null
      and num_nonnulls(nullif(content, ''), name, trip, mail, "posterId", "userId", "visitorId", image, "foldReason") > 0`.execute(
    db,
  )
  await hideRemovedOpeners(db)
}

async function hideRemovedOpeners(db: Database): Promise<void> {
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

/** Names stay hidden: only a restoration brings them back. */
export async function down(db: Database): Promise<void> {
  await sql`drop index posts_kept`.execute(db)
}

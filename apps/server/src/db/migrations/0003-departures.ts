import { sql, type Kysely } from 'kysely'

/** Accounts that were deleted, until their name is off everything they posted; and which threads are liked lately. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table departures (
      "userId" uuid primary key,
      picture jsonb,
      "createdAt" timestamptz not null
    )`.execute(db)

  // Trending asks of a thread that nobody posts in whether anybody liked it within the window.
  await sql`create index thread_likes_newest on "threadLikes" ("threadId", "createdAt")`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop index thread_likes_newest`.execute(db)
  await sql`drop table departures`.execute(db)
}

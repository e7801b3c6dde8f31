/**
 * Finds what a browser wrote under no name, or under one with a tripcode: neither claims a name in
 * its thread (features/posts/authors.queries.ts).
 */
import { sql, type Kysely } from 'kysely'

type Database = Kysely<unknown>

export async function up(db: Database): Promise<void> {
  await sql`
    create index posts_nameless on posts ("visitorId", "threadId")
    where "visitorId" is not null and "userId" is null and (name is null or trip is not null)`.execute(db)
}

export async function down(db: Database): Promise<void> {
  await sql`drop index posts_nameless`.execute(db)
}

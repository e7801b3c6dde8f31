/**
 * Who writes, without an account: IDs within a thread and day, tripcodes, and sage
 * (docs/decisions/0056-ids-of-a-day.md). Posts of an older board have none of them.
 */
import { sql, type Kysely } from 'kysely'

type Database = Kysely<unknown>

export async function up(db: Database): Promise<void> {
  await sql`alter table categories add column "posterIds" text not null default 'thread'`.execute(db)
  await sql`
    alter table categories add constraint "categories_posterIds_check"
      check ("posterIds" in ('off', 'thread', 'day'))`.execute(db)
  await sql`
    alter table threads
      add column trip text,
      add column sages integer not null default 0,
      add column "liftedAt" timestamptz`.execute(db)
  await sql`
    alter table posts
      add column trip text,
      add column "posterId" text,
      add column sage boolean not null default false`.execute(db)
  // For how often an ID has written. Older posts have none, so the index is built at once.
  await sql`
    create index posts_poster on posts ("threadId", "posterId", number)
    where "posterId" is not null and "deletedAt" is null`.execute(db)
  await sql`create unlogged table "dayKeys" (day date primary key, key bytea not null)`.execute(db)
}

export async function down(db: Database): Promise<void> {
  await sql`drop table "dayKeys"`.execute(db)
  await sql`drop index posts_poster`.execute(db)
  await sql`alter table posts drop column trip, drop column "posterId", drop column sage`.execute(db)
  await sql`alter table threads drop column trip, drop column sages, drop column "liftedAt"`.execute(db)
  await sql`alter table categories drop column "posterIds"`.execute(db)
}

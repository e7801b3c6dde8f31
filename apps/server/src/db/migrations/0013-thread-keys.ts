/** Keys of threads for browsers of 2ch, and what their logs keep of posts. */
import { sql, type Kysely } from 'kysely'

type Database = Kysely<unknown>

export async function up(db: Database): Promise<void> {
  await sql`
    create table "threadKeys" (
      "categoryId" uuid not null,
      key bigint not null,
      "threadId" uuid not null,
      primary key ("categoryId", key),
      unique ("threadId", "categoryId")
    )`.execute(db)
  // The second of its opening, or the next free one: after the key of the thread before.
  await sql`
    insert into "threadKeys" ("categoryId", key, "threadId")
    select "categoryId", nth + max(second - nth) over (partition by "categoryId" order by nth), id from (
      select "categoryId", id, floor(extract(epoch from "createdAt"))::bigint as second,
        row_number() over (partition by "categoryId" order by floor(extract(epoch from "createdAt")), id) as nth
      from threads
    ) as numbered`.execute(db)
  await sql`
    create table "datLengths" (
      "threadId" uuid primary key,
      bytes integer[] not null
    )`.execute(db)
  await sql`
    create table "proofCodes" (
      "codeHash" text primary key,
      "endsAt" timestamptz not null
    )`.execute(db)
  await sql`alter table posts add column mail text`.execute(db)
}

export async function down(db: Database): Promise<void> {
  await sql`alter table posts drop column mail`.execute(db)
  await sql`drop table "proofCodes"`.execute(db)
  await sql`drop table "datLengths"`.execute(db)
  await sql`drop table "threadKeys"`.execute(db)
}

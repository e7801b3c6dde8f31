/** Browsers that are registered for Web Push, and what they watch (docs/product.md#push). */
import { sql, type Kysely } from 'kysely'

type Database = Kysely<unknown>

export async function up(db: Database): Promise<void> {
  await sql`
    create table "pushBrowsers" (
      id uuid primary key,
      "tokenHash" text not null unique,
      "endpointHash" text not null unique,
      "sealedSubscription" text not null,
      answers boolean not null,
      titles boolean not null,
      "quietFrom" smallint,
      "quietUntil" smallint,
      "perHour" smallint not null,
      "hourStartedAt" timestamptz,
      "sentInHour" smallint not null default 0,
      failures smallint not null default 0,
      "seenAt" timestamptz not null
    )`.execute(db)
  await sql`create index "pushBrowsers_seen" on "pushBrowsers" ("seenAt")`.execute(db)
  await sql`
    create table "pushWatches" (
      "threadId" uuid not null,
      "browserId" uuid not null references "pushBrowsers" (id) on delete cascade,
      watched boolean not null,
      "ownPosts" integer[] not null,
      primary key ("threadId", "browserId")
    )`.execute(db)
  await sql`create index "pushWatches_browser" on "pushWatches" ("browserId")`.execute(db)
  await sql`
    create table "pushWords" (
      word text not null,
      "browserId" uuid not null references "pushBrowsers" (id) on delete cascade,
      primary key (word, "browserId")
    )`.execute(db)
  await sql`create index "pushWords_browser" on "pushWords" ("browserId")`.execute(db)
  await sql`
    create table "pushNotices" (
      "browserId" uuid not null references "pushBrowsers" (id) on delete cascade,
      "threadId" uuid not null,
      kind text not null check (kind in ('answer', 'posts', 'thread')),
      number integer not null,
      "dueAt" timestamptz,
      "sentAt" timestamptz,
      tries smallint not null default 0,
      primary key ("browserId", "threadId")
    )`.execute(db)
  await sql`create index "pushNotices_due" on "pushNotices" ("dueAt") where "dueAt" is not null`.execute(db)
  await sql`create index "pushNotices_sent" on "pushNotices" ("sentAt") where "dueAt" is null`.execute(db)
}

export async function down(db: Database): Promise<void> {
  for (const table of ['pushNotices', 'pushWords', 'pushWatches', 'pushBrowsers']) {
    await sql`drop table ${sql.table(table)}`.execute(db)
  }
}

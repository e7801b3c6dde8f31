/**
 * Levels of browsers and members (忍法帖), in place of the first post of each browser. A browser
 * begins with the days between its first and its last post, a member with those of the account.
 */
import { sql, type Kysely } from 'kysely'

type Database = Kysely<unknown>

/** Higher levels are earned day by day. */
const CARRIED_MAX = 5

export async function up(db: Database): Promise<void> {
  await sql`
    create table levels (
      "actorId" uuid primary key,
      days smallint not null default 0,
      removals smallint not null default 0,
      "pendingDay" date,
      "stainedDay" date,
      "seenOn" date not null
    )`.execute(db)
  await sql`create index levels_seen on levels ("seenOn")`.execute(db)
  await sql`
    create table "levelPhrases" (
      "actorId" uuid primary key,
      "phraseHash" text not null unique,
      "expiresAt" timestamptz not null
    )`.execute(db)
  await sql`
    insert into levels ("actorId", days, "seenOn")
    select "visitorId", least(${CARRIED_MAX}, greatest(0, "seenAt"::date - "firstPostAt"::date)), "seenAt"::date
    from "knownVisitors" where "firstPostAt" is not null`.execute(db)
  await sql`
    insert into levels ("actorId", days, "seenOn")
    select u.id, least(${CARRIED_MAX}, greatest(0, current_date - u."createdAt"::date)), current_date
    from users as u`.execute(db)
  await sql`alter table categories add column "holdImages" boolean not null default false`.execute(db)
  await sql`alter table posts add column "plainLinks" boolean not null default false`.execute(db)
  await sql`delete from "knownVisitors" where "provenUntil" is null`.execute(db)
  await sql`alter table "knownVisitors" drop column "firstPostAt", drop column "seenAt"`.execute(db)
  await sql`alter table "knownVisitors" alter column "provenUntil" set not null`.execute(db)
  await sql`alter table "knownVisitors" rename to proofs`.execute(db)
  await sql`create index proofs_end on proofs ("provenUntil")`.execute(db)
}

export async function down(db: Database): Promise<void> {
  await sql`drop index proofs_end`.execute(db)
  await sql`alter table proofs rename to "knownVisitors"`.execute(db)
  await sql`
    alter table "knownVisitors" alter column "provenUntil" drop not null,
      add column "firstPostAt" timestamptz, add column "seenAt" timestamptz not null default now()`.execute(db)
  await sql`alter table "knownVisitors" alter column "seenAt" drop default`.execute(db)
  await sql`
    insert into "knownVisitors" ("visitorId", "firstPostAt", "seenAt")
    select "actorId", "seenOn" - days, "seenOn" from levels where not exists (select from users where id = "actorId")
    on conflict ("visitorId") do update set "firstPostAt" = excluded."firstPostAt"`.execute(db)
  await sql`alter table posts drop column "plainLinks"`.execute(db)
  await sql`alter table categories drop column "holdImages"`.execute(db)
  await sql`drop table "levelPhrases", levels`.execute(db)
}

import { sql, type Kysely } from 'kysely'

/** The lists that threads are read in. Removed threads stand in none of them. */
const LISTS = [
  ['threads_category', '"categoryId", id'],
  ['threads_popular', '"rankedPosts", id'],
  ['threads_category_popular', '"categoryId", "rankedPosts", id'],
  ['threads_liked', '"rankedLikes", id'],
  ['threads_category_liked', '"categoryId", "rankedLikes", id'],
  ['threads_heat', '"rankedHeat", id'],
  ['threads_category_heat', '"categoryId", "rankedHeat", id'],
] as const

/** What a few people need to run the board: roles, reports as cases, bans, word rules, raid mode, held posts, and the log of it all. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table threads
      add column "lockedAt" timestamptz,
      add column pinned text check (pinned in ('category', 'board')),
      add column "removedAt" timestamptz`.execute(db)
  for (const [name, columns] of LISTS) {
    await sql.raw(`drop index ${name}`).execute(db)
    await sql.raw(`create index ${name} on threads (${columns}) where "removedAt" is null`).execute(db)
  }
  await sql`create index threads_newest on threads (id) where "removedAt" is null`.execute(db)
  await sql`create index threads_pinned on threads ("categoryId", id) where pinned is not null and "removedAt" is null`.execute(
    db,
  )
  await sql`create index threads_pinned_board on threads (id) where pinned = 'board' and "removedAt" is null`.execute(
    db,
  )
  // A thread that is deleted takes the ids of its requests along.
  await sql`create index thread_requests_thread on "threadRequests" ("threadId")`.execute(db)
  await sql`create index threads_removed on threads ("removedAt") where "removedAt" is not null`.execute(db)
  // Threads of visitors who gave no name: those with one are found by it (nicknames_visitor).
  await sql`create index threads_nameless on threads ("visitorId") where nickname is null and "visitorId" is not null`.execute(
    db,
  )
  await sql`create index nicknames_visitor on nicknames ("visitorId")`.execute(db)

  await sql`
    alter table posts
      add column "foldedAt" timestamptz,
      add column "removedRule" text`.execute(db)
  // Members are found by how their name or mail address begins: by bytes, whatever the database sorts by.
  await sql`create index user_names_beginning on "userNames" (name text_pattern_ops)`.execute(db)
  await sql`create index users_email_beginning on users ("emailKey" text_pattern_ops)`.execute(db)
  // Those whose text is still kept: the index stays as small as a month of removals.
  await sql`create index posts_removed on posts ("deletedAt") where "deletedAt" is not null and content <> ''`.execute(
    db,
  )

  // How many there are, by the hour of their ids, so that nothing that grows is ever counted. Several rows an hour ("lane"), so that
  // servers do not wait for each other; their sum counts.
  await sql`
    create table tallies (
      kind text not null,
      hour bigint not null,
      lane integer not null,
      count bigint not null,
      primary key (kind, hour, lane)
    )`.execute(db)
  for (const [kind, table, where] of [
    ['users', 'users', 'true'],
    ['threads', 'threads', 'true'],
    ['posts', 'posts', '"deletedAt" is null'],
  ] as const) {
    await sql
      .raw(
        `insert into tallies (kind, hour, lane, count)
         select '${kind}', ('x' || left(replace(id::text, '-', ''), 12))::bit(48)::bigint / 3600000, 0, count(*)
         from ${table} where ${where} group by 2`,
      )
      .execute(db)
  }

  // What every server keeps in memory, and the number that rises with each change of it.
  await sql`create table revisions (name text primary key, revision bigint not null)`.execute(db)

  await sql`
    create table moderators (
      "userId" uuid primary key references users (id) on delete cascade,
      "categoryIds" jsonb,
      "createdAt" timestamptz not null
    )`.execute(db)

  await sql`
    create table "secondFactors" (
      "userId" uuid primary key references users (id) on delete cascade,
      "sealedSecret" text not null,
      "confirmedAt" timestamptz,
      "lastStep" bigint not null default 0,
      "recoveryHashes" jsonb not null default '[]',
      "createdAt" timestamptz not null
    )`.execute(db)

  await sql`
    create table "auditLog" (
      id uuid primary key,
      at timestamptz not null,
      "actorId" uuid,
      "actorName" text,
      action text not null,
      "categoryId" uuid,
      "threadId" uuid,
      "postId" uuid,
      number integer,
      subject text,
      rule text,
      reason text,
      details jsonb not null default '{}',
      "isPublic" boolean not null default false,
      undoes uuid
    )`.execute(db)
  await sql`create unique index audit_log_undoes on "auditLog" (undoes) where undoes is not null`.execute(db)
  await sql`create index audit_log_public on "auditLog" (id) where "isPublic"`.execute(db)
  await sql`
    create function refuse_change() returns trigger language plpgsql as $$
    begin
      raise exception 'the log is only ever added to';
    end $$`.execute(db)
  await sql`
    create trigger audit_log_append_only before update or delete or truncate on "auditLog"
    for each statement execute function refuse_change()`.execute(db)

  await sql`
    alter table "bannedWords"
      add column action text not null default 'block' check (action in ('block', 'mask', 'hold', 'flag')),
      add column note text not null default ''`.execute(db)

  await sql`
    create table bans (
      id uuid primary key,
      kind text not null check (kind in ('user', 'visitor', 'network')),
      subject text not null,
      "userId" uuid,
      label text not null,
      scope text not null check (scope in ('site', 'category', 'thread')),
      "scopeId" uuid,
      reason text not null,
      note text not null default '',
      "createdBy" uuid,
      "createdAt" timestamptz not null,
      "expiresAt" timestamptz,
      "liftedAt" timestamptz
    )`.execute(db)
  await sql`create index bans_subject on bans (subject) where "liftedAt" is null`.execute(db)
  await sql`create index bans_user on bans ("userId") where "userId" is not null`.execute(db)
  await sql`create index bans_standing on bans ("expiresAt") where "liftedAt" is null`.execute(db)

  // Which networks somebody wrote from in the last days, as hashes whose key changes daily. Nothing here names an address.
  await sql`
    create table origins (
      actor uuid not null,
      hash text not null,
      "seenAt" timestamptz not null,
      primary key (actor, hash)
    )`.execute(db)
  await sql`create index origins_hash on origins (hash)`.execute(db)
  await sql`create index origins_seen on origins ("seenAt")`.execute(db)

  // Browsers that have written before, and until when their proof of work counts.
  await sql`
    create table "knownVisitors" (
      "visitorId" uuid primary key,
      "firstPostAt" timestamptz,
      "provenUntil" timestamptz
    )`.execute(db)
  await sql`
    insert into "knownVisitors" ("visitorId", "firstPostAt")
    select "visitorId", min("createdAt") from nicknames group by "visitorId"`.execute(db)

  await sql`
    create table shields (
      "categoryId" uuid primary key references categories (id) on delete cascade,
      step integer not null check (step between 0 and 4),
      manual boolean not null,
      since timestamptz not null,
      "activeAt" timestamptz not null,
      until timestamptz
    )`.execute(db)

  await sql`
    create table "heldPosts" (
      id uuid primary key,
      status text not null check (status in ('waiting', 'approved', 'rejected')),
      "categoryId" uuid not null,
      "threadId" uuid,
      "visitorId" uuid not null,
      "userId" uuid,
      "clientId" uuid,
      why text not null,
      detail text,
      payload jsonb,
      "createdAt" timestamptz not null,
      "decidedAt" timestamptz
    )`.execute(db)
  await sql`create index held_posts_waiting on "heldPosts" (id) where status = 'waiting'`.execute(db)
  await sql`create index held_posts_writer on "heldPosts" ("visitorId") where status = 'waiting'`.execute(db)
  // Also what was decided: the name of a member who leaves comes off it.
  await sql`create index held_posts_member on "heldPosts" ("userId") where "userId" is not null`.execute(db)
  // The same sending again is the same held post. A thread that is held has no thread yet.
  await sql`
    create unique index held_posts_client on "heldPosts" ((coalesce("threadId", "clientId")), "clientId")
    where "clientId" is not null`.execute(db)
  await sql`create index held_posts_decided on "heldPosts" ("decidedAt") where status <> 'waiting'`.execute(db)

  // From here on tables grow with what is posted: keys begin with the thread.
  await sql`
    alter table reports
      add column voice text,
      add column muted boolean not null default false`.execute(db)
  await sql`update reports set voice = reporter::text`.execute(db)
  await sql`alter table reports alter column voice set not null`.execute(db)
  await sql`create index reports_reporter on reports (reporter, id)`.execute(db)
  await sql`
    create table "mutedReporters" (
      reporter uuid primary key,
      until timestamptz
    )`.execute(db)
  await sql`
    create table cases (
      "threadId" uuid not null,
      "postId" uuid not null,
      number integer not null,
      "categoryId" uuid not null,
      status text not null check (status in ('open', 'closed')),
      reports integer not null,
      voices integer not null,
      "heardVoices" integer not null default 0,
      flag text,
      note text not null default '',
      decision text,
      "decidedBy" text,
      "decidedAt" timestamptz,
      "actionId" uuid,
      "createdAt" timestamptz not null,
      primary key ("threadId", "postId")
    )`.execute(db)
  await sql`create index cases_reported on cases (voices desc, "createdAt", "postId") where status = 'open'`.execute(db)
  await sql`create index cases_oldest on cases ("createdAt", "postId") where status = 'open'`.execute(db)
  await sql`create index cases_closed on cases ("decidedAt", "postId") where status = 'closed'`.execute(db)
  // For who moderates some categories: else a quiet one would mean to walk through all that others have.
  await sql`create index cases_category_open on cases ("categoryId") where status = 'open'`.execute(db)
  await sql`create index cases_category_closed on cases ("categoryId", "decidedAt", "postId") where status = 'closed'`.execute(
    db,
  )
  await sql`
    insert into cases ("threadId", "postId", number, "categoryId", status, reports, voices, "createdAt")
    select r."threadId", r."postId", min((r.evidence->>'number')::integer), t."categoryId", 'open', count(*), count(distinct r.voice), min(r."createdAt")
    from reports as r join threads as t on t.id = r."threadId"
    group by r."threadId", r."postId", t."categoryId"`.execute(db)

  await sql`
    create table "traceOrders" (
      id uuid primary key,
      "threadId" uuid not null,
      reason text not null,
      "createdBy" uuid,
      "createdAt" timestamptz not null,
      "endsAt" timestamptz not null,
      "endedAt" timestamptz
    )`.execute(db)
  await sql`create unique index trace_orders_running on "traceOrders" ("threadId") where "endedAt" is null`.execute(db)
  await sql`
    create table traces (
      "threadId" uuid not null,
      "postId" uuid not null,
      "orderId" uuid not null,
      sealed text not null,
      "createdAt" timestamptz not null,
      primary key ("threadId", "postId")
    )`.execute(db)
  await sql`create index traces_order on traces ("orderId")`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  for (const table of [
    ...['traces', '"traceOrders"', 'cases', '"mutedReporters"', '"heldPosts"', 'shields', '"knownVisitors"', 'origins'],
    ...['bans', '"auditLog"', '"secondFactors"', 'moderators', 'revisions', 'tallies'],
  ]) {
    await sql.raw(`drop table ${table}`).execute(db)
  }
  await sql`drop function refuse_change`.execute(db)
  await sql`drop index reports_reporter`.execute(db)
  await sql`alter table reports drop column voice, drop column muted`.execute(db)
  await sql`alter table "bannedWords" drop column action, drop column note`.execute(db)
  await sql`drop index posts_removed`.execute(db)
  await sql`drop index user_names_beginning`.execute(db)
  await sql`drop index users_email_beginning`.execute(db)
  await sql`alter table posts drop column "foldedAt", drop column "removedRule"`.execute(db)
  await sql`drop index nicknames_visitor`.execute(db)
  await sql`drop index thread_requests_thread`.execute(db)
  for (const name of [
    'threads_newest',
    'threads_pinned',
    'threads_pinned_board',
    'threads_removed',
    'threads_nameless',
  ]) {
    await sql.raw(`drop index ${name}`).execute(db)
  }
  for (const [name] of LISTS) await sql.raw(`drop index ${name}`).execute(db)
  await sql`alter table threads drop column "lockedAt", drop column pinned, drop column "removedAt"`.execute(db)
  for (const [name, columns] of LISTS) await sql.raw(`create index ${name} on threads (${columns})`).execute(db)
}

import { sql, type Kysely } from 'kysely'

/**
 * The queue of mails; columns and indexes for deleting old rows by an index range.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Deleting a token deletes its mail: a link that was used or revoked is not mailed any more.
  await sql`
    create table mails (
      id uuid primary key,
      purpose text not null check (purpose in ('reset', 'verify')),
      "tokenHash" text unique references "mailTokens" ("tokenHash") on delete cascade,
      "sealedToken" text,
      tries integer not null default 0,
      "nextTryAt" timestamptz,
      "givenUpAt" timestamptz,
      problem text,
      "createdAt" timestamptz not null,
      check (("nextTryAt" is null) = ("givenUpAt" is not null)),
      check (("tokenHash" is null) = ("givenUpAt" is not null)),
      check (("sealedToken" is null) = ("givenUpAt" is not null))
    )`.execute(db)
  await sql`create index mails_due on mails ("nextTryAt") where "nextTryAt" is not null`.execute(db)
  await sql`create index mails_given_up on mails ("givenUpAt") where "givenUpAt" is not null`.execute(db)

  // True while a thread's nicknames are deleted and have to be rebuilt from its posts.
  await sql`alter table threads add column "namesForgotten" boolean not null default false`.execute(db)

  await sql`create index user_names_released on "userNames" ("releasedAt") where "releasedAt" is not null`.execute(db)

  // Existing rows count as seen today. The default stays for servers of the previous version during
  // a rolling update.
  await sql`alter table "knownVisitors" add column "seenAt" timestamptz not null default now()`.execute(db)
  await sql`create index known_visitors_seen on "knownVisitors" ("seenAt")`.execute(db)
  await sql`create index known_visitors_proven on "knownVisitors" ("provenUntil") where "firstPostAt" is null`.execute(
    db,
  )

  // A ban ends when it is lifted or expires, whichever is first; null for one that stands for ever.
  await sql`create index bans_ended on bans (least("liftedAt", "expiresAt"))`.execute(db)
  await sql`
    create index bans_networks on bans (least("liftedAt", "expiresAt")) where kind = 'network' and subject <> ''`.execute(
    db,
  )

  // The log is append-only, except that the details of an entry may be emptied.
  await sql`create index audit_log_details on "auditLog" (id) where details <> '{}'`.execute(db)
  await sql`drop trigger audit_log_append_only on "auditLog"`.execute(db)
  await sql`
    create trigger audit_log_append_only before delete or truncate on "auditLog"
    for each statement execute function refuse_change()`.execute(db)
  await sql`
    create function refuse_change_but_thinning() returns trigger language plpgsql as $$
    begin
      old.details := '{}';
      if new is distinct from old then
        raise exception 'the log is only ever added to';
      end if;
      return new;
    end $$`.execute(db)
  await sql`
    create trigger audit_log_thinned_only before update on "auditLog"
    for each row execute function refuse_change_but_thinning()`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop trigger audit_log_thinned_only on "auditLog"`.execute(db)
  await sql`drop function refuse_change_but_thinning`.execute(db)
  await sql`drop trigger audit_log_append_only on "auditLog"`.execute(db)
  await sql`
    create trigger audit_log_append_only before update or delete or truncate on "auditLog"
    for each statement execute function refuse_change()`.execute(db)
  for (const index of [
    ...['audit_log_details', 'bans_networks', 'bans_ended', 'known_visitors_proven', 'known_visitors_seen'],
    'user_names_released',
  ]) {
    await sql.raw(`drop index ${index}`).execute(db)
  }
  await sql`alter table "knownVisitors" drop column "seenAt"`.execute(db)
  await sql`alter table threads drop column "namesForgotten"`.execute(db)
  await sql`drop table mails`.execute(db)
}

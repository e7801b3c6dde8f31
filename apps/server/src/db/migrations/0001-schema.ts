import { sql, type Kysely } from 'kysely'
import { uuidv7 } from '../../lib/uuid.ts'

/** The seven categories of a new board, in the order of display (docs/product.md#categories). */
const CATEGORIES: readonly [name: string, description: string][] = [
  ['politics', '政治・行政の話題'],
  ['economy', '経済・くらしの話題'],
  ['world', '世界のできごと'],
  ['immigration', '移民・難民をめぐる話題'],
  ['immigration-japan', '日本の移民政策と共生の話題'],
  ['rant', '愚痴・吐き出し'],
  ['general', '何でも雑談'],
]

/**
 * Threats that no thread needs; operators add more words. `allow` are harmless words that contain
 * them.
 */
const BANNED: readonly [word: string, allow: readonly string[]][] = [
  ['死ね', ['死ねない', '死ねば諸共', '死ねる']],
  ['殺すぞ', []],
  ['殺してやる', []],
  ['ぶっ殺', []],
  ['爆破予告', []],
  ['闇バイト募集', []],
]

type Database = Kysely<unknown>

/**
 * The whole schema, equal to that of the ten migrations before 1.0, and the initial data of a
 * board.
 */
export async function up(db: Database): Promise<void> {
  await createBoard(db)
  await createSettings(db)
  await createAccounts(db)
  await createThreads(db)
  await createPosts(db)
  await createSearch(db)
  await createLikesAndRooms(db)
  await createReports(db)
  await createModeration(db)
  await createNews(db)
  await createPictures(db)
  await fill(db)
}

async function createBoard(db: Database): Promise<void> {
  await sql`
    create table categories (
      id uuid primary key,
      name text not null unique,
      description text not null,
      position integer not null,
      "createdAt" timestamptz not null
    )`.execute(db)
  await sql`
    create table "bannedWords" (
      id uuid primary key,
      word text not null unique,
      allow jsonb not null default '[]',
      "createdAt" timestamptz not null,
      action text not null default 'block' check (action in ('block', 'mask', 'hold', 'flag')),
      note text not null default ''
    )`.execute(db)
}

async function createSettings(db: Database): Promise<void> {
  await sql`create table settings (key text primary key, value jsonb not null)`.execute(db)

  // The data that every server keeps in memory, with a number that increases with each change.
  await sql`create table revisions (name text primary key, revision bigint not null)`.execute(db)

  // Number of rows by the hour of their ids, so that growing tables are never counted. An hour has
  // several rows ("lane"), so that servers do not wait for each other; the total is their sum.
  await sql`
    create table tallies (
      kind text not null,
      hour bigint not null,
      lane integer not null,
      count bigint not null,
      primary key (kind, hour, lane)
    )`.execute(db)
}

/** Members, their names and sessions, and the queue of mails to them. */
async function createAccounts(db: Database): Promise<void> {
  await sql`
    create table users (
      id uuid primary key,
      name text not null,
      email text,
      "emailKey" text,
      "emailVerifiedAt" timestamptz,
      "passwordHash" text,
      "googleSubject" text unique,
      picture jsonb,
      "isAdmin" boolean not null default false,
      "createdAt" timestamptz not null
    )`.execute(db)
  await sql`create index users_admin on users (id) where "isAdmin"`.execute(db)
  // Only a confirmed mail address is unique. Its owner gets a mail when somebody registers with it.
  await sql`create unique index users_email_confirmed on users ("emailKey") where "emailVerifiedAt" is not null`.execute(
    db,
  )
  // For searches of members by a prefix of name or mail address: by bytes, independent of the
  // database's collation.
  await sql`create index users_email_beginning on users ("emailKey" text_pattern_ops)`.execute(db)

  // The only place where names are unique: of members, and former names that are still reserved.
  await sql`
    create table "userNames" (
      name text primary key,
      "userId" uuid not null references users (id) on delete cascade,
      "releasedAt" timestamptz
    )`.execute(db)
  await sql`create index user_names_user on "userNames" ("userId")`.execute(db)
  await sql`create index user_names_beginning on "userNames" (name text_pattern_ops)`.execute(db)
  await sql`create index user_names_released on "userNames" ("releasedAt") where "releasedAt" is not null`.execute(db)

  await sql`
    create table sessions (
      id uuid primary key,
      "userId" uuid not null references users (id) on delete cascade,
      "tokenHash" text not null,
      "previousHash" text,
      attempt text,
      device text not null,
      "createdAt" timestamptz not null,
      "lastUsedAt" timestamptz not null,
      "expiresAt" timestamptz not null
    )`.execute(db)
  await sql`create index sessions_user on sessions ("userId", "lastUsedAt")`.execute(db)
  await sql`create index sessions_expiry on sessions ("expiresAt")`.execute(db)

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
    create table moderators (
      "userId" uuid primary key references users (id) on delete cascade,
      "categoryIds" jsonb,
      "createdAt" timestamptz not null
    )`.execute(db)

  // Deleted accounts, until their name is removed from all their posts.
  await sql`
    create table departures (
      "userId" uuid primary key,
      picture jsonb,
      "createdAt" timestamptz not null
    )`.execute(db)

  await sql`
    create table "mailTokens" (
      "tokenHash" text primary key,
      "userId" uuid not null references users (id) on delete cascade,
      purpose text not null,
      email text not null,
      "expiresAt" timestamptz not null
    )`.execute(db)
  await sql`create index mail_tokens_user on "mailTokens" ("userId", purpose)`.execute(db)
  await sql`create index mail_tokens_expiry on "mailTokens" ("expiresAt")`.execute(db)

  // Deleting a token deletes its mail: a used or revoked link must not be mailed.
  await sql`
    create table mails (
      id uuid primary key,
      purpose text not null check (purpose in ('reset', 'verify', 'in_use')),
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
}

async function createThreads(db: Database): Promise<void> {
  // Counters are raised with every post: free space in each page keeps those updates in the page,
  // and no index contains a live counter. "namesForgotten" is true while a thread's nicknames are
  // deleted and have to be rebuilt from its posts.
  await sql`
    create table threads (
      id uuid primary key,
      "categoryId" uuid not null references categories (id),
      title text not null,
      excerpt text not null,
      nickname text,
      "userId" uuid,
      "visitorId" uuid,
      image jsonb,
      "createdAt" timestamptz not null,
      "aiGenerated" boolean not null default false,
      "sourceSite" text,
      "sourceUrl" text,
      likes integer not null default 0,
      "postCount" integer not null default 0,
      revision integer not null default 0,
      "lastPostAt" timestamptz not null,
      heat double precision not null default 0,
      "rankedPosts" integer not null default 0,
      "rankedLikes" integer not null default 0,
      "rankedHeat" double precision not null default 0,
      "lockedAt" timestamptz,
      pinned text check (pinned in ('category', 'board')),
      "removedAt" timestamptz,
      summary text check (summary in ('ai', 'extractive', 'headline')),
      "namesForgotten" boolean not null default false
    ) with (fillfactor = 70)`.execute(db)
  // Indexes of the lists of threads. None of them contains removed threads.
  for (const [name, columns] of [
    ['threads_newest', 'id'],
    ['threads_category', '"categoryId", id'],
    ['threads_popular', '"rankedPosts", id'],
    ['threads_category_popular', '"categoryId", "rankedPosts", id'],
    ['threads_liked', '"rankedLikes", id'],
    ['threads_category_liked', '"categoryId", "rankedLikes", id'],
    ['threads_heat', '"rankedHeat", id'],
    ['threads_category_heat', '"categoryId", "rankedHeat", id'],
  ] as const) {
    await sql.raw(`create index ${name} on threads (${columns}) where "removedAt" is null`).execute(db)
  }
  await sql`
    create index threads_pinned on threads ("categoryId", id)
    where pinned is not null and "removedAt" is null`.execute(db)
  await sql`
    create index threads_pinned_board on threads (id) where pinned = 'board' and "removedAt" is null`.execute(db)
  await sql`create index threads_removed on threads ("removedAt") where "removedAt" is not null`.execute(db)
  // Threads of visitors without a nickname; the others are found by the nickname
  // (nicknames_visitor).
  await sql`
    create index threads_nameless on threads ("visitorId")
    where nickname is null and "visitorId" is not null`.execute(db)
  // For the filtered lists of the administration and a writer's history, here and for posts,
  // nicknames and bans.
  await sql`create index threads_writer on threads ("userId", id) where "userId" is not null`.execute(db)
  await sql`
    create index threads_locked on threads ("categoryId", id)
    where "lockedAt" is not null and "removedAt" is null`.execute(db)

  // A separate table, so that the client's id is unique and the keys of the threads stay ready for
  // distribution.
  await sql`create table "threadRequests" ("clientThreadId" uuid primary key, "threadId" uuid not null)`.execute(db)
  // For deleting the request ids of a deleted thread.
  await sql`create index thread_requests_thread on "threadRequests" ("threadId")`.execute(db)

  await sql`
    create table nicknames (
      "threadId" uuid not null,
      name text not null,
      "visitorId" uuid not null,
      "createdAt" timestamptz not null,
      primary key ("threadId", name)
    )`.execute(db)
  await sql`create index nicknames_visitor on nicknames ("visitorId")`.execute(db)
  await sql`create index nicknames_name on nicknames (name, "threadId")`.execute(db)
}

/** Tables that grow with posts: their keys begin with the thread, or contain it. */
async function createPosts(db: Database): Promise<void> {
  // No foreign key to threads: the statement that writes posts locks the thread's row, and a check
  // per post would cost more than the insert.
  await sql`
    create table posts (
      "threadId" uuid not null,
      number integer not null,
      id uuid not null,
      name text,
      content text not null,
      image jsonb,
      "userId" uuid,
      "visitorId" uuid,
      "clientPostId" uuid,
      "createdAt" timestamptz not null,
      likes integer not null default 0,
      "deletedAt" timestamptz,
      "foldedAt" timestamptz,
      "removedRule" text,
      "asStaff" boolean not null default false,
      primary key ("threadId", number)
    )`.execute(db)
  await sql`create index posts_id on posts (id)`.execute(db)
  await sql`
    create unique index posts_client on posts ("threadId", "clientPostId") where "clientPostId" is not null`.execute(db)
  // Removed posts that still have their text: the index contains only a month of removals.
  await sql`create index posts_removed on posts ("deletedAt") where "deletedAt" is not null and content <> ''`.execute(
    db,
  )
  await sql`create index posts_folded on posts (id) where "foldedAt" is not null`.execute(db)
}

async function createSearch(db: Database): Promise<void> {
  await sql`
    create table "searchDocuments" (
      "threadId" uuid not null,
      number integer not null,
      text text not null,
      grams bigint[] not null,
      primary key ("threadId", number)
    )`.execute(db)
  // Filled in the background, so entries are written directly to the index: every search would scan
  // a pending list.
  await sql`
    create index search_documents_grams on "searchDocuments" using gin (grams) with (fastupdate = off)`.execute(db)
  await sql`create table "searchBuckets" (bucket integer primary key, "firstThreadId" uuid not null)`.execute(db)
}

/** The likes of members, and the threads they posted in. */
async function createLikesAndRooms(db: Database): Promise<void> {
  await sql`
    create table rooms (
      "userId" uuid not null,
      "threadId" uuid not null,
      "lastPostAt" timestamptz not null,
      primary key ("threadId", "userId")
    )`.execute(db)
  await sql`create index rooms_newest on rooms ("userId", "lastPostAt", "threadId")`.execute(db)

  await sql`
    create table "threadLikes" (
      "threadId" uuid not null,
      "userId" uuid not null,
      "createdAt" timestamptz not null,
      primary key ("threadId", "userId")
    )`.execute(db)
  await sql`create index thread_likes_user on "threadLikes" ("userId", "threadId")`.execute(db)
  // For trending, which looks up whether a thread without new posts got a like in the window.
  await sql`create index thread_likes_newest on "threadLikes" ("threadId", "createdAt")`.execute(db)

  // With this order of columns the key also finds the likes of one user in one thread.
  await sql`
    create table "postLikes" (
      "threadId" uuid not null,
      "userId" uuid not null,
      "postId" uuid not null,
      "createdAt" timestamptz not null,
      primary key ("threadId", "userId", "postId")
    )`.execute(db)
}

async function createReports(db: Database): Promise<void> {
  await sql`
    create table reports (
      "threadId" uuid not null,
      id uuid not null,
      "postId" uuid not null,
      reporter uuid not null,
      "userId" uuid,
      reason text not null,
      evidence jsonb not null,
      "createdAt" timestamptz not null,
      voice text not null,
      muted boolean not null default false,
      primary key ("threadId", id),
      unique ("threadId", "postId", reporter)
    )`.execute(db)
  await sql`create index reports_reporter on reports (reporter, id)`.execute(db)
  await sql`create table "mutedReporters" (reporter uuid primary key, until timestamptz)`.execute(db)

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
  // For moderators of some categories: otherwise a search in a quiet category would read the cases
  // of all others.
  await sql`create index cases_category_open on cases ("categoryId") where status = 'open'`.execute(db)
  await sql`
    create index cases_category_closed on cases ("categoryId", "decidedAt", "postId")
    where status = 'closed'`.execute(db)
}

/** Bans, raid mode, held posts, IP logging, and the log of actions. */
async function createModeration(db: Database): Promise<void> {
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
  await sql`create index audit_log_details on "auditLog" (id) where details <> '{}'`.execute(db)
  // The log is append-only, except that the details of an entry may be emptied.
  await sql`
    create function refuse_change() returns trigger language plpgsql as $$
    begin
      raise exception 'the log is only ever added to';
    end $$`.execute(db)
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
  await sql`create index bans_visitor on bans (subject) where kind = 'visitor'`.execute(db)
  await sql`create index bans_standing on bans ("expiresAt") where "liftedAt" is null`.execute(db)
  // A ban ends when it is lifted or expires, whichever is first; null for a permanent ban.
  await sql`create index bans_ended on bans (least("liftedAt", "expiresAt"))`.execute(db)
  await sql`
    create index bans_networks on bans (least("liftedAt", "expiresAt"))
    where kind = 'network' and subject <> ''`.execute(db)

  // The networks of a writer in the last days, as hashes whose key changes daily. No row identifies
  // an address.
  await sql`
    create table origins (
      actor uuid not null,
      hash text not null,
      "seenAt" timestamptz not null,
      primary key (actor, hash)
    )`.execute(db)
  await sql`create index origins_hash on origins (hash)`.execute(db)
  await sql`create index origins_seen on origins ("seenAt")`.execute(db)

  // Browsers that have posted before, and the time until which their proof of work is valid.
  await sql`
    create table "knownVisitors" (
      "visitorId" uuid primary key,
      "firstPostAt" timestamptz,
      "provenUntil" timestamptz,
      "seenAt" timestamptz not null default now()
    )`.execute(db)
  await sql`create index known_visitors_seen on "knownVisitors" ("seenAt")`.execute(db)
  await sql`
    create index known_visitors_proven on "knownVisitors" ("provenUntil") where "firstPostAt" is null`.execute(db)

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
  // Includes decided ones: the name of a deleted account is removed from them.
  await sql`create index held_posts_member on "heldPosts" ("userId") where "userId" is not null`.execute(db)
  // A repeated request finds the same held post. A held thread has no thread id yet.
  await sql`
    create unique index held_posts_client on "heldPosts" ((coalesce("threadId", "clientId")), "clientId")
    where "clientId" is not null`.execute(db)
  await sql`create index held_posts_decided on "heldPosts" ("decidedAt") where status <> 'waiting'`.execute(db)

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

/** Feeds, their articles, the stories made of them, and the calls of the model. */
async function createNews(db: Database): Promise<void> {
  await sql`
    create table "newsSources" (
      id uuid primary key,
      url text not null unique,
      name text not null,
      "categoryId" uuid references categories (id) on delete set null,
      language text not null,
      permission text not null check (permission in ('allowed', 'headline', 'blocked')),
      "intervalMinutes" integer not null,
      active boolean not null,
      etag text,
      "lastModified" text,
      "fetchedAt" timestamptz,
      "nextFetchAt" timestamptz not null,
      problem text,
      failures integer not null default 0,
      threads integer not null default 0,
      "createdAt" timestamptz not null
    )`.execute(db)
  await sql`create index news_sources_due on "newsSources" ("nextFetchAt") where active`.execute(db)

  await sql`
    create table "newsStories" (
      id uuid primary key,
      "categoryId" uuid references categories (id) on delete set null,
      state text not null check (state in ('new', 'ready', 'waiting', 'published', 'refused', 'rejected', 'withdrawn')),
      "threadId" uuid unique,
      kind text check (kind in ('ai', 'extractive', 'headline')),
      summary jsonb,
      image jsonb,
      model text,
      "promptVersion" text,
      "inputTokens" integer not null default 0,
      "outputTokens" integer not null default 0,
      milliseconds integer not null default 0,
      "madeAt" timestamptz,
      "publishedAt" timestamptz,
      problem text,
      findings jsonb not null default '[]',
      "nextTryAt" timestamptz,
      currency text not null default 'current' check (currency in ('current', 'stale', 'gone')),
      "changedAt" timestamptz,
      "nextCheckAt" timestamptz,
      corrections jsonb not null default '[]',
      "begunAt" timestamptz not null,
      "approvedAt" timestamptz,
      "createdAt" timestamptz not null
    )`.execute(db)
  // Stories that are being processed, and stories that are checked again: both indexes stay small
  // as stories accumulate.
  await sql`create index news_stories_due on "newsStories" ("nextTryAt", id) where "nextTryAt" is not null`.execute(db)
  await sql`create index news_stories_checks on "newsStories" ("nextCheckAt") where "nextCheckAt" is not null`.execute(
    db,
  )
  await sql`create index news_stories_state on "newsStories" (state, id)`.execute(db)
  await sql`create index news_stories_published on "newsStories" ("publishedAt") where "publishedAt" is not null`.execute(
    db,
  )
  // Rows for the sweep, here and below; each index contains only the pending work.
  await sql`
    create index news_stories_unused_images on "newsStories" (id) where image is not null and state in ('refused', 'rejected')`.execute(
    db,
  )

  // No article is processed twice, whichever feeds contain it: by its address, and by its own
  // canonical address.
  await sql`
    create table "newsArticles" (
      id uuid primary key,
      "urlHash" text not null unique,
      "canonicalHash" text unique,
      "sourceId" uuid references "newsSources" (id) on delete set null,
      "storyId" uuid references "newsStories" (id),
      url text not null,
      title text not null,
      "publishedAt" timestamptz,
      state text not null check (state in ('found', 'read', 'told', 'skipped')),
      problem text,
      attempts integer not null default 0,
      "nextTryAt" timestamptz,
      document jsonb,
      bands integer[] not null default '{}',
      "foundAt" timestamptz not null
    )`.execute(db)
  await sql`create index news_articles_due on "newsArticles" ("nextTryAt", id) where "nextTryAt" is not null`.execute(
    db,
  )
  await sql`create index news_articles_state on "newsArticles" (state, id)`.execute(db)
  await sql`create index news_articles_story on "newsArticles" ("storyId")`.execute(db)
  await sql`create index news_articles_source on "newsArticles" ("sourceId", id)`.execute(db)
  await sql`create index news_articles_documents on "newsArticles" (id) where document is not null`.execute(db)
  await sql`
    create index news_articles_nowhere on "newsArticles" (id)
      where state = 'skipped' and "storyId" is null and ("sourceId" is null or "publishedAt" is not null)`.execute(db)
  await sql`create index news_articles_bands on "newsArticles" using gin (bands) with (fastupdate = off)`.execute(db)

  await sql`
    create table "newsCalls" (
      id uuid primary key,
      at timestamptz not null,
      "storyId" uuid,
      model text not null,
      "promptVersion" text not null,
      "inputTokens" integer not null,
      "outputTokens" integer not null,
      milliseconds integer not null,
      outcome text not null check (outcome in ('ok', 'ungrounded', 'malformed', 'limited', 'failed')),
      detail text not null default ''
    )`.execute(db)
  await sql`create index news_calls_at on "newsCalls" (at)`.execute(db)
  // For the last error of a model, and the calls of a story: neither reads the calls of all.
  await sql`create index news_calls_model on "newsCalls" (model, at, id)`.execute(db)
  await sql`create index news_calls_story on "newsCalls" ("storyId", at)`.execute(db)
}

/**
 * Total size of stored pictures, the position of the collector's walk, and indexes of the rows that
 * refer to a picture.
 */
async function createPictures(db: Database): Promise<void> {
  // One row. Paths are compared byte by byte, in the order of object storages.
  await sql`
    create table "imageTotals" (
      "isOnly" boolean primary key default true check ("isOnly"),
      files bigint not null default 0,
      bytes bigint not null default 0,
      "walkedTo" text collate "C" not null default '',
      "walkedFiles" bigint not null default 0,
      "walkedBytes" bigint not null default 0,
      "nextWalkAt" timestamptz not null default '-infinity'
    )`.execute(db)

  // For the collector, which looks up whether any row refers to a picture.
  for (const [index, table, column, key] of [
    ['posts_image_key', 'posts', 'image', `image ->> 'key'`],
    ['threads_image_key', 'threads', 'image', `image ->> 'key'`],
    ['users_image_key', 'users', 'picture', `picture ->> 'key'`],
    ['news_stories_image_key', 'newsStories', 'image', `image ->> 'key'`],
    ['held_posts_image_key', 'heldPosts', 'payload', `payload -> 'image' ->> 'key'`],
    ['reports_image_key', 'reports', 'evidence', `evidence ->> 'imageKey'`],
  ] as const) {
    await sql`
      create index ${sql.ref(index)} on ${sql.table(table)} ((${sql.raw(key)}))
      where ${sql.ref(column)} is not null`.execute(db)
  }
}

/** The initial data of a board. */
async function fill(db: Database): Promise<void> {
  await sql`insert into "searchBuckets" values (1, '00000000-0000-0000-0000-000000000000')`.execute(db)
  await sql`insert into "imageTotals" default values`.execute(db)
  const now = new Date()
  for (const [position, [name, description]] of CATEGORIES.entries()) {
    await sql`
      insert into categories (id, name, description, position, "createdAt")
      values (${uuidv7(now.getTime() + position)}, ${name}, ${description}, ${position}, ${now})`.execute(db)
  }
  for (const [word, allow] of BANNED) {
    await sql`
      insert into "bannedWords" (id, word, allow, "createdAt")
      values (${uuidv7(now.getTime())}, ${word}, ${JSON.stringify(allow)}::text::jsonb, ${now})`.execute(db)
  }
}

/** Reverts everything to an empty database. */
export async function down(db: Database): Promise<void> {
  // Each table before the tables that it refers to.
  for (const table of [
    ...['"imageTotals"', '"newsCalls"', '"newsArticles"', '"newsStories"', '"newsSources"'],
    ...['traces', '"traceOrders"', '"heldPosts"', 'shields', '"knownVisitors"', 'origins', 'bans', '"auditLog"'],
    ...['cases', '"mutedReporters"', 'reports', '"postLikes"', '"threadLikes"', 'rooms'],
    ...['"searchBuckets"', '"searchDocuments"', 'posts', 'nicknames', '"threadRequests"', 'threads'],
    ...['mails', '"mailTokens"', 'departures', 'moderators', '"secondFactors"', 'sessions', '"userNames"', 'users'],
    ...['tallies', 'revisions', 'settings', '"bannedWords"', 'categories'],
  ]) {
    await sql.raw(`drop table ${table}`).execute(db)
  }
  await sql`drop function refuse_change, refuse_change_but_thinning`.execute(db)
}

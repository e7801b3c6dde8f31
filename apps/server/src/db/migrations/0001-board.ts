import { sql, type Kysely } from 'kysely'
import { uuidv7 } from '../../lib/uuid.ts'

/** The seven categories of a new board, in the order they are shown (docs/product.md#categories). */
const CATEGORIES: readonly [name: string, description: string][] = [
  ['politics', '政治・行政の話題'],
  ['economy', '経済・くらしの話題'],
  ['world', '世界のできごと'],
  ['immigration', '移民・難民をめぐる話題'],
  ['immigration-japan', '日本の移民政策と共生の話題'],
  ['rant', '愚痴・吐き出し'],
  ['general', '何でも雑談'],
]

/** Threats that no thread needs; operators add their own. `allow` holds harmless words that contain them. */
const BANNED: readonly [word: string, allow: readonly string[]][] = [
  ['死ね', ['死ねない', '死ねば諸共', '死ねる']],
  ['殺すぞ', []],
  ['殺してやる', []],
  ['ぶっ殺', []],
  ['爆破予告', []],
  ['闇バイト募集', []],
]

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table categories (
      id uuid primary key,
      name text not null unique,
      description text not null,
      position integer not null,
      "createdAt" timestamptz not null
    )`.execute(db)

  // Counters are raised with every post: room in each page keeps those updates inside it, and no index holds a live counter.
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
      "rankedHeat" double precision not null default 0
    ) with (fillfactor = 70)`.execute(db)
  for (const [name, columns] of [
    ['threads_category', '"categoryId", id'],
    ['threads_popular', '"rankedPosts", id'],
    ['threads_category_popular', '"categoryId", "rankedPosts", id'],
    ['threads_liked', '"rankedLikes", id'],
    ['threads_category_liked', '"categoryId", "rankedLikes", id'],
    ['threads_heat', '"rankedHeat", id'],
    ['threads_category_heat', '"categoryId", "rankedHeat", id'],
  ] as const) {
    await sql.raw(`create index ${name} on threads (${columns})`).execute(db)
  }

  // A table of its own, so that the id a client made is unique and the threads' own keys stay ready for distribution.
  await sql`create table "threadRequests" ("clientThreadId" uuid primary key, "threadId" uuid not null)`.execute(db)

  // No foreign key to threads: the statement that writes posts holds the thread's row, and a check per post would cost more than the insert.
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
      primary key ("threadId", number)
    )`.execute(db)
  await sql`create index posts_id on posts (id)`.execute(db)
  await sql`create unique index posts_client on posts ("threadId", "clientPostId") where "clientPostId" is not null`.execute(
    db,
  )

  await sql`
    create table nicknames (
      "threadId" uuid not null,
      name text not null,
      "visitorId" uuid not null,
      "createdAt" timestamptz not null,
      primary key ("threadId", name)
    )`.execute(db)

  await sql`
    create table "bannedWords" (
      id uuid primary key,
      word text not null unique,
      allow jsonb not null default '[]',
      "createdAt" timestamptz not null
    )`.execute(db)

  // Fed in the background, so entries go straight into the index: a pending list would be scanned by every search.
  await sql`
    create table "searchDocuments" (
      "threadId" uuid not null,
      number integer not null,
      text text not null,
      grams bigint[] not null,
      primary key ("threadId", number)
    )`.execute(db)
  await sql`create index search_documents_grams on "searchDocuments" using gin (grams) with (fastupdate = off)`.execute(
    db,
  )
  await sql`create table "searchBuckets" (bucket integer primary key, "firstThreadId" uuid not null)`.execute(db)
  await sql`insert into "searchBuckets" values (1, '00000000-0000-0000-0000-000000000000')`.execute(db)

  await sql`create table settings (key text primary key, value jsonb not null)`.execute(db)

  const now = new Date()
  for (const [position, [name, description]] of CATEGORIES.entries()) {
    await sql`insert into categories values (${uuidv7(now.getTime() + position)}, ${name}, ${description}, ${position}, ${now})`.execute(
      db,
    )
  }
  for (const [word, allow] of BANNED) {
    await sql`insert into "bannedWords" values (${uuidv7(now.getTime())}, ${word}, ${JSON.stringify(allow)}::text::jsonb, ${now})`.execute(
      db,
    )
  }
}

/** Takes everything back: the first migration leaves an empty database behind. */
export async function down(db: Kysely<unknown>): Promise<void> {
  for (const table of [
    'settings',
    '"searchBuckets"',
    '"searchDocuments"',
    '"bannedWords"',
    'nicknames',
    'posts',
    '"threadRequests"',
    'threads',
    'categories',
  ]) {
    await sql.raw(`drop table ${table}`).execute(db)
  }
}

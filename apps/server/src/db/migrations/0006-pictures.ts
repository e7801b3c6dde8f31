import { sql, type Kysely } from 'kysely'

/** How much is stored of pictures, how far the collector's walk over them has come, and who names a picture. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // One row. Paths are compared byte by byte, as storages sort them.
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
  await sql`insert into "imageTotals" default values`.execute(db)

  // For the collector, which asks of each picture whether any row names it.
  for (const [index, table, column, key] of INDEXES) {
    await sql`
      create index ${sql.ref(index)} on ${sql.table(table)} ((${sql.raw(key)})) where ${sql.ref(column)} is not null`.execute(
      db,
    )
  }
}

export async function down(db: Kysely<unknown>): Promise<void> {
  for (const [index] of INDEXES) await sql`drop index ${sql.ref(index)}`.execute(db)
  await sql`drop table "imageTotals"`.execute(db)
}

const INDEXES = [
  ['posts_image_key', 'posts', 'image', `image ->> 'key'`],
  ['threads_image_key', 'threads', 'image', `image ->> 'key'`],
  ['users_image_key', 'users', 'picture', `picture ->> 'key'`],
  ['news_stories_image_key', 'newsStories', 'image', `image ->> 'key'`],
  ['held_posts_image_key', 'heldPosts', 'payload', `payload -> 'image' ->> 'key'`],
  ['reports_image_key', 'reports', 'evidence', `evidence ->> 'imageKey'`],
] as const

/**
 * What lists show of threads, for boards that are distributed over a cluster
 * (features/threads/thread-heads.ts). On one PostgreSQL the table stays empty.
 */
import { sql, type Kysely } from 'kysely'

type Database = Kysely<unknown>

export async function up(db: Database): Promise<void> {
  await sql`create table "threadHeads" (like threads including defaults) with (fillfactor = 70)`.execute(db)
  await sql`
    alter table "threadHeads"
      add primary key (id),
      drop column "visitorId",
      drop column "namesForgotten",
      add column "lastLikeAt" timestamptz`.execute(db)
  // The indexes of the lists, as threads has them.
  for (const [name, columns] of [
    ['newest', 'id'],
    ['popular', '"rankedPosts", id'],
    ['liked', '"rankedLikes", id'],
    ['heat', '"rankedHeat", id'],
    ['active', '"rankedPostAt", id'],
  ] as const) {
    await sql
      .raw(`create index thread_heads_${name} on "threadHeads" (${columns}) where "removedAt" is null`)
      .execute(db)
    await sql
      .raw(
        `create index thread_heads_category_${name} on "threadHeads" ("categoryId", ${columns}) where "removedAt" is null`,
      )
      .execute(db)
  }
  for (const [name, columns] of [
    ['past', '"closedAt", id'],
    ['category_past', '"categoryId", "closedAt", id'],
  ] as const) {
    await sql
      .raw(
        `create index thread_heads_${name} on "threadHeads" (${columns}) where "closedAt" is not null and "removedAt" is null`,
      )
      .execute(db)
  }
  await sql`
    create index thread_heads_pinned on "threadHeads" ("categoryId", id)
    where pinned is not null and "removedAt" is null`.execute(db)
  await sql`
    create index thread_heads_pinned_board on "threadHeads" (id) where pinned = 'board' and "removedAt" is null`.execute(
    db,
  )
}

export async function down(db: Database): Promise<void> {
  await sql`drop table "threadHeads"`.execute(db)
}

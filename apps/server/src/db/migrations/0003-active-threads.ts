/**
 * The order of threads by their last post. `lastPostAt` changes with every post and must stay out
 * of the indexes, so they contain a copy of it (threads.sort-columns.ts).
 */
import { sql, type Kysely } from 'kysely'
import type { Tables } from '../tables.ts'

type Database = Kysely<Tables>

export async function up(db: Database): Promise<void> {
  await sql`alter table threads add column "rankedPostAt" timestamptz not null default 'epoch'`.execute(db)
  await sql`update threads set "rankedPostAt" = date_trunc('milliseconds', "lastPostAt")`.execute(db)
  for (const [name, columns] of [
    ['threads_active', '"rankedPostAt", id'],
    ['threads_category_active', '"categoryId", "rankedPostAt", id'],
  ] as const) {
    await sql.raw(`create index ${name} on threads (${columns}) where "removedAt" is null`).execute(db)
  }
}

export async function down(db: Database): Promise<void> {
  await sql`alter table threads drop column "rankedPostAt"`.execute(db)
}

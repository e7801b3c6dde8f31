import { sql, type Kysely } from 'kysely'

type Database = Kysely<unknown>

/**
 * The limit of posts per thread, closed threads (past logs), and the links between a thread and its
 * next one. The threads of an older board stay open: the next post into one that is over the limit
 * closes it.
 */
export async function up(db: Database): Promise<void> {
  await sql`alter table categories add column "postLimit" integer`.execute(db)
  await sql`
    alter table threads
      add column "closedAt" timestamptz,
      add column "previousThreadId" uuid,
      add column "nextThreadId" uuid`.execute(db)
  // For the lists of past logs; a thread enters them once, with its last post.
  for (const [name, columns] of [
    ['threads_past', '"closedAt", id'],
    ['threads_category_past', '"categoryId", "closedAt", id'],
  ] as const) {
    await sql
      .raw(`create index ${name} on threads (${columns}) where "closedAt" is not null and "removedAt" is null`)
      .execute(db)
  }
}

export async function down(db: Database): Promise<void> {
  await sql`drop index threads_past, threads_category_past`.execute(db)
  await sql`
    alter table threads drop column "closedAt", drop column "previousThreadId", drop column "nextThreadId"`.execute(db)
  await sql`alter table categories drop column "postLimit"`.execute(db)
}

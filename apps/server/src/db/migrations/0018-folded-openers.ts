/**
 * Hides what lists show of post 1 in threads where it was folded before a fold hid it: the excerpt
 * and the picture in the row of the thread.
 */
import { sql, type Kysely } from 'kysely'

type Database = Kysely<unknown>

export async function up(db: Database): Promise<void> {
  // The index posts_folded finds the posts, of which there are few.
  const hidden = await sql<{ id: string }>`
    update threads set excerpt = '', image = null
    where (excerpt <> '' or image is not null)
      and exists (select from posts where "threadId" = threads.id and number = 1 and "foldedAt" is not null)
    returning id`.execute(db)
  // The copies of a distributed board are on another server than the posts.
  await sql`
    update "threadHeads" set excerpt = '', image = null
    where id = any(${hidden.rows.map(({ id }) => id)}::uuid[])`.execute(db)
}

/** Texts and pictures stay hidden: unfolding brings them back. */
export async function down(): Promise<void> {}

import { sql, type RawBuilder, type Selectable } from 'kysely'
import type { Db } from '../../db/client.ts'
import type { PostsTable } from '../../db/tables.ts'
import { isPostVisible, isThreadVisible } from '../../db/visible.ts'

/**
 * A post as it is stored, without the columns that identify a browser: those stay in the database.
 */
export type PostRow = Omit<Selectable<PostsTable>, 'visitorId' | 'clientPostId'>

const columns = [
  'threadId',
  'number',
  'id',
  'name',
  'content',
  'image',
  'userId',
  'createdAt',
  'likes',
  'deletedAt',
  'removedRule',
  'foldedAt',
  'asStaff',
] as const

/** Evaluated once per query: the posts of a removed thread are hidden with it. */
const isThreadThere = (threadId: string): RawBuilder<boolean> =>
  sql<boolean>`exists (select from threads where id = ${threadId}::uuid and ${isThreadVisible()})`

/** Posts with a higher number, in ascending order. */
export const selectPostsAfter = (db: Db, threadId: string, after: number, limit: number): Promise<PostRow[]> =>
  db
    .selectFrom('posts')
    .select(columns)
    .where('threadId', '=', threadId)
    .where(isThreadThere(threadId))
    .where('number', '>', after)
    .orderBy('number')
    .limit(limit)
    .execute()

/** The nearest posts with a lower number, in ascending order. */
export async function selectPostsBefore(db: Db, threadId: string, before: number, limit: number): Promise<PostRow[]> {
  const rows = await db
    .selectFrom('posts')
    .select(columns)
    .where('threadId', '=', threadId)
    .where(isThreadThere(threadId))
    .where('number', '<', before)
    .orderBy('number', 'desc')
    .limit(limit)
    .execute()
  return rows.toReversed()
}

/** The post that a client has sent with this id before. */
export const selectPostByClientId = (db: Db, threadId: string, clientPostId: string): Promise<PostRow | undefined> =>
  db
    .selectFrom('posts')
    .select(columns)
    .where('threadId', '=', threadId)
    .where('clientPostId', '=', clientPostId)
    .where(isThreadThere(threadId))
    .executeTakeFirst()

/**
 * Replaces the title and the opening text of a locked thread, and raises its revision.
 * @returns undefined when its opening post was removed
 */
export async function updateOpening(
  tx: Db,
  threadId: string,
  { title, excerpt, content }: { title: string; excerpt: string; content: string },
): Promise<{ postCount: number; revision: number } | undefined> {
  const { rows } = await sql<{ postCount: number; revision: number }>`
    with opening as (
      update posts set content = ${content} where "threadId" = ${threadId}::uuid and number = 1 and ${isPostVisible()} returning "threadId"
    )
    update threads set title = ${title}, excerpt = ${excerpt}, revision = revision + 1
    from opening where id = opening."threadId" returning "postCount", revision`.execute(tx)
  return rows[0]
}

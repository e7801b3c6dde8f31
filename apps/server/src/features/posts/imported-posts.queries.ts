/** Posts of logs, which come with their numbers. */
import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'

/** A post of a log; a removed one has no content. */
export interface ImportedPost {
  readonly threadId: string
  readonly number: number
  readonly id: string
  readonly name: string | null
  readonly content: string
  readonly userId: string | null
  readonly createdAt: Date
  readonly deletedAt: Date | null
  readonly asStaff: boolean
  readonly trip: string | null
  readonly posterId: string | null
  readonly sage: boolean
  /** Where it is not what `sage` says. */
  readonly mail: string | null
}

/** Inserts posts. The caller counts them, in their threads and in the tallies. */
export async function insertImportedPosts(tx: Db, posts: readonly ImportedPost[]): Promise<void> {
  await sql`
    insert into posts ("threadId", number, id, name, content, "userId", "createdAt", "deletedAt", "asStaff", trip, "posterId", sage, mail)
    select * from json_to_recordset(${JSON.stringify(posts)}::text::json) as post(
      "threadId" uuid, number integer, id uuid, name text, content text, "userId" uuid, "createdAt" timestamptz, "deletedAt" timestamptz,
      "asStaff" boolean, trip text, "posterId" text, sage boolean, mail text)`.execute(tx)
}

/** Whether somebody has written in a thread here, rather than in its log. */
export async function hasPostsOfVisitors(db: Db, threadId: string): Promise<boolean> {
  const { rows } = await sql`
    select from posts where "threadId" = ${threadId}::uuid and "visitorId" is not null limit 1`.execute(db)
  return rows.length > 0
}

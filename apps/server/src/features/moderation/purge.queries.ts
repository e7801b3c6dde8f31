import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import { isDistributed, writeByThread } from '../../db/distribution.ts'
import type { StoredImage } from '../../lib/image-store.ts'
import { placeTable, type PostPlace } from './removals.queries.ts'

/** A removed post whose text is still kept. */
export interface KeptPost extends PostPlace {
  readonly image: StoredImage | null
}

/** Locks some posts that were removed before a time, and whose text is still kept. What others work on is left to them. */
export async function lockKeptPosts(tx: Db, before: Date, limit: number): Promise<KeptPost[]> {
  const kept = sql`"deletedAt" is not null and content <> '' and "deletedAt" < ${before}::timestamptz`
  const isSpread = await isDistributed(tx)
  const { rows } = await sql<KeptPost>`
    select "threadId", number, image from posts where ${kept}
    order by "deletedAt" limit ${limit} ${isSpread ? sql`` : sql`for no key update skip locked`}`.execute(tx)
  if (!isSpread) return rows
  // A cluster locks rows of one thread at a time, and waits for those that others work on.
  return writeByThread(tx, rows, async (_, posts, threadId) => {
    const locked = await sql<KeptPost>`
      select "threadId", number, image from posts
      where "threadId" = ${threadId}::uuid and number = any (${`{${posts.map(({ number }) => number).join(',')}}`}::text::integer[]) and ${kept}
      order by number for no key update`.execute(tx)
    return locked.rows
  })
}

/** Leaves of posts only what their tombstones show. */
export async function clearPosts(tx: Db, posts: readonly KeptPost[]): Promise<void> {
  await sql`
    update posts as p set content = '', name = null, image = null, "userId" = null, "visitorId" = null
    from ${placeTable(posts)} where p."threadId" = place."threadId" and p.number = place.number`.execute(tx)
}

/** Threads that were removed before a time. */
export async function selectRemovedThreads(db: Db, before: Date, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('threads')
    .select('id')
    .where('removedAt', '<', before)
    .orderBy('removedAt')
    .limit(limit)
    .execute()
  return rows.map((row) => row.id)
}

/** Images of the first posts of a thread that are left. */
export async function selectFirstPosts(
  db: Db,
  threadId: string,
  limit: number,
): Promise<{ number: number; image: StoredImage | null }[]> {
  return db
    .selectFrom('posts')
    .select(['number', 'image'])
    .where('threadId', '=', threadId)
    .orderBy('number')
    .limit(limit)
    .execute()
}

/** Deletes the posts of a thread up to a number, with their texts in the index. */
export async function deletePostsUpTo(db: Db, threadId: string, upTo: number): Promise<void> {
  await sql`
    with indexed as (
      delete from "searchDocuments" where "threadId" = ${threadId}::uuid and number <= ${upTo}::integer
    )
    delete from posts where "threadId" = ${threadId}::uuid and number <= ${upTo}::integer`.execute(db)
}

/** What else hangs on a thread, each table with an index that begins with it. */
const TABLES = [
  'searchDocuments',
  'postLikes',
  'threadLikes',
  'rooms',
  'nicknames',
  'threadRequests',
  'reports',
  'cases',
  'traces',
] as const

/** Deletes some of what hangs on a thread. @returns whether there may be more */
export async function deleteSomeOf(db: Db, threadId: string, limit: number): Promise<boolean> {
  for (const table of TABLES) {
    const name = sql.table(table)
    const { rows } = await sql<{ deleted: number }>`
      with gone as (
        delete from ${name} where "threadId" = ${threadId}::uuid
          and ctid = any(array(select ctid from ${name} where "threadId" = ${threadId}::uuid limit ${limit}))
        returning 1
      )
      select count(*)::integer as deleted from gone`.execute(db)
    if (rows[0]!.deleted >= limit) return true
  }
  return false
}

/** Deletes posts that wait for a place in a thread. @returns their images */
export async function deleteHeldOf(db: Db, threadId: string): Promise<StoredImage[]> {
  const rows = await db.deleteFrom('heldPosts').where('threadId', '=', threadId).returning('payload').execute()
  // What was decided a day ago has no text any more.
  return rows.flatMap(({ payload }) => payload?.image ?? [])
}

export async function deleteThread(db: Db, threadId: string): Promise<void> {
  await db.deleteFrom('traceOrders').where('threadId', '=', threadId).execute()
  await db.deleteFrom('threads').where('id', '=', threadId).where('removedAt', 'is not', null).execute()
}

import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import { isDistributed, writeByThread } from '../../db/distribution.ts'
import { isPostRemoved } from '../../db/visible.ts'
import type { StoredImage } from '../../db/tables.ts'
import { hasKept, placeTable, type PostPlace } from './removals.queries.ts'

/** A removed post of which more is kept than its tombstone shows. */
export interface KeptPost extends PostPlace {
  readonly image: StoredImage | null
}

/**
 * Locks some posts that were removed before a time, and of which something is still kept. Skips
 * rows locked by other transactions.
 */
export async function lockKeptPosts(tx: Db, before: Date, limit: number): Promise<KeptPost[]> {
  const kept = sql`${isPostRemoved()} and ${hasKept} and "deletedAt" < ${before}::timestamptz`
  const isSpread = await isDistributed(tx)
  const { rows } = await sql<KeptPost>`
    select "threadId", number, image from posts where ${kept}
    order by "deletedAt" limit ${limit} ${isSpread ? sql`` : sql`for no key update skip locked`}`.execute(tx)
  if (!isSpread) return rows
  // Citus locks rows of one thread at a time, and waits for rows locked by other transactions.
  return writeByThread(tx, rows, async (_, posts, threadId) => {
    const locked = await sql<KeptPost>`
      select "threadId", number, image from posts
      where "threadId" = ${threadId}::uuid and number = any (${`{${posts.map(({ number }) => number).join(',')}}`}::text::integer[]) and ${kept}
      order by number for no key update`.execute(tx)
    return locked.rows
  })
}

/** Clears all of the posts that their tombstones do not show. */
export async function clearPosts(tx: Db, posts: readonly KeptPost[]): Promise<void> {
  await sql`
    update posts as p set content = '', name = null, image = null, "userId" = null, "visitorId" = null, trip = null,
      mail = null, "posterId" = null, "foldReason" = null
    from ${placeTable(posts)} where p."threadId" = place."threadId" and p.number = place.number`.execute(tx)
}

/** Images of the first remaining posts of a thread. */
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

/** Deletes the posts of a thread up to a number. */
export async function deletePostsUpTo(db: Db, threadId: string, upTo: number): Promise<void> {
  await db.deleteFrom('posts').where('threadId', '=', threadId).where('number', '<=', upTo).execute()
}

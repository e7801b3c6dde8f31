import { sql } from 'kysely'
import type { ThreadPin } from '@shinobi/contract/threads'
import type { Db } from '../../db/client.ts'
import { isDistributed } from '../../db/distribution.ts'
import { idsOf } from '../../db/ids.ts'
import { tallyQuery } from '../../db/tallies.ts'

/** The categories in which threads stand now, those of removed ones included. */
export async function selectCategoriesOf(db: Db, threadIds: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('threads')
    .select('categoryId')
    .distinct()
    .where('id', 'in', idsOf(threadIds))
    .execute()
  return rows.map(({ categoryId }) => categoryId)
}

export interface ThreadState {
  readonly lockedAt: Date | null
  readonly pinned: ThreadPin | null
  readonly categoryId: string
}

export interface RaisedState {
  readonly postCount: number
  readonly revision: number
}

/** Sets what moderators decide about a thread, and raises its revision. */
export async function updateThreadState(
  tx: Db,
  threadId: string,
  { lockedAt, pinned, categoryId }: ThreadState,
): Promise<RaisedState> {
  const { rows } = await sql<RaisedState>`
    update threads set "lockedAt" = ${lockedAt}::timestamptz, pinned = ${pinned}::text, "categoryId" = ${categoryId}::uuid,
      revision = revision + 1
    where id = ${threadId}::uuid
    returning "postCount", revision`.execute(tx)
  return rows[0]!
}

/**
 * What stands beside a thread under its category goes along when it is moved: cases, and posts that wait. One that is being decided on at
 * this moment is left alone: its decision may be waiting for the thread, and it waits no longer than that.
 */
export async function moveWhatBelongsTo(tx: Db, threadIds: readonly string[], categoryId: string): Promise<void> {
  const ids = idsOf(threadIds)
  if (await isDistributed(tx)) {
    await sql`update cases set "categoryId" = ${categoryId}::uuid where "threadId" in ${ids}`.execute(tx)
  } else
    await sql`
    update cases as c set "categoryId" = ${categoryId}::uuid
    from (
      select "threadId", "postId" from cases where "threadId" in ${ids} order by "threadId", "postId" for update
    ) as locked
    where c."threadId" = locked."threadId" and c."postId" = locked."postId"`.execute(tx)
  await sql`
    update "heldPosts" set "categoryId" = ${categoryId}::uuid
    where id in (
      select id from "heldPosts" where status = 'waiting' and "threadId" in ${ids} for update skip locked
    )`.execute(tx)
}

/** Takes a thread from sight or (with null) brings it back, and raises its revision. */
export async function setThreadRemoved(tx: Db, threadId: string, at: Date | null): Promise<RaisedState> {
  const { rows } = await sql<RaisedState>`
    update threads set "removedAt" = ${at}::timestamptz, revision = revision + 1
    where id = ${threadId}::uuid
    returning "postCount", revision`.execute(tx)
  return rows[0]!
}

/** Takes a thread and its posts that are not removed off the tally, or adds them again. Expects the thread to be locked. */
export async function tallyThread(tx: Db, threadId: string, sign: 1 | -1): Promise<void> {
  // Posts before threads, as the key of the tally is ordered.
  await tallyQuery(
    tx,
    'posts',
    sql`(select id from posts where "threadId" = ${threadId}::uuid and "deletedAt" is null)`,
    sign,
  )
  await tallyQuery(tx, 'threads', sql`(select ${threadId}::uuid as id)`, sign)
}

import { sql } from 'kysely'
import type { ThreadPin } from '@shinobi/contract/threads'
import type { Db } from '../../db/client.ts'
import { isDistributed } from '../../db/distribution.ts'
import { sendByShard } from '../../db/shards.ts'
import { idsOf } from '../../db/ids.ts'
import { tallyQuery } from '../../db/tallies.ts'
import { isPostVisible, isThreadRemoved, isThreadVisible } from '../../db/visible.ts'
import type { StoredImage } from '../../db/tables.ts'

/** The current categories of threads, removed threads included. */
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

/** Removes a thread or (with null) restores it, and raises its revision. */
export async function setThreadRemoved(tx: Db, threadId: string, at: Date | null): Promise<RaisedState> {
  const { rows } = await sql<RaisedState>`
    update threads set "removedAt" = ${at}::timestamptz, revision = revision + 1
    where id = ${threadId}::uuid
    returning "postCount", revision`.execute(tx)
  return rows[0]!
}

/** Whether a thread was removed by whoever opened it, together with post 1. */
export async function isWithdrawn(tx: Db, threadId: string): Promise<boolean> {
  const { rows } = await sql`
    select from posts where "threadId" = ${threadId}::uuid and number = 1 and withdrawn`.execute(tx)
  return rows.length > 0
}

/**
 * Subtracts a thread and its visible posts from the tally, or adds them again. The thread must be
 * locked.
 */
export async function tallyThread(tx: Db, threadId: string, sign: 1 | -1): Promise<void> {
  // Posts before threads, in the order of the tally's key.
  await tallyQuery(
    tx,
    'posts',
    sql`(select id from posts where "threadId" = ${threadId}::uuid and ${isPostVisible()})`,
    sign,
  )
  await tallyQuery(tx, 'threads', sql`(select ${threadId}::uuid as id)`, sign)
}

/** The fields of a thread's post 1 that lists show. */
export interface Opening {
  readonly threadId: string
  readonly excerpt: string
  readonly image: StoredImage | null
  readonly nickname: string | null
  readonly trip: string | null
}

export interface RaisedThread {
  readonly id: string
  readonly postCount: number
  readonly revision: number
}

/**
 * Raises the revision of threads whose posts have changed, and updates what lists show of post 1
 * where that has changed.
 */
export async function raiseThreads(
  tx: Db,
  threadIds: readonly string[],
  openings: readonly Opening[],
): Promise<RaisedThread[]> {
  const opened = new Map(openings.map((opening) => [opening.threadId, opening]))
  const changes = threadIds.map((threadId) => {
    const opening = opened.get(threadId)
    return { threadId, opens: opening !== undefined, ...opening }
  })
  return sendByShard(tx, changes, (some, limit) =>
    sql<RaisedThread>`
    update threads as t set revision = t.revision + 1,
      excerpt = case when change.opens then change.excerpt else t.excerpt end,
      image = case when change.opens then nullif(change.image, 'null'::jsonb) else t.image end,
      nickname = case when change.opens then change.nickname else t.nickname end,
      trip = case when change.opens then change.trip else t.trip end
    from json_to_recordset(${JSON.stringify(some)}::text::json)
      as change("threadId" uuid, opens boolean, excerpt text, image jsonb, nickname text, trip text)
    where t.id = change."threadId" and ${limit('t.id')}
    returning t.id, t."postCount", t.revision`.execute(tx),
  )
}

/** Counts the threads of a category, and its removed threads that can still be restored. */
export async function countCategoryThreads(db: Db, id: string): Promise<{ visible: number; removed: number }> {
  const { rows } = await sql<{ visible: number; removed: number }>`
    select (select count(*) from threads where "categoryId" = ${id}::uuid and ${isThreadVisible()})::integer as visible,
      (select count(*) from threads where "categoryId" = ${id}::uuid and ${isThreadRemoved()})::integer as removed`.execute(
    db,
  )
  return rows[0]!
}

/**
 * Moves up to `limit` of a category's threads, removed ones too. They are locked in the order of
 * their ids, as everywhere.
 * @returns the ids of the moved threads
 */
export async function moveThreads(tx: Db, from: string, to: string, limit: number): Promise<string[]> {
  const picked = sql`
    (select id from threads where "categoryId" = ${from}::uuid and ${isThreadVisible()} order by id limit ${limit})
    union all
    (select id from threads where "categoryId" = ${from}::uuid and ${isThreadRemoved()} order by id limit ${limit})`
  if (await isDistributed(tx)) {
    const { rows } = await sql<{ id: string }>`
      update threads set "categoryId" = ${to}::uuid, revision = revision + 1
      where id in (${picked}) and "categoryId" = ${from}::uuid returning id`.execute(tx)
    return rows.map((row) => row.id)
  }
  const { rows } = await sql<{ id: string }>`
    with picked as (${picked}), held as (
      select t.id from threads as t
      where t.id in (select id from picked) and t."categoryId" = ${from}::uuid
      order by t.id for no key update
    )
    update threads as t set "categoryId" = ${to}::uuid, revision = t.revision + 1
    from held where t.id = held.id returning t.id`.execute(tx)
  return rows.map((row) => row.id)
}

/**
 * Removes a user as the opener of a thread, as `forgetWriter` does from posts, and raises its
 * revision.
 * @returns the revision
 */
export async function forgetOpener(tx: Db, userId: string, threadId: string): Promise<number> {
  const { rows } = await sql<{ revision: number }>`
    update threads set revision = revision + 1,
      nickname = case when "userId" = ${userId}::uuid then null else nickname end,
      "visitorId" = case when "userId" = ${userId}::uuid then "userId" else "visitorId" end,
      "userId" = nullif("userId", ${userId}::uuid)
    where id = ${threadId}::uuid
    returning revision`.execute(tx)
  return rows[0]!.revision
}

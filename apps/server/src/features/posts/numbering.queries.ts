/**
 * Writes posts into their threads, and with that gives each its number. The group commit of
 * posts.writer.ts calls it. Post 1 is written with its thread, in threads.queries.ts.
 */
import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../db/client.ts'
import type { StoredImage } from '../../db/tables.ts'
import { inOneTransaction, isDistributed } from '../../db/distribution.ts'
import { idsOf } from '../../db/ids.ts'
import { tallyInserted } from '../../db/tallies.ts'
import { isThreadVisible } from '../../db/visible.ts'
import { joinRooms } from '../accounts/rooms.queries.ts'
import { NO_MARKS, pickMarks, type PostMarks } from '../posters/post-marks.ts'
import { heatAfterAdding } from '../threads/threads.trending.ts'

/** A post to be written; it has none of the marks that are not given. */
export interface NewPostRow extends Partial<PostMarks> {
  readonly threadId: string
  readonly id: string
  readonly name: string | null
  readonly content: string
  readonly image: StoredImage | null
  /** The author, if a member; null for an anonymous visitor. */
  readonly userId: string | null
  readonly visitorId: string
  readonly clientPostId: string | null
  /** Its weight in the heat of its thread, above 0 (threads.post-weight.ts); 1 when not given. */
  readonly weight?: number
}

/** The number and the thread state of a new post. */
export interface PlacedPost {
  readonly id: string
  readonly number: number
  readonly revision: number
  readonly categoryId: string
}

/**
 * A post that was not written: its author's account was deleted meanwhile, or its thread is locked
 * or full.
 */
export interface UnplacedPost {
  readonly id: string
  readonly number: null
  readonly isLocked: boolean
  /** Number of posts of the thread if it is full, else null. */
  readonly fullAt: number | null
}

/**
 * SQL: how many posts a thread still takes; its last one closes it. A thread that has reached the
 * limit without being closed (the limit was lowered, or the thread moved) takes one more, so that a
 * thread is only ever closed by a post. The category is read by a subquery, not a join: a join
 * would lose a thread that is moved while the statement waits for its lock.
 */
const roomOf = (postLimit: number): RawBuilder<number> => sql<number>`
  case when t."closedAt" is not null then 0 else greatest(1, coalesce(
    (select c."postLimit" from categories as c where c.id = t."categoryId"), ${postLimit}::integer) - t."postCount") end`

/**
 * Inserts posts of any threads in one statement, and so in one transaction: each thread's counter
 * rises by the number of its posts and provides their numbers, so these have no gaps. Threads are
 * locked in the order of their ids, so that two servers never deadlock. Posts of threads that do
 * not exist, or were removed, are left out. The post that fills a thread closes it and raises its
 * revision once more, which makes clients fetch the thread again.
 * @param postLimit posts of a thread whose category has no limit of its own
 */
export async function insertPosts(
  db: Db,
  posts: readonly NewPostRow[],
  { at, postLimit }: { readonly at: number; readonly postLimit: number },
): Promise<(PlacedPost | UnplacedPost)[]> {
  if (await isDistributed(db)) return inOneTransaction(db, (tx) => insertPostsOverCluster(tx, posts, at, postLimit))
  const input = JSON.stringify(posts.map((post, order) => ({ weight: 1, ...NO_MARKS, ...post, order })))
  const time = new Date(at)
  const ifMembers = (part: RawBuilder<unknown>): RawBuilder<unknown> =>
    posts.some((post) => post.userId !== null) ? part : sql``
  const { rows } = await sql<PlacedPost | UnplacedPost>`
    with given as (
      select * from json_to_recordset(${input}::text::json) as post(
        "order" integer, "threadId" uuid, id uuid, name text, content text, image jsonb, "userId" uuid, "visitorId" uuid, "clientPostId" uuid, "asStaff" boolean, trip text, "posterId" text, sage boolean, "plainLinks" boolean, weight float8)
    ), input as (
      select * from given ${ifMembers(sql`where "userId" is null or exists (select from users where users.id = given."userId")`)}
    ), locked as (
      select t.id, t."lockedAt" is not null as "isLocked", t."postCount", ${roomOf(postLimit)} as room
      from threads as t
      where t.id in (select "threadId" from input) and ${isThreadVisible('t')} order by t.id for no key update
    ), fitting as (
      select queued.*, locked.room from (
        select input.*, row_number() over (partition by "threadId" order by "order") as nth from input
      ) as queued join locked on locked.id = queued."threadId"
      where not locked."isLocked" and queued.nth <= locked.room
    ), counted as (
      select "threadId", count(*)::integer as posts, count(*) filter (where sage)::integer as sages, sum(weight) as weight, count(*) = min(room) as closes
      from fitting group by "threadId"
    ), raised as (
      update threads as t
      set "postCount" = t."postCount" + counted.posts, revision = t.revision + counted.posts + counted.closes::integer,
        "closedAt" = case when counted.closes then ${time}::timestamptz end,
        "lastPostAt" = greatest(t."lastPostAt", ${time}::timestamptz), sages = t.sages + counted.sages,
        "liftedAt" = case when counted.sages = counted.posts then coalesce(t."liftedAt", t."lastPostAt") end,
        heat = ${heatAfterAdding(sql<number>`t.heat`, sql<number>`counted.weight`, at)}
      from counted
      where counted."threadId" = t.id
      returning t.id, t."categoryId", t."postCount" - counted.posts as before,
        t.revision - counted.posts - counted.closes::integer as "revisionBefore"
    ), placed as (
      select fitting.*, raised."categoryId", raised.before + nth as number,
        raised."revisionBefore" + nth + (nth = room)::integer as revision
      from fitting join raised on raised.id = fitting."threadId"
    ), inserted as (
      insert into posts ("threadId", number, id, name, content, image, "userId", "visitorId", "clientPostId", "asStaff", trip, "posterId", sage, "plainLinks", "createdAt")
      select "threadId", number, id, name, content, nullif(image, 'null'::jsonb), "userId", "visitorId", "clientPostId", "asStaff", trip, "posterId", sage, "plainLinks", ${time}::timestamptz from placed
    ), tallied as (${tallyInserted('posts', sql`placed`)}
    )${ifMembers(sql`, joined as (${joinRooms(sql`placed`, time)})`)}
    select id, number::integer, revision::integer, "categoryId", false as "isLocked", null::integer as "fullAt" from placed
    union all select input.id, null, null, null, locked."isLocked",
      case when not locked."isLocked" then locked."postCount" + locked.room end
      from input join locked on locked.id = input."threadId" where input.id not in (select id from placed)
    ${ifMembers(sql`union all select id, null, null, null, false, null from given where id not in (select id from input)`)}`.execute(
    db,
  )
  return rows
}

/**
 * The same in steps: on Citus a statement can write to one thread only, and the counts are on
 * another node than the posts.
 */
async function insertPostsOverCluster(
  tx: Db,
  given: readonly NewPostRow[],
  at: number,
  postLimit: number,
): Promise<(PlacedPost | UnplacedPost)[]> {
  const time = new Date(at)
  const memberIds = [...new Set(given.flatMap(({ userId }) => userId ?? []))]
  const { rows: members } = await sql<{ id: string }>`select id from users where id in ${idsOf(memberIds)}`.execute(tx)
  const isGone = ({ userId }: NewPostRow): boolean => userId !== null && !members.some(({ id }) => id === userId)
  const outcomes: (PlacedPost | UnplacedPost)[] = given
    .filter(isGone)
    .map(({ id }) => ({ id, number: null, isLocked: false, fullAt: null }))
  const byThread = Map.groupBy(
    given.filter((post) => !isGone(post)),
    ({ threadId }) => threadId,
  )
  const placed: (NewPostRow & PlacedPost)[] = []
  for (const threadId of [...byThread.keys()].toSorted()) {
    const given = byThread.get(threadId)!
    const { rows: found } = await sql<{ isLocked: boolean; postCount: number; room: number }>`
      select t."lockedAt" is not null as "isLocked", t."postCount", ${roomOf(postLimit)}::integer as room
      from threads as t where t.id = ${threadId}::uuid and ${isThreadVisible('t')} for no key update`.execute(tx)
    const [standing] = found
    if (standing === undefined) continue
    const { isLocked, room } = standing
    const posts = isLocked ? [] : given.slice(0, room)
    const fullAt = isLocked ? null : standing.postCount + room
    outcomes.push(...given.slice(posts.length).map(({ id }) => ({ id, number: null, isLocked, fullAt })))
    if (posts.length === 0) continue
    const closes = posts.length === room
    const weight = posts.reduce((sum, post) => sum + (post.weight ?? 1), 0)
    const sages = posts.filter((post) => post.sage === true).length
    const isLifted = sages < posts.length
    const { rows } = await sql<{ categoryId: string; postCount: number; revision: number }>`
      update threads as t
      set "postCount" = t."postCount" + ${posts.length}::integer,
        revision = t.revision + ${posts.length + Number(closes)}::integer,
        "closedAt" = ${closes ? time : null}::timestamptz,
        "lastPostAt" = greatest(t."lastPostAt", ${time}::timestamptz), sages = t.sages + ${sages}::integer,
        "liftedAt" = ${isLifted ? sql`null` : sql`coalesce(t."liftedAt", t."lastPostAt")`},
        heat = ${heatAfterAdding(sql<number>`t.heat`, sql<number>`${weight}`, at)}
      where t.id = ${threadId}::uuid
      returning t."categoryId", t."postCount", t.revision`.execute(tx)
    const { categoryId, postCount, revision } = rows[0]!
    for (const [index, post] of posts.entries()) {
      const before = posts.length - 1 - index
      const closing = Number(closes && before > 0)
      placed.push({ ...post, categoryId, number: postCount - before, revision: revision - before - closing })
    }
  }
  if (placed.length > 0) await insertPlaced(tx, placed, time)
  return [...outcomes, ...placed.map(({ id, number, revision, categoryId }) => ({ id, number, revision, categoryId }))]
}

async function insertPlaced(tx: Db, placed: readonly (NewPostRow & PlacedPost)[], at: Date): Promise<void> {
  const rows = placed.map(
    ({ threadId, number, id, name, content, image, userId, visitorId, clientPostId, ...more }) => ({
      ...{ threadId, number, id, name, content, userId, visitorId, clientPostId, createdAt: at },
      ...pickMarks(more),
      image: image === null ? null : JSON.stringify(image),
    }),
  )
  // Inserted as values: an INSERT … SELECT on Citus loses the error code that identifies a resend.
  await tx.insertInto('posts').values(rows).execute()
  const input = JSON.stringify(placed)
  if (placed.some(({ userId }) => userId !== null)) {
    await joinRooms(sql`json_to_recordset(${input}::text::json) as placed("threadId" uuid, "userId" uuid)`, at).execute(
      tx,
    )
  }
  await tallyInserted('posts', idsOf(placed.map(({ id }) => id))).execute(tx)
}

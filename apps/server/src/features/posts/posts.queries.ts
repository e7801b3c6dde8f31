import { sql, type RawBuilder, type Selectable } from 'kysely'
import type { Db } from '../../db/client.ts'
import type { PostsTable } from '../../db/tables.ts'
import type { StoredImage } from '../../lib/image-store.ts'
import { inOneTransaction, isDistributed } from '../../db/distribution.ts'
import { idsOf } from '../../db/ids.ts'
import { tallyInserted } from '../../db/tallies.ts'
import { isPostVisible, isThreadVisible } from '../../db/visible.ts'
import { joinRooms } from '../accounts/rooms.queries.ts'
import { raisedHeat } from '../threads/threads.heat.ts'

/** A post as it is stored; what ties it to a browser stays in the database. */
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

/** Asked once a query: the posts of a thread that was removed are gone with it. */
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

/** The post a client has sent with this id before. */
export const selectPostByClientId = (db: Db, threadId: string, clientPostId: string): Promise<PostRow | undefined> =>
  db
    .selectFrom('posts')
    .select(columns)
    .where('threadId', '=', threadId)
    .where('clientPostId', '=', clientPostId)
    .where(isThreadThere(threadId))
    .executeTakeFirst()

export interface NewPostRow {
  readonly threadId: string
  readonly id: string
  readonly name: string | null
  readonly content: string
  readonly image: StoredImage | null
  /** The member who writes; null for an anonymous visitor. */
  readonly userId: string | null
  readonly visitorId: string
  readonly clientPostId: string | null
  readonly asStaff?: boolean
  /** What it adds to the heat of its thread, above 0 (threads.voices.ts); 1 when not given. */
  readonly weight?: number
}

/** Where a new post came to stand. */
export interface PlacedPost {
  readonly id: string
  readonly number: number
  readonly revision: number
  readonly categoryId: string
}

/** A post that was not written: its writer's account was deleted while it was on its way, or its thread is locked. */
export interface UnplacedPost {
  readonly id: string
  readonly number: null
  readonly isLocked: boolean
}

/**
 * Inserts posts of any threads in one statement, which is one transaction: the threads' counters rise by what each gets and
 * give out the numbers, so these have no gaps. Threads are locked in the order of their ids, so that two servers never wait
 * for each other in a circle. Posts of threads that do not exist, or were removed, are left out.
 */
export async function insertPosts(
  db: Db,
  posts: readonly NewPostRow[],
  at: number,
): Promise<(PlacedPost | UnplacedPost)[]> {
  if (await isDistributed(db)) return inOneTransaction(db, (tx) => insertPostsOverCluster(tx, posts, at))
  const input = JSON.stringify(posts.map((post, order) => ({ weight: 1, asStaff: false, ...post, order })))
  const time = new Date(at)
  const ifMembers = (part: RawBuilder<unknown>): RawBuilder<unknown> =>
    posts.some((post) => post.userId !== null) ? part : sql``
  const { rows } = await sql<PlacedPost | UnplacedPost>`
    with given as (
      select * from json_to_recordset(${input}::text::json) as post(
        "order" integer, "threadId" uuid, id uuid, name text, content text, image jsonb, "userId" uuid, "visitorId" uuid, "clientPostId" uuid, "asStaff" boolean, weight float8)
    ), input as (
      select * from given ${ifMembers(sql`where "userId" is null or exists (select from users where users.id = given."userId")`)}
    ), counted as (
      select "threadId", count(*)::integer as posts, sum(weight) as weight from input group by "threadId"
    ), locked as (
      select id, "lockedAt" is not null as "isLocked" from threads
      where id in (select "threadId" from counted) and ${isThreadVisible()} order by id for no key update
    ), raised as (
      update threads as t
      set "postCount" = t."postCount" + counted.posts, revision = t.revision + counted.posts,
        "lastPostAt" = greatest(t."lastPostAt", ${time}::timestamptz),
        heat = ${raisedHeat(sql<number>`t.heat`, sql<number>`counted.weight`, at)}
      from counted, locked
      where locked.id = t.id and counted."threadId" = t.id and not locked."isLocked"
      returning t.id, t."categoryId", t."postCount" - counted.posts as before, t.revision - counted.posts as "revisionBefore"
    ), placed as (
      select input.*, raised."categoryId",
        raised.before + row_number() over (partition by input."threadId" order by input."order") as number,
        raised."revisionBefore" + row_number() over (partition by input."threadId" order by input."order") as revision
      from input join raised on raised.id = input."threadId"
    ), inserted as (
      insert into posts ("threadId", number, id, name, content, image, "userId", "visitorId", "clientPostId", "asStaff", "createdAt")
      select "threadId", number, id, name, content, nullif(image, 'null'::jsonb), "userId", "visitorId", "clientPostId", "asStaff", ${time}::timestamptz from placed
    ), tallied as (${tallyInserted('posts', sql`placed`)}
    )${ifMembers(sql`, joined as (${joinRooms(sql`placed`, time)})`)}
    select id, number::integer, revision::integer, "categoryId", false as "isLocked" from placed
    union all select input.id, null, null, null, true from input join locked on locked.id = input."threadId" where locked."isLocked"
    ${ifMembers(sql`union all select id, null, null, null, false from given where id not in (select id from input)`)}`.execute(
    db,
  )
  return rows
}

/** The same in steps: one statement may write to one thread, and what counts posts lies on another server than they do. */
async function insertPostsOverCluster(
  tx: Db,
  given: readonly NewPostRow[],
  at: number,
): Promise<(PlacedPost | UnplacedPost)[]> {
  const time = new Date(at)
  const memberIds = [...new Set(given.flatMap(({ userId }) => userId ?? []))]
  const { rows: members } = await sql<{ id: string }>`select id from users where id in ${idsOf(memberIds)}`.execute(tx)
  const isGone = ({ userId }: NewPostRow): boolean => userId !== null && !members.some(({ id }) => id === userId)
  const outcomes: (PlacedPost | UnplacedPost)[] = given
    .filter(isGone)
    .map(({ id }) => ({ id, number: null, isLocked: false }))
  const byThread = Map.groupBy(
    given.filter((post) => !isGone(post)),
    ({ threadId }) => threadId,
  )
  const placed: (NewPostRow & PlacedPost)[] = []
  for (const threadId of [...byThread.keys()].toSorted()) {
    const posts = byThread.get(threadId)!
    const weight = posts.reduce((sum, post) => sum + (post.weight ?? 1), 0)
    const { rows } = await sql<{ categoryId: string; postCount: number; revision: number; isLocked: boolean }>`
      update threads as t
      set "postCount" = t."postCount" + ${posts.length}::integer, revision = t.revision + ${posts.length}::integer,
        "lastPostAt" = greatest(t."lastPostAt", ${time}::timestamptz),
        heat = ${raisedHeat(sql<number>`t.heat`, sql<number>`${weight}`, at)}
      where t.id = ${threadId}::uuid and ${isThreadVisible('t')} and t."lockedAt" is null
      returning t."categoryId", t."postCount", t.revision`.execute(tx)
    const [thread] = rows
    if (thread === undefined) {
      const { rows: standing } =
        await sql`select from threads where id = ${threadId}::uuid and ${isThreadVisible()}`.execute(tx)
      if (standing.length > 0) outcomes.push(...posts.map(({ id }) => ({ id, number: null, isLocked: true })))
      continue
    }
    for (const [index, post] of posts.entries()) {
      const before = posts.length - 1 - index
      const { categoryId, postCount, revision } = thread
      placed.push({ ...post, categoryId, number: postCount - before, revision: revision - before })
    }
  }
  if (placed.length > 0) await insertPlaced(tx, placed, time)
  return [...outcomes, ...placed.map(({ id, number, revision, categoryId }) => ({ id, number, revision, categoryId }))]
}

async function insertPlaced(tx: Db, placed: readonly (NewPostRow & PlacedPost)[], at: Date): Promise<void> {
  const rows = placed.map(
    ({ threadId, number, id, name, content, image, userId, visitorId, clientPostId, asStaff }) => ({
      ...{ threadId, number, id, name, content, userId, visitorId, clientPostId, asStaff, createdAt: at },
      image: image === null ? null : JSON.stringify(image),
    }),
  )
  // As values: what Citus inserts from a query loses the code by which a resend is told.
  await tx.insertInto('posts').values(rows).execute()
  const input = JSON.stringify(placed)
  if (placed.some(({ userId }) => userId !== null)) {
    await joinRooms(sql`json_to_recordset(${input}::text::json) as placed("threadId" uuid, "userId" uuid)`, at).execute(
      tx,
    )
  }
  await tallyInserted('posts', idsOf(placed.map(({ id }) => id))).execute(tx)
}

/**
 * Gives a thread that is locked another title and opening text, and raises its revision.
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

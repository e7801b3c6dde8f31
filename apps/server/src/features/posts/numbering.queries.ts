/**
 * Writes posts into their threads, and with that gives each its number. The group commit of
 * posts.writer.ts calls it. Post 1 is written with its thread, in threads.queries.ts.
 */
import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../db/client.ts'
import type { StoredImage } from '../../db/tables.ts'
import { inOneTransaction, isDistributed } from '../../db/distribution.ts'
import { idsOf } from '../../db/ids.ts'
import { groupByShard, isOneOf } from '../../db/shards.ts'
import { tallyInserted } from '../../db/tallies.ts'
import { andCommit } from '../../db/transaction-ends.ts'
import { isThreadVisible } from '../../db/visible.ts'
import { joinRooms } from '../accounts/rooms.queries.ts'
import { pickMarks, type PostMarks } from '../posters/post-marks.ts'
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

/** How posts are inserted. */
export interface InsertOptions {
  /** Time of the posts, in milliseconds. */
  readonly at: number
  /** Posts of a thread whose category has no limit of its own. */
  readonly postLimit: number
  /**
   * On a cluster, takes the ids of the inserted posts, which the caller counts after the commit
   * (late-counts.ts). Unset: they are counted in the same transaction, as on one PostgreSQL.
   */
  readonly countLater?: (ids: readonly string[]) => void
}

/**
 * Inserts posts of any threads in one statement, and so in one transaction: each thread's counter
 * rises by the number of its posts and provides their numbers, so these have no gaps. Threads are
 * locked in the order of their ids, so that two servers never deadlock. Posts of threads that do
 * not exist, or were removed, are left out. The post that fills a thread closes it and raises its
 * revision once more, which makes clients fetch the thread again.
 */
export async function insertPosts(
  db: Db,
  posts: readonly NewPostRow[],
  options: InsertOptions,
): Promise<(PlacedPost | UnplacedPost)[]> {
  if (await isDistributed(db)) return insertPostsOverCluster(db, posts, options)
  const { at, postLimit } = options
  const time = new Date(at)
  const ifMembers = (part: RawBuilder<unknown>): RawBuilder<unknown> => (hasMembers(posts) ? part : sql``)
  const { rows } = await sql<PlacedPost | UnplacedPost>`
    with given as (
      select * from ${rowsOf(
        posts.map((post) => ({ weight: 1, ...post })),
        sql`${NUMBERED}, ${STORED}`,
      )}
    ), input as (
      select * from given as post where ${hasAuthor(posts)}
    ), locked as (
      ${lock(postLimit, sql`t.id in (select "threadId" from input)`)}
    ), fitting as (
      ${fitting(sql`input`)}
    ), counted as (
      ${count(sql`fitting`)}
    ), raised as (
      ${raise(at)}
      where counted."threadId" = t.id
      returning t.id, t."categoryId", t."postCount" - counted.posts as before,
        t.revision - counted.posts - counted.closes::integer as "revisionBefore"
    ), placed as (
      select fitting.*, raised."categoryId", raised.before + nth as number,
        raised."revisionBefore" + nth + (nth = room)::integer as revision
      from fitting join raised on raised.id = fitting."threadId"
    ), inserted as (
      ${insertFrom(sql`placed as post`, { threadId: 'post.threadId', number: 'post.number', time })}
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
 * The same on a cluster, shard by shard in one transaction: one worker raises the threads of a
 * shard and then inserts their posts. These are two statements, because Citus passes none to a
 * worker as a whole that writes to two tables. The posts of one shard (posts.writer.ts) are
 * committed in one phase, and with the last statement.
 */
async function insertPostsOverCluster(
  db: Db,
  posts: readonly NewPostRow[],
  options: InsertOptions,
): Promise<(PlacedPost | UnplacedPost)[]> {
  const { countLater } = options
  const groups = await groupByShard(db, posts)
  const isAlone = groups.length === 1 && countLater !== undefined && !db.isTransaction
  const outcomes = await inOneTransaction(db, async (tx) => {
    const outcomes: (PlacedPost | UnplacedPost)[] = []
    for (const group of groups) {
      outcomes.push(...(await insertPostsOfShard(tx, group, { ...options, ending: isAlone ? andCommit : sql`` })))
    }
    if (countLater === undefined) await tallyInserted('posts', idsOf(idsOfPlaced(outcomes))).execute(tx)
    return outcomes
  })
  countLater?.(idsOfPlaced(outcomes))
  return outcomes
}

const isPlaced = (outcome: PlacedPost | UnplacedPost): outcome is PlacedPost => outcome.number !== null
const idsOfPlaced = (outcomes: readonly (PlacedPost | UnplacedPost)[]): string[] =>
  outcomes.filter(isPlaced).map(({ id }) => id)

/** A thread whose counters were raised. */
interface RaisedThread {
  readonly id: string
  readonly categoryId: string
  /** Counters before. */
  readonly postCount: number
  readonly revision: number
  /** Its new posts in the order of their numbers; the last one closes it if it `closes`. */
  readonly postIds: readonly string[]
  readonly closes: boolean
}

interface ShardOptions extends InsertOptions {
  /** SQL: what is appended to the last statement. */
  readonly ending: RawBuilder<unknown>
}

async function insertPostsOfShard(
  tx: Db,
  posts: readonly NewPostRow[],
  { at, postLimit, ending }: ShardOptions,
): Promise<(PlacedPost | UnplacedPost)[]> {
  const time = new Date(at)
  const threadIds = [...new Set(posts.map(({ threadId }) => threadId))]
  const given = rowsOf(posts.map(withoutText), NUMBERED)
  const { rows: raised } = await sql<RaisedThread>`
    with locked as (
      ${lock(postLimit, isOneOf('t.id', threadIds))}
    ), counted as (
      ${count(sql`(${fitting(sql`(select * from ${given} where ${hasAuthor(posts)})`)}) as fitting`)}
    )
    ${raise(at)}
    where counted."threadId" = t.id and ${isOneOf('t.id', threadIds)}
    returning t.id, t."categoryId", t."postCount" - counted.posts as "postCount",
      t.revision - counted.posts - counted.closes::integer as revision, counted.ids as "postIds", counted.closes`.execute(
    tx,
  )
  const placed = raised.flatMap(placesIn)
  const unplaced = placed.length === posts.length ? [] : await explainUnplaced(tx, posts, placed, threadIds)
  if (placed.length > 0) await insertPostsAt(tx, posts, placed, { threadIds, time, ending })
  return [...placed, ...unplaced]
}

/** What numbers a post; Citus writes parameters into the text of the statement for the worker. */
const withoutText = ({ threadId, id, userId, sage = false, weight = 1 }: NewPostRow) => ({
  threadId,
  id,
  userId,
  sage,
  weight,
})

/**
 * Citus plans a query once for each shard of the table, and a list of values expression by
 * expression: from so many posts on the query is faster, with four shards twice as fast for 128.
 */
const MANY_POSTS = 64

const placesIn = ({ categoryId, postCount, revision, postIds, closes }: RaisedThread): PlacedPost[] =>
  postIds.map((id, index) => {
    const nth = index + 1
    const closing = closes && nth === postIds.length ? 1 : 0
    return { id, categoryId, number: postCount + nth, revision: revision + nth + closing }
  })

async function insertPostsAt(
  tx: Db,
  posts: readonly NewPostRow[],
  placed: readonly PlacedPost[],
  {
    threadIds,
    time,
    ending,
  }: { readonly threadIds: readonly string[]; readonly time: Date } & Pick<ShardOptions, 'ending'>,
): Promise<void> {
  const numbers = new Map(placed.map(({ id, number }) => [id, number]))
  const rows = posts.flatMap((post) => {
    const number = numbers.get(post.id)
    if (number === undefined) return []
    const { threadId, id, name, content, image, userId, visitorId, clientPostId } = post
    const fields = { threadId, id, name, content, image, userId, visitorId, clientPostId }
    return [{ ...fields, ...pickMarks(post), place: number }]
  })
  const byMembers = rows.filter(({ userId }) => userId !== null)
  const postsEnding = byMembers.length === 0 ? ending : sql``
  if (rows.length < MANY_POSTS) {
    const values = rows.map(({ place, image, ...row }) => ({
      ...{ ...row, number: place, image: image === null ? null : JSON.stringify(image) },
      createdAt: time,
    }))
    await tx.insertInto('posts').values(values).modifyEnd(postsEnding).execute()
  } else {
    // Joined with their threads, by which Citus finds the worker.
    const source = sql`${rowsOf(rows, sql`${NUMBERED}, ${STORED}`)} join threads as t on t.id = post."threadId" where ${isOneOf('t.id', threadIds)} ${postsEnding}`
    await insertFrom(source, { threadId: 't.id', number: 'post.place', time }).execute(tx)
  }
  if (byMembers.length === 0) return
  const writers = sql`unnest(${byMembers.map(({ threadId }) => threadId)}::uuid[], ${byMembers.map(({ userId }) => userId)}::uuid[]) as writer("threadId", "userId")`
  const joining = sql`(select t.id as "threadId", writer."userId" from threads as t join ${writers} on writer."threadId" = t.id
    where ${isOneOf('t.id', threadIds)}) as joining`
  await sql`${joinRooms(joining, time)} ${ending}`.execute(tx)
}

/** Why posts were not written. Their threads are still locked by the transaction. */
async function explainUnplaced(
  tx: Db,
  posts: readonly NewPostRow[],
  placed: readonly PlacedPost[],
  threadIds: readonly string[],
): Promise<UnplacedPost[]> {
  const { rows: threads } = await sql<{ id: string; isLocked: boolean; postCount: number }>`
    select t.id, t."lockedAt" is not null as "isLocked", t."postCount" from threads as t
    where ${isOneOf('t.id', threadIds)} and ${isThreadVisible('t')}`.execute(tx)
  const threadOf = new Map(threads.map((thread) => [thread.id, thread]))
  const { rows: users } = await sql<{ id: string }>`
    select id from users where id in ${idsOf(posts.flatMap(({ userId }) => userId ?? []))}`.execute(tx)
  const members = new Set(users.map(({ id }) => id))
  const isWritten = new Set(placed.map(({ id }) => id))
  return posts
    .filter(({ id }) => !isWritten.has(id))
    .flatMap(({ id, threadId, userId }): UnplacedPost[] => {
      if (userId !== null && !members.has(userId)) return [{ id, number: null, isLocked: false, fullAt: null }]
      const thread = threadOf.get(threadId)
      if (thread === undefined) return []
      return [{ id, number: null, isLocked: thread.isLocked, fullAt: thread.isLocked ? null : thread.postCount }]
    })
}

const hasMembers = (posts: readonly Pick<NewPostRow, 'userId'>[]): boolean =>
  posts.some(({ userId }) => userId !== null)

/** SQL: the columns of given posts that number them, by their places in the queue. */
const NUMBERED = sql`place integer, "threadId" uuid, id uuid, "userId" uuid, sage boolean, weight float8`
/** SQL: the others that are stored. */
const STORED = sql`name text, content text, image jsonb, "visitorId" uuid, "clientPostId" uuid, "asStaff" boolean, trip text, "posterId" text, "plainLinks" boolean`

/**
 * SQL: posts as the rows `post`, with their places: in the queue, or once they are numbered, in the
 * thread. What a post does not have is null, `false` as well: on their way to a worker the names of
 * all fields are read four times.
 */
const rowsOf = (posts: readonly object[], columns: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`json_to_recordset(${JSON.stringify(posts.map((post, place) => withoutBlanks({ place, ...post })))}::text::json) as post(${columns})`

function withoutBlanks(row: object): object {
  const kept: Record<string, unknown> = {}
  for (const [field, value] of Object.entries(row)) if (value !== null && value !== false) kept[field] = value
  return kept
}

/** SQL: whether the account of the author of a `post` exists, if it has one. */
const hasAuthor = (posts: readonly Pick<NewPostRow, 'userId'>[]): RawBuilder<boolean> =>
  hasMembers(posts)
    ? sql`(post."userId" is null or exists (select from users where users.id = post."userId"))`
    : sql`true`

interface Places {
  /** Columns of the source. */
  readonly threadId: string
  readonly number: string
  readonly time: Date
}

/** SQL: inserts the rows `post` of a source under their numbers. */
const insertFrom = (source: RawBuilder<unknown>, { threadId, number, time }: Places): RawBuilder<unknown> => sql`
      insert into posts ("threadId", number, id, name, content, image, "userId", "visitorId", "clientPostId", "asStaff", trip, "posterId", sage, "plainLinks", "createdAt")
      select ${sql.ref(threadId)}, ${sql.ref(number)}, post.id, post.name, post.content, post.image, post."userId", post."visitorId", post."clientPostId", coalesce(post."asStaff", false), post.trip, post."posterId", coalesce(post.sage, false), coalesce(post."plainLinks", false), ${time}::timestamptz
      from ${source}`

/** SQL: locks threads. @param which the condition for the threads `t` */
const lock = (postLimit: number, which: RawBuilder<boolean>): RawBuilder<unknown> => sql`
      select t.id, t."lockedAt" is not null as "isLocked", t."postCount", ${roomOf(postLimit)} as room
      from threads as t
      where ${which} and ${isThreadVisible('t')} order by t.id for no key update`

/** SQL: of these posts those that their `locked` threads take, each the `nth` of its thread. */
const fitting = (posts: RawBuilder<unknown>): RawBuilder<unknown> => sql`
      select * from (
        select post.*, locked.room, row_number() over (partition by post."threadId" order by post.place) as nth
        from ${posts} as post join locked on locked.id = post."threadId" and not locked."isLocked"
      ) as queued where nth <= room`

/** SQL: fitting posts by thread. */
const count = (posts: RawBuilder<unknown>): RawBuilder<unknown> => sql`
      select "threadId", count(*)::integer as posts, count(*) filter (where sage)::integer as sages, sum(weight) as weight,
        count(*) = min(room) as closes, array_agg(id order by nth) as ids
      from ${posts} group by "threadId"`

/** SQL: raises the counters of the threads `t` by their `counted` posts. */
const raise = (at: number): RawBuilder<unknown> => sql`update threads as t
      set "postCount" = t."postCount" + counted.posts, revision = t.revision + counted.posts + counted.closes::integer,
        "closedAt" = case when counted.closes then ${new Date(at)}::timestamptz end,
        "lastPostAt" = greatest(t."lastPostAt", ${new Date(at)}::timestamptz), sages = t.sages + counted.sages,
        "liftedAt" = case when counted.sages = counted.posts then coalesce(t."liftedAt", t."lastPostAt") end,
        heat = ${heatAfterAdding(sql<number>`t.heat`, sql<number>`counted.weight`, at)}
      from counted`

import { sql, type RawBuilder, type Selectable } from 'kysely'
import { PINNED_MAX, SPEED_THREADS } from '@shinobi/contract/limits'
import { speedOf } from '@shinobi/contract/speed'
import type { SummaryKind, ThreadSort } from '@shinobi/contract/threads'
import type { Db } from '../../db/client.ts'
import { inOneTransaction, isDistributed, keyShare } from '../../db/distribution.ts'
import { idsOf } from '../../db/ids.ts'
import type { ThreadsTable, StoredImage } from '../../db/tables.ts'
import { tallyInserted } from '../../db/tallies.ts'
import { isPostVisible, isThreadVisible } from '../../db/visible.ts'
import { uuidv7Floor } from '../../lib/uuid.ts'
import { joinRooms } from '../accounts/rooms.queries.ts'
import { NO_MARKS, type PostMarks } from '../posters/post-marks.ts'
import { fitsFilter, type PostFilter } from '../search/search.filter.ts'
import { bucketSpans, bucketsFrom, findThreads } from '../search/search.queries.ts'
import type { SearchTerms } from '../search/search.terms.ts'
import { ownerActionsOf, type ShownOwnerAction } from './owner-actions.ts'
import { listedThreads } from './thread-heads.ts'
import type { ThreadCursor } from './threads.cursor.ts'
import { inHalfLives, heatAfterAdding } from './threads.trending.ts'

type Column = Exclude<keyof ThreadsTable, 'visitorId' | 'namesForgotten'>

/** A thread with the name of its category, and the category's own limit of posts. */
export type ThreadRow = Pick<Selectable<ThreadsTable>, Column> & {
  readonly category: string
  readonly categoryPostLimit: number | null
}

export const selectThread = sql`
  select t.id, t."categoryId", c.name as category, c."postLimit" as "categoryPostLimit", t.title, t.excerpt, t.nickname, t.trip, t."userId", t.image, t."createdAt", t."aiGenerated", t.summary,
    t."sourceSite", t."sourceUrl", t.likes, t."postCount", t.sages, t.revision, t."lastPostAt", t."liftedAt", t.heat, t."rankedPosts", t."rankedLikes", t."rankedHeat", t."rankedPostAt",
    t."lockedAt", t."closedAt", t."previousThreadId", t."nextThreadId", t.pinned, t."removedAt"`
/** What `selectThread` selects from. */
export const fromThreads = (threads: RawBuilder<unknown> = sql.table('threads')): RawBuilder<unknown> =>
  sql`from ${threads} as t join categories as c on c.id = t."categoryId"`
/** Removed threads are hidden from readers; the indexes of the lists do not contain them. */
const visible = isThreadVisible('t')

/** Selects a list, and a page of it. */
export interface ThreadListing {
  readonly categoryId: string | null
  readonly sort: ThreadSort
  readonly terms: SearchTerms | null
  /** The posts among which a search looks for its terms; null for all. */
  readonly filter?: PostFilter | null
  readonly cursor: ThreadCursor | null
  readonly limit: number
  /** The moment of a first page, at which the order by speed is computed. */
  readonly now: number
  /**
   * Whether pinned threads come first rather than in their place by age. Only for all threads,
   * newest first.
   */
  readonly pinnedFirst?: boolean
}

/** A thread in a list; `isAbove` when it is above the list's order, because it is pinned. */
export type ListedThreadRow = ThreadRow & { readonly isAbove?: boolean }

/** Threads of a list in its order, starting after the cursor. */
export async function selectThreads(db: Db, listing: ThreadListing): Promise<ListedThreadRow[]> {
  const { terms, sort } = listing
  if (listing.pinnedFirst === true) return selectPinnedFirst(db, { ...listing, sort: 'newest' })
  const found = terms === null || terms.all.length === 0 ? null : terms
  if (sort === 'speed') return selectBySpeed(db, listing, found)
  if (found === null) {
    const { table } = await listedThreads(db)
    return selectThreadsByOrder(db, { ...listing, sort }, { from: fromThreads(table) })
  }
  if (sort === 'newest' || sort === 'oldest') return selectFoundByAge(db, { ...listing, terms: found, sort })
  return selectFoundByRank(db, { ...listing, terms: found, sort })
}

/** Copies of the live counters, which the sort indexes contain. */
const RANKED = {
  popular: sql`t."rankedPosts"`,
  liked: sql`t."rankedLikes"`,
  active: sql`t."rankedPostAt"`,
} as const

/** An order that an index has; the order by speed is computed from the order by the last post. */
type IndexedListing = ThreadListing & { readonly sort: Exclude<ThreadSort, 'speed'> }

/**
 * The columns of a list's order, and the row before its first one. Each order has an index, with
 * the category as the first column when there is one.
 */
function orderOf({ sort, cursor }: IndexedListing): { order: RawBuilder<unknown>; after: RawBuilder<unknown> } {
  switch (sort) {
    case 'newest':
      return { order: sql`t.id desc`, after: cursor === null ? sql`true` : sql`t.id < ${cursor.id}::uuid` }
    case 'oldest':
      return { order: sql`t.id asc`, after: cursor === null ? sql`true` : sql`t.id > ${cursor.id}::uuid` }
    default: {
      const column = RANKED[sort]
      const value =
        sort === 'active' ? sql`${new Date(cursor?.value ?? 0)}::timestamptz` : sql`${cursor?.value}::integer`
      const after = cursor === null ? sql`true` : sql`(${column}, t.id) < (${value}, ${cursor.id}::uuid)`
      return { order: sql`${column} desc, t.id desc`, after }
    }
  }
}

export const inCategory = (categoryId: string | null): RawBuilder<unknown> =>
  categoryId === null ? sql`true` : sql`t."categoryId" = ${categoryId}::uuid`

async function selectThreadsByOrder(
  db: Db,
  listing: IndexedListing,
  { from, also = sql`` }: { readonly from: RawBuilder<unknown>; readonly also?: RawBuilder<unknown> },
): Promise<ThreadRow[]> {
  const { order, after } = orderOf(listing)
  const { rows } = await sql<ThreadRow>`
    ${selectThread} ${from}
    where ${visible} and ${inCategory(listing.categoryId)} and ${after} ${also}
    order by ${order} limit ${listing.limit}`.execute(db)
  return rows
}

/**
 * Pinned threads are above the first page, and no page repeats them. A page without room for all of
 * them shows the newest; the others keep their place by age.
 */
async function selectPinnedFirst(db: Db, listing: IndexedListing): Promise<ListedThreadRow[]> {
  const { categoryId, cursor, limit } = listing
  const { after } = orderOf(listing)
  const from = fromThreads((await listedThreads(db)).table)
  // The page is read with one row more, which shows whether there is a next page; it must not be a
  // pinned one.
  const above = Math.min(PINNED_MAX, limit - 1)
  const isPinned =
    categoryId === null ? sql`t.pinned = 'board'` : sql`t.pinned is not null and ${inCategory(categoryId)}`
  const { rows } = await sql<ListedThreadRow>`
    with above as materialized (
      ${selectThread} ${from}
      where ${isPinned} and ${visible} order by t.id desc limit ${above}
    ), below as (
      ${selectThread} ${from}
      where ${visible} and ${inCategory(categoryId)} and ${after} and t.id not in (select id from above)
      order by t.id desc limit ${limit}
    )
    select above.*, true as "isAbove" from above where ${cursor === null ? sql`true` : sql`false`}
    union all select below.*, false from below
    order by "isAbove" desc, id desc limit ${limit}`.execute(db)
  return rows
}

type FoundListing = ThreadListing & { readonly terms: SearchTerms }

/** Whether a thread has a post in the period of the filter, which saves looking at its posts. */
const isLively = ({ filter }: FoundListing): RawBuilder<unknown> =>
  filter?.since == null ? sql`true` : sql`t."lastPostAt" >= ${filter.since}::timestamptz`

/** Reads the search index bucket by bucket in the order of age, and stops when the page is full. */
async function selectFoundByAge(
  db: Db,
  listing: FoundListing & { readonly sort: 'newest' | 'oldest' },
): Promise<ThreadRow[]> {
  const { after } = orderOf(listing)
  const { terms, sort, filter, limit } = listing
  const direction = sort === 'newest' ? sql`desc` : sql`asc`
  const found: ThreadRow[] = []
  for (const buckets of await bucketSpans(db, sort, listing.cursor?.id ?? null)) {
    // Each hit is looked up by its id ("offset 0"): PostgreSQL cannot estimate how few there are,
    // and would read all threads for each bucket.
    const { rows } = await sql<ThreadRow>`
      ${selectThread} from ${await findThreads(db, terms, sort, buckets, filter)}
      cross join lateral (select * from threads where id = found.id offset 0) as t
      join categories as c on c.id = t."categoryId"
      where ${visible} and ${inCategory(listing.categoryId)} and ${after} and ${isLively(listing)}
      order by b.bucket ${direction}, found.id ${direction} limit ${limit - found.length}`.execute(db)
    found.push(...rows)
    if (found.length === limit) break
  }
  return found
}

/**
 * Maximum of hits that are collected and sorted. A word with more hits is so common that a scan of
 * the ranking soon finds it.
 */
const GATHERED_HITS = 5_000

/** The newest threads that contain the terms; one more than GATHERED_HITS when there are more. */
async function gatherHits(db: Db, { terms, filter = null }: Pick<FoundListing, 'terms' | 'filter'>): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select found.id from ${await findThreads(db, terms, 'newest', bucketsFrom('newest', null), filter)} limit ${GATHERED_HITS + 1}`.execute(
    db,
  )
  return rows.map((row) => row.id)
}

async function selectFoundByRank(
  db: Db,
  listing: FoundListing & { readonly sort: keyof typeof RANKED },
): Promise<ThreadRow[]> {
  const ids = await gatherHits(db, listing)
  if (ids.length <= GATHERED_HITS) {
    return selectThreadsByOrder(db, listing, { from: fromThreads(), also: sql`and t.id in ${idsOf(ids)}` })
  }
  const { filter = null } = listing
  const holds = (term: string, fits: RawBuilder<unknown> = sql`true`): RawBuilder<unknown> =>
    sql`exists (select from "searchDocuments" as d where d."threadId" = t.id and strpos(d.text, ${term}) > 0 and ${fits})`
  const fits = filter === null ? sql`true` : fitsFilter(sql.ref('d.threadId'), sql.ref('d.number'), filter)
  const wanted = [sql` and ${isLively(listing)}`, ...listing.terms.all.map((term) => sql` and ${holds(term, fits)}`)]
  const unwanted = listing.terms.none.map((term) => sql` and not ${holds(term)}`)
  return selectThreadsByOrder(db, listing, { from: fromThreads(), also: sql.join([...wanted, ...unwanted], sql``) })
}

/** A thread with the speed that places it in a list. */
type SpeedRow = { readonly id: string; readonly postCount: number; readonly sages: number; readonly createdAt: Date }

/** Speed as a whole number for cursors, fine enough to distinguish threads of a post a week. */
export const speedRank = (row: Omit<SpeedRow, 'id'>, moment: number): number =>
  Math.round(speedOf(row, new Date(moment)) * 1_000)

/**
 * Sorts the threads with the newest posts by their speed at the list's moment, in memory: no index
 * can have this order, because it changes with time.
 */
async function selectBySpeed(db: Db, listing: ThreadListing, terms: SearchTerms | null): Promise<ThreadRow[]> {
  const { cursor, limit } = listing
  const moment = cursor?.moment ?? listing.now
  const { table } = await listedThreads(db)
  // Of the most common words only the newest hits are sorted.
  const among =
    terms === null
      ? sql``
      : sql`and t.id in ${idsOf((await gatherHits(db, { terms, filter: listing.filter ?? null })).slice(0, GATHERED_HITS))}`
  const { rows } = await sql<SpeedRow>`
    select t.id, t."postCount", t.sages, t."createdAt" from ${table} as t
    where ${visible} and ${inCategory(listing.categoryId)} and t."createdAt" <= ${new Date(moment)}::timestamptz ${among}
    order by t."rankedPostAt" desc, t.id desc limit ${SPEED_THREADS}`.execute(db)
  const page = rows
    .map((row) => ({ id: row.id, rank: speedRank(row, moment) }))
    .filter(({ id, rank }) => cursor === null || rank < cursor.value || (rank === cursor.value && id < cursor.id))
    .toSorted((a, b) => b.rank - a.rank || (a.id < b.id ? 1 : -1))
    .slice(0, limit)
  const ids = page.map(({ id }) => id)
  const threads = await sql<ThreadRow>`
    ${selectThread} ${fromThreads(table)}
    where t.id in ${idsOf(ids)} and ${visible}`.execute(db)
  return threads.rows.toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id))
}

/** The threads with the highest trending score that got a post or a like since the window began. */
export async function selectTrending(
  db: Db,
  { categoryId, since, limit }: { categoryId: string | null; since: number; limit: number },
): Promise<ThreadRow[]> {
  const start = sql`${new Date(since)}::timestamptz`
  const { table, lastLikeAt } = await listedThreads(db)
  // A thread with a single post or like of full weight in the window has at least this heat, so the
  // index range ends there. The range also contains threads that were far hotter before the window:
  // they are few, and one look-up of the newest like excludes each.
  const { rows } = await sql<ThreadRow>`
    ${selectThread} ${fromThreads(table)}
    where ${visible} and ${inCategory(categoryId)} and t."rankedHeat" >= ${inHalfLives(since)}::float8
      and (t."lastPostAt" >= ${start} or ${lastLikeAt} >= ${start})
    order by t."rankedHeat" desc, t.id desc limit ${limit}`.execute(db)
  return rows
}

/** A thread as its own page shows it. */
export interface ThreadWithOpening extends ThreadRow {
  /** Empty when post 1 was removed. */
  readonly content: string
  readonly ownerActions: readonly ShownOwnerAction[]
}

/** One thread with its opening text, and what its opener did in it. */
export async function selectThreadWithOpening(db: Db, id: string): Promise<ThreadWithOpening | undefined> {
  const { rows } = await sql<ThreadWithOpening>`
    ${selectThread}, case when ${isPostVisible('p')} then p.content else '' end as content,
      ${ownerActionsOf(id)} as "ownerActions"
    ${fromThreads()} join posts as p on p."threadId" = t.id and p.number = 1
    where t.id = ${id}::uuid and ${visible}`.execute(db)
  return rows[0]
}

/** The state of a thread; undefined when there is none. */
export const selectThreadState = (
  db: Db,
  id: string,
): Promise<{ id: string; categoryId: string; postCount: number; revision: number } | undefined> =>
  db
    .selectFrom('threads')
    .select(['id', 'categoryId', 'postCount', 'revision'])
    .where('id', '=', id)
    .where(isThreadVisible())
    .executeTakeFirst()

/** The states of many threads. */
export const selectThreadStates = (
  db: Db,
  ids: readonly string[],
): Promise<{ id: string; postCount: number; revision: number }[]> =>
  db
    .selectFrom('threads')
    .select(['id', 'postCount', 'revision'])
    .where('id', '=', sql<string>`any(${`{${ids.join(',')}}`}::text::uuid[])`)
    .where(isThreadVisible())
    .execute()

/** What a browser that knows these threads asks about them; removed ones are left out. */
export const selectPositions = (
  db: Db,
  ids: readonly string[],
): Promise<
  Pick<ThreadRow, 'id' | 'title' | 'categoryId' | 'postCount' | 'lastPostAt' | 'lockedAt' | 'summary' | 'sourceSite'>[]
> =>
  db
    .selectFrom('threads')
    .select(['id', 'title', 'categoryId', 'postCount', 'lastPostAt', 'lockedAt', 'summary', 'sourceSite'])
    .where('id', '=', sql<string>`any(${`{${ids.join(',')}}`}::text::uuid[])`)
    .where(isThreadVisible())
    .execute()

/** The thread that a client has opened with this id before, with its original text. */
export const selectThreadOfRequest = (
  db: Db,
  clientThreadId: string,
): Promise<{ id: string; categoryId: string; title: string; content: string } | undefined> =>
  db
    .selectFrom('threadRequests as request')
    .innerJoin('threads as t', 't.id', 'request.threadId')
    .innerJoin('posts as p', (join) => join.onRef('p.threadId', '=', 't.id').on('p.number', '=', 1))
    .select(['t.id', 't.categoryId', 't.title', 'p.content'])
    .where('request.clientThreadId', '=', clientThreadId)
    .executeTakeFirst()

/**
 * Claims a client's id for a thread; false when another request has it (waits for the end of that
 * one).
 */
export async function insertThreadRequest(db: Db, clientThreadId: string, threadId: string): Promise<boolean> {
  const row = await db
    .insertInto('threadRequests')
    .values({ clientThreadId, threadId })
    .onConflict((conflict) => conflict.doNothing())
    .returning('threadId')
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Deletes some requests that opened threads before a time, which is part of the thread's id.
 * @returns how many
 */
export async function deleteOldRequests(db: Db, before: Date, limit: number): Promise<number> {
  const { rows } = await sql`
    delete from "threadRequests" where "clientThreadId" = any(array(
      select "clientThreadId" from "threadRequests" where "threadId" < ${uuidv7Floor(before.getTime())}::uuid
      order by "threadId" limit ${limit} for update skip locked
    )) returning 1`.execute(db)
  return rows.length
}

/**
 * Locks a member's account against deletion until the transaction ends; false when it is deleted
 * already.
 */
export async function holdMember(tx: Db, userId: string): Promise<boolean> {
  const { rows } = await sql`select from users where id = ${userId}::uuid ${await keyShare(tx)}`.execute(tx)
  return rows.length > 0
}

export interface NewThread {
  readonly id: string
  readonly postId: string
  readonly categoryId: string
  readonly title: string
  readonly excerpt: string
  readonly content: string
  readonly nickname: string | null
  /** The member who opens the thread; null for an anonymous visitor. */
  readonly userId: string | null
  /** Null for a news thread, which has no visitor. */
  readonly visitorId: string | null
  readonly news?: NewsThread | undefined
  readonly image: StoredImage | null
  /** Of post 1; none when not given. */
  readonly marks?: PostMarks | undefined
  readonly at: number
}

/** The fields of a news thread beside its title. */
export interface NewsThread {
  readonly kind: SummaryKind
  readonly site: string
  readonly url: string
}

/**
 * Inserts a thread with its post 1 in one statement; on Citus in a transaction, as the counts are
 * on another node.
 */
export async function insertThread(db: Db, thread: NewThread): Promise<void> {
  const at = new Date(thread.at)
  const { id, postId, nickname, userId, visitorId, news, marks = NO_MARKS } = thread
  const image = thread.image === null ? null : JSON.stringify(thread.image)
  const heat = heatAfterAdding(sql<number>`0::float8`, sql<number>`1`, thread.at)
  const opening = sql`
    insert into threads (id, "categoryId", title, excerpt, nickname, trip, "userId", "visitorId", image, "createdAt", "lastPostAt",
      "postCount", revision, heat, "rankedPosts", "rankedHeat", "rankedPostAt", "aiGenerated", summary, "sourceSite", "sourceUrl")
    values (${id}, ${thread.categoryId}, ${thread.title}, ${thread.excerpt}, ${nickname}, ${marks.trip}, ${userId}, ${visitorId}, ${image}::text::jsonb, ${at}, ${at},
      1, 1, ${heat}, 1, ${heat}, ${at}, ${news?.kind === 'ai'}, ${news?.kind ?? null}, ${news?.site ?? null}, ${news?.url ?? null})`
  const post = sql`
    insert into posts ("threadId", number, id, name, content, image, "userId", "visitorId", "asStaff", trip, "posterId", "plainLinks", "createdAt")
    values (${id}, 1, ${postId}, ${nickname}, ${thread.content}, ${image}::text::jsonb, ${userId}, ${visitorId}, ${marks.asStaff}, ${marks.trip}, ${marks.posterId}, ${marks.plainLinks}, ${at})`
  const member = sql`(select ${id}::uuid as "threadId", ${userId}::uuid as "userId") as member`
  const beside = [
    opening,
    ...(userId === null ? [] : [joinRooms(member, at)]),
    tallyInserted('threads', sql`(select ${id}::uuid as id)`),
    tallyInserted('posts', sql`(select ${postId}::uuid as id)`),
  ]
  if (await isDistributed(db)) {
    await inOneTransaction(db, async (tx) => {
      for (const part of [...beside, post]) await part.execute(tx)
    })
  } else {
    const parts = beside.map((part, index) => sql`${sql.id(`part${index}`)} as (${part})`)
    await sql`with ${sql.join(parts)} ${post}`.execute(db)
  }
}

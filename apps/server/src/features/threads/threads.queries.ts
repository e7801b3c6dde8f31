import { sql, type RawBuilder, type Selectable } from 'kysely'
import { PINNED_MAX } from '@shinobi/contract/limits'
import type { SummaryKind, ThreadSort } from '@shinobi/contract/threads'
import type { Db } from '../../db/client.ts'
import { inOneTransaction, isDistributed, keyShare } from '../../db/distribution.ts'
import { idsOf } from '../../db/ids.ts'
import type { ThreadsTable } from '../../db/tables.ts'
import type { StoredImage } from '../../lib/image-store.ts'
import { tallyInserted } from '../../db/tallies.ts'
import { isPostVisible, isThreadVisible } from '../../db/visible.ts'
import { uuidv7Floor } from '../../lib/uuid.ts'
import { joinRooms } from '../accounts/rooms.queries.ts'
import { findThreads } from '../search/search.queries.ts'
import type { SearchTerms } from '../search/search.terms.ts'
import type { ThreadCursor } from './threads.cursor.ts'
import { inHalfLives, raisedHeat } from './threads.heat.ts'

type Column = Exclude<keyof ThreadsTable, 'visitorId' | 'namesForgotten'>

/** A thread with the name of its category. */
export type ThreadRow = Pick<Selectable<ThreadsTable>, Column> & { readonly category: string }

const selectThread = sql`
  select t.id, t."categoryId", c.name as category, t.title, t.excerpt, t.nickname, t."userId", t.image, t."createdAt", t."aiGenerated", t.summary,
    t."sourceSite", t."sourceUrl", t.likes, t."postCount", t.revision, t."lastPostAt", t.heat, t."rankedPosts", t."rankedLikes", t."rankedHeat",
    t."lockedAt", t.pinned, t."removedAt"`
/** Readers find no thread that was removed; the lists' indexes hold none. */
const visible = isThreadVisible('t')

/** Which page of which list. */
export interface ThreadListing {
  readonly categoryId: string | null
  readonly sort: ThreadSort
  readonly terms: SearchTerms | null
  readonly cursor: ThreadCursor | null
  readonly limit: number
  /** Whether pinned threads stand first rather than in their place by age. Only for all threads, newest first. */
  readonly pinnedFirst?: boolean
}

/** A thread in a list; `isAbove` when it stands above the list's order, because it is pinned. */
export type ListedThreadRow = ThreadRow & { readonly isAbove?: boolean }

/** Threads of a list in its order, from the cursor on. */
export async function selectThreads(db: Db, listing: ThreadListing): Promise<ListedThreadRow[]> {
  const { terms, sort } = listing
  if (listing.pinnedFirst === true) return selectPinnedFirst(db, listing)
  if (terms === null || terms.all.length === 0) return selectThreadsByOrder(db, listing, sql``)
  if (sort === 'newest' || sort === 'oldest') return selectFoundByAge(db, { ...listing, terms, sort })
  return selectFoundByRank(db, { ...listing, terms })
}

/** The columns a list is ordered by, and the row before its first one. Each has an index, with the category in front when there is one. */
function orderOf({ sort, cursor }: ThreadListing): { order: RawBuilder<unknown>; from: RawBuilder<unknown> } {
  switch (sort) {
    case 'newest':
      return { order: sql`t.id desc`, from: cursor === null ? sql`true` : sql`t.id < ${cursor.id}::uuid` }
    case 'oldest':
      return { order: sql`t.id asc`, from: cursor === null ? sql`true` : sql`t.id > ${cursor.id}::uuid` }
    default: {
      const column = sort === 'popular' ? sql`t."rankedPosts"` : sql`t."rankedLikes"`
      const from = cursor === null ? sql`true` : sql`(${column}, t.id) < (${cursor.value}::integer, ${cursor.id}::uuid)`
      return { order: sql`${column} desc, t.id desc`, from }
    }
  }
}

const inCategory = (categoryId: string | null): RawBuilder<unknown> =>
  categoryId === null ? sql`true` : sql`t."categoryId" = ${categoryId}::uuid`

async function selectThreadsByOrder(db: Db, listing: ThreadListing, also: RawBuilder<unknown>): Promise<ThreadRow[]> {
  const { order, from } = orderOf(listing)
  const { rows } = await sql<ThreadRow>`
    ${selectThread} from threads as t join categories as c on c.id = t."categoryId"
    where ${visible} and ${inCategory(listing.categoryId)} and ${from} ${also}
    order by ${order} limit ${listing.limit}`.execute(db)
  return rows
}

/**
 * Pinned threads stand above the first page, and no page repeats them. A page without room for all of them takes the newest; the
 * others keep their place by age.
 */
async function selectPinnedFirst(db: Db, listing: ThreadListing): Promise<ListedThreadRow[]> {
  const { categoryId, cursor, limit } = listing
  const { from } = orderOf(listing)
  // One row more than the page asks whether there is a next one, and is never a pinned one.
  const above = Math.min(PINNED_MAX, limit - 1)
  const isPinned =
    categoryId === null ? sql`t.pinned = 'board'` : sql`t.pinned is not null and ${inCategory(categoryId)}`
  const { rows } = await sql<ListedThreadRow>`
    with above as materialized (
      select t.id from threads as t where ${isPinned} and ${visible} order by t.id desc limit ${above}
    ), listed as (
      select id, true as "isAbove" from above where ${cursor === null ? sql`true` : sql`false`}
      union all (
        select t.id, false from threads as t
        where ${visible} and ${inCategory(categoryId)} and ${from} and t.id not in (select id from above)
        order by t.id desc limit ${limit}
      )
    )
    ${selectThread}, listed."isAbove" from listed join threads as t on t.id = listed.id join categories as c on c.id = t."categoryId"
    order by listed."isAbove" desc, t.id desc limit ${limit}`.execute(db)
  return rows
}

type FoundListing = ThreadListing & { readonly terms: SearchTerms }

/** Walks the index bucket by bucket in the order of age and stops when the page is full. */
async function selectFoundByAge(
  db: Db,
  listing: FoundListing & { readonly sort: 'newest' | 'oldest' },
): Promise<ThreadRow[]> {
  const { from } = orderOf(listing)
  const direction = listing.sort === 'newest' ? sql`desc` : sql`asc`
  // One look by id for each hit: PostgreSQL cannot know how few there are, and would read all threads anew for each bucket.
  const thread = (await isDistributed(db))
    ? sql`join threads as t on t.id = found.id`
    : sql`cross join lateral (select * from threads where id = found.id offset 0) as t`
  const { rows } = await sql<ThreadRow>`
    ${selectThread} from ${await findThreads(db, listing.terms, listing.sort, listing.cursor?.id ?? null)}
    ${thread}
    join categories as c on c.id = t."categoryId"
    where ${visible} and ${inCategory(listing.categoryId)} and ${from}
    order by b.bucket ${direction}, found.id ${direction} limit ${listing.limit}`.execute(db)
  return rows
}

/** Hits that are gathered and sorted; beyond them a word is so common that walking the ranking finds it soon. */
const GATHERED_HITS = 5_000

async function selectFoundByRank(db: Db, listing: FoundListing): Promise<ThreadRow[]> {
  const hits = await sql<{ id: string }>`
    select found.id from ${await findThreads(db, listing.terms, 'newest', null)} limit ${GATHERED_HITS + 1}`.execute(db)
  if (hits.rows.length <= GATHERED_HITS) {
    const ids = hits.rows.map((row) => row.id)
    return selectThreadsByOrder(db, listing, sql`and t.id in ${idsOf(ids)}`)
  }
  const holds = (term: string): RawBuilder<unknown> =>
    sql`exists (select from "searchDocuments" as d where d."threadId" = t.id and strpos(d.text, ${term}) > 0)`
  const wanted = listing.terms.all.map((term) => sql` and ${holds(term)}`)
  const unwanted = listing.terms.none.map((term) => sql` and not ${holds(term)}`)
  return selectThreadsByOrder(db, listing, sql.join([...wanted, ...unwanted], sql``))
}

/** The threads with the highest trending score in which anybody posted, or which anybody likes, since the window began. */
export async function selectTrending(
  db: Db,
  { categoryId, since, limit }: { categoryId: string | null; since: number; limit: number },
): Promise<ThreadRow[]> {
  const start = sql`${new Date(since)}::timestamptz`
  // Whatever had a single post or like within the window has at least this heat, so the index range ends there. Beside those it
  // only holds threads that were far hotter before the window: few, each told apart by one look at its newest like.
  const { rows } = await sql<ThreadRow>`
    ${selectThread} from threads as t join categories as c on c.id = t."categoryId"
    where ${visible} and ${inCategory(categoryId)} and t."rankedHeat" >= ${inHalfLives(since)}::float8
      and (t."lastPostAt" >= ${start} or (select max("createdAt") from "threadLikes" where "threadId" = t.id) >= ${start})
    order by t."rankedHeat" desc, t.id desc limit ${limit}`.execute(db)
  return rows
}

/** One thread with its opening text. */
export async function selectThreadWithOpening(
  db: Db,
  id: string,
): Promise<(ThreadRow & { content: string }) | undefined> {
  const { rows } = await sql<ThreadRow & { content: string }>`
    ${selectThread}, case when ${isPostVisible('p')} then p.content else '' end as content
    from threads as t join categories as c on c.id = t."categoryId" join posts as p on p."threadId" = t.id and p.number = 1
    where t.id = ${id}::uuid and ${visible}`.execute(db)
  return rows[0]
}

/** Where a thread stands; undefined when there is none. */
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

/** Where many threads stand. */
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

/** The thread a client has opened with this id before, with the words it was opened with. */
export const selectThreadOfRequest = (
  db: Db,
  clientThreadId: string,
): Promise<{ id: string; title: string; content: string } | undefined> =>
  db
    .selectFrom('threadRequests as request')
    .innerJoin('threads as t', 't.id', 'request.threadId')
    .innerJoin('posts as p', (join) => join.onRef('p.threadId', '=', 't.id').on('p.number', '=', 1))
    .select(['t.id', 't.title', 'p.content'])
    .where('request.clientThreadId', '=', clientThreadId)
    .executeTakeFirst()

/** Takes a client's id for a thread; false when another request has it (waits for that one's end). */
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
 * Deletes some requests that opened threads before a time; the thread's id carries it.
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

/** Keeps a member's account from being deleted until the transaction ends; false when it is gone already. */
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
  /** The member who opens it; null for an anonymous visitor. */
  readonly userId: string | null
  /** Null for a news thread, which no visitor opened. */
  readonly visitorId: string | null
  readonly news?: NewsThread | undefined
  readonly image: StoredImage | null
  /** Of its post 1. */
  readonly asStaff?: boolean | undefined
  readonly at: number
}

/** What a news thread shows beside its title. */
export interface NewsThread {
  readonly kind: SummaryKind
  readonly site: string
  readonly url: string
}

/** Inserts a thread with its post 1 in one statement; over a cluster in a transaction, as what counts them lies on another server. */
export async function insertThread(db: Db, thread: NewThread): Promise<void> {
  const at = new Date(thread.at)
  const { id, postId, nickname, userId, visitorId, news } = thread
  const image = thread.image === null ? null : JSON.stringify(thread.image)
  const heat = raisedHeat(sql<number>`0::float8`, sql<number>`1`, thread.at)
  const opening = sql`
    insert into threads (id, "categoryId", title, excerpt, nickname, "userId", "visitorId", image, "createdAt", "lastPostAt",
      "postCount", revision, heat, "rankedPosts", "rankedHeat", "aiGenerated", summary, "sourceSite", "sourceUrl")
    values (${id}, ${thread.categoryId}, ${thread.title}, ${thread.excerpt}, ${nickname}, ${userId}, ${visitorId}, ${image}::text::jsonb, ${at}, ${at},
      1, 1, ${heat}, 1, ${heat}, ${news?.kind === 'ai'}, ${news?.kind ?? null}, ${news?.site ?? null}, ${news?.url ?? null})`
  const post = sql`
    insert into posts ("threadId", number, id, name, content, image, "userId", "visitorId", "asStaff", "createdAt")
    values (${id}, 1, ${postId}, ${nickname}, ${thread.content}, ${image}::text::jsonb, ${userId}, ${visitorId}, ${thread.asStaff ?? false}, ${at})`
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

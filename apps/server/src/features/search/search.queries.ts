import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../db/client.ts'
import { deleteOfThread } from '../../db/delete-of-thread.ts'
import { isDistributed } from '../../db/distribution.ts'
import { limitTo, sendByShard } from '../../db/shards.ts'
import { isPostRemoved, isPostVisible } from '../../db/visible.ts'
import { fitsFilter, type PostFilter } from './search.filter.ts'
import { chooseGrams, sharesOf } from './search.frequencies.ts'
import { encodeGrams, gramsOf, gramsToFind } from './search.grams.ts'
import type { SearchTerms } from './search.terms.ts'

/** Threads per bucket: few enough for a common word, many enough for a rare one. */
export const BUCKET_THREADS = 1_024

/** A text of the index: number 0 is the thread's title, the others are posts. */
export interface SearchDocument {
  readonly threadId: string
  readonly number: number
  /** Folded by `foldForSearch`. */
  readonly text: string
}

/**
 * Inserts texts into the index; existing ones stay as they are. Posts that were removed while
 * queued are left out. In order, so that the sweep and the queue never deadlock over the same
 * texts.
 * On a cluster, a statement about texts of one shard (`groupByShard`) is one worker's.
 */
export async function insertSearchDocuments(db: Db, documents: readonly SearchDocument[]): Promise<void> {
  const threadIds = [...new Set(documents.map((document) => document.threadId))]
  const buckets = await bucketsOf(db, threadIds)
  const limit = await limitTo(db, documents)
  const texts = documents.map(({ threadId, text }) => ({ bucket: buckets.get(threadId)!, grams: gramsOf(text) }))
  let end = 0
  const rows = documents.map((document, index) => {
    const start = end + 1
    end += texts[index]!.grams.size
    return { ...document, start, end }
  })
  await sql`
    with given as (
      select "threadId", number, text, (${encodeGrams(texts)}::bigint[])[start:"end"] as grams
      from json_to_recordset(${JSON.stringify(rows)}::text::json) as row("threadId" uuid, number integer, text text, start integer, "end" integer)
    )
    insert into "searchDocuments" ("threadId", number, text, grams)
    select p."threadId", row.number, row.text, row.grams
    from given as row join posts as p on p."threadId" = row."threadId" and p.number = row.number and ${isPostVisible('p')}
    where ${limit('p.threadId', 'p.number')}
    union all
    select t.id, row.number, row.text, row.grams
    from given as row join threads as t on t.id = row."threadId" and row.number = 0
    where ${limit('t.id')}
    order by 1, 2
    on conflict ("threadId", number) do nothing`.execute(db)
}

/**
 * A post that may be missing in the index: `content` if its text is missing, `title` if its
 * thread's title is.
 */
export interface SweptPost extends Place {
  readonly id: string
  readonly content: string | null
  readonly title: string | null
}

/**
 * Posts after a given one, oldest first, with what is missing in the index. Titles are indexed with
 * post 1, in the same pass. Removed threads are indexed too, because they may be restored; no
 * search shows them.
 */
export async function selectSweptPosts(db: Db, after: string, limit: number): Promise<SweptPost[]> {
  const { rows: places } = await sql<Place>`
    select "threadId", number from posts where id > ${after}::uuid order by id limit ${limit}`.execute(db)
  if (places.length === 0) return []
  const swept = await sendByShard(db, places, (some, limit) =>
    sql<SweptPost>`
    select p.id, p."threadId", p.number,
      case when d.number is null and ${isPostVisible('p')} then p.content end as content,
      case when title.number is null and p.number = 1 then t.title end as title
    from ${placeTable(some)} join posts as p on p."threadId" = place."threadId" and p.number = place.number
    join threads as t on t.id = p."threadId" and ${limit('t.id')}
    left join "searchDocuments" as d
      on d."threadId" = p."threadId" and d.number = p.number and ${limit('d.threadId', 'd.number')}
    left join "searchDocuments" as title
      on title."threadId" = p."threadId" and title.number = 0 and p.number = 1 and ${limit('title.threadId')}
    where ${limit('p.threadId', 'p.number')}`.execute(db),
  )
  return swept.toSorted((one, other) => (one.id < other.id ? -1 : 1))
}

/** Key of a text in the index. */
type Place = Pick<SearchDocument, 'threadId' | 'number'>

const placeTable = (places: readonly Place[]): RawBuilder<unknown> => {
  const input = JSON.stringify(places.map(({ threadId, number }) => ({ threadId, number })))
  return sql`json_to_recordset(${input}::text::json) as place("threadId" uuid, number integer)`
}

/** Deletes texts from the index. */
export async function deleteSearchDocuments(db: Db, places: readonly Place[]): Promise<void> {
  await sendByShard(db, places, (some, limit) =>
    sql`
    delete from "searchDocuments" as d using ${placeTable(some)}
    where d."threadId" = place."threadId" and d.number = place.number and ${limit('d.threadId', 'd.number')}`.execute(
      db,
    ),
  )
}

/** The same, only for places whose posts are removed now. */
export async function deleteRemovedDocuments(db: Db, places: readonly Place[]): Promise<void> {
  await sendByShard(db, places, (some, limit) =>
    sql`
    delete from "searchDocuments" as d using ${placeTable(some)}, posts as p
    where d."threadId" = place."threadId" and d.number = place.number and ${limit('d.threadId', 'd.number')}
      and p."threadId" = place."threadId" and p.number = place.number and ${limit('p.threadId', 'p.number')}
      and ${isPostRemoved('p')}`.execute(db),
  )
}

/**
 * The bucket of each thread: the last one whose first thread is not newer than it. A single pass
 * over the buckets serves all threads.
 */
export async function bucketsOf(db: Db, threadIds: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: string; bucket: number }>`
    with known as (
      select array_agg(bucket order by "firstThreadId") as buckets, array_agg("firstThreadId" order by "firstThreadId") as firsts
      from "searchBuckets"
    )
    select id, buckets[width_bucket(id, firsts)] as bucket
    from known, json_array_elements_text(${JSON.stringify(threadIds)}::text::json) as ids(text), lateral (select text::uuid as id) as typed`.execute(
    db,
  )
  return new Map(rows.map((row) => [row.id, row.bucket]))
}

/**
 * Opens the next bucket once the newest one has enough threads. It begins after every indexed
 * thread, so that no thread is in two buckets. Concurrent calls open it once.
 */
export async function openNextBucket(db: Db): Promise<void> {
  if (await isDistributed(db)) return openNextBucketOverCluster(db)
  await sql`
    insert into "searchBuckets" (bucket, "firstThreadId")
    select last.bucket + 1, first.id
    from (select bucket, "firstThreadId" from "searchBuckets" order by bucket desc limit 1) as last,
      lateral (select id from threads where id >= last."firstThreadId" order by id offset ${BUCKET_THREADS} limit 1) as full_at,
      lateral (
        select id from threads
        where id >= full_at.id
          and id > coalesce((select "threadId" from "searchDocuments" order by "threadId" desc limit 1), last."firstThreadId")
        order by id limit 1
      ) as first
    on conflict (bucket) do nothing`.execute(db)
}

/**
 * The same in several statements: on a cluster, a result of one worker's threads cannot limit
 * another's.
 */
async function openNextBucketOverCluster(db: Db): Promise<void> {
  const last = await db
    .selectFrom('searchBuckets')
    .selectAll()
    .orderBy('bucket', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  const fullAt = await db
    .selectFrom('threads')
    .select('id')
    .where('id', '>=', last.firstThreadId)
    .orderBy('id')
    .offset(BUCKET_THREADS)
    .limit(1)
    .executeTakeFirst()
  if (fullAt === undefined) return
  const newest = await db
    .selectFrom('searchDocuments')
    .select('threadId')
    .orderBy('threadId', 'desc')
    .limit(1)
    .executeTakeFirst()
  const first = await db
    .selectFrom('threads')
    .select('id')
    .where('id', '>=', fullAt.id)
    .where('id', '>', newest?.threadId ?? last.firstThreadId)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  if (first === undefined) return
  await db
    .insertInto('searchBuckets')
    .values({ bucket: last.bucket + 1, firstThreadId: first.id })
    .onConflict((conflict) => conflict.column('bucket').doNothing())
    .execute()
}

/** A term with the grams by which it is looked up. */
export interface SoughtTerm {
  readonly text: string
  readonly grams: readonly number[]
}

/**
 * Whether the text `d` contains a term, in the bucket of the row `b`: looked up by grams, and
 * compared with the text.
 */
const holds = (d: string, { text, grams }: SoughtTerm): RawBuilder<unknown> => sql`
  ${sql.ref(`${d}.grams`)} @> array(
    select (b.bucket::bigint << 32) | gram from unnest(${`{${grams.join(',')}}`}::bigint[]) as gram)
  and strpos(${sql.ref(`${d}.text`)}, ${text}) > 0`

const hitsOf = (term: SoughtTerm): RawBuilder<unknown> =>
  sql`select d."threadId" from "searchDocuments" as d where ${holds('d', term)}`

/** The same among the texts that fit a filter. */
const filteredHitsOf = (term: SoughtTerm, filter: PostFilter | null): RawBuilder<unknown> =>
  filter === null
    ? hitsOf(term)
    : sql`${hitsOf(term)} and ${fitsFilter(sql.ref('d.threadId'), sql.ref('d.number'), filter)}`

/**
 * Threads of the bucket `b` that match all terms. Expects at least one wanted term. Only the
 * threads with the rarest term are checked for the other terms, one by one: gathering all hits of a
 * common word would cost more per bucket than everything else together.
 */
async function hitsOfAll(db: Db, { all, none }: SearchTerms, filter: PostFilter | null): Promise<RawBuilder<unknown>> {
  const { wanted, unwanted } = await weigh(db, all, none)
  const [rarest, ...others] = wanted
  if (others.length + unwanted.length === 0) return filteredHitsOf(rarest!, filter)
  // "offset 0" keeps PostgreSQL from pulling the subquery up and starting with it.
  const alsoHas = (text: string, fits: RawBuilder<unknown> = sql`true`): RawBuilder<boolean> => sql<boolean>`
    exists (
      select from (select text, number from "searchDocuments" where "threadId" = hit."threadId" offset 0) as o
      where strpos(o.text, ${text}) > 0 and ${fits})`
  const fits = filter === null ? sql`true` : fitsFilter(sql.ref('hit.threadId'), sql.ref('o.number'), filter)
  // Rare unwanted terms are looked up in the index once; common ones are found quickly in the texts
  // of a thread that has them.
  const rare = unwanted.filter(({ share }) => share < RARE_SHARE)
  const common = unwanted.filter(({ share }) => share >= RARE_SHARE)
  const conditions = [
    ...others.map(({ text }) => alsoHas(text, fits)),
    ...common.map(({ text }) => sql`not ${alsoHas(text)}`),
  ]
  return sql`
    select hit."threadId" from (
      ${sql.join(
        [sql`select "threadId" from (${filteredHitsOf(rarest!, filter)}) as d`, ...rare.map(hitsOf)],
        sql` except `,
      )}
    ) as hit
    where ${conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `)}`
}

/** Share of a bucket's texts. */
const RARE_SHARE = 0.02

export interface WeighedTerm extends SoughtTerm {
  /** Estimated share of a bucket's texts that contain it. */
  readonly share: number
}

/** Terms with their chosen grams; the wanted ones by their rarest gram, then the longest first. */
export async function weigh(
  db: Db,
  all: readonly string[],
  none: readonly string[],
): Promise<{ readonly wanted: readonly WeighedTerm[]; readonly unwanted: readonly WeighedTerm[] }> {
  const terms = [...all, ...none].map((text) => ({ text, grams: gramsToFind(text) }))
  const grams = new Set(terms.flatMap((term) => term.grams))
  // A single gram needs no estimate.
  if (terms.length === 1 && grams.size === 1)
    return { wanted: terms.map((term) => ({ ...term, share: 1 })), unwanted: [] }
  const shares = await sharesOf(db, [...grams])
  const weighed = terms.map(({ text, grams: known }) => ({ text, ...chooseGrams(known, shares) }))
  return {
    wanted: weighed
      .slice(0, all.length)
      .toSorted((one, other) => one.share - other.share || other.text.length - one.text.length),
    unwanted: weighed.slice(all.length),
  }
}

/** The same on a cluster: each worker checks its own threads. */
function hitsOfAllOverCluster(
  { all: [first = '', ...others], none }: SearchTerms,
  filter: PostFilter | null,
): RawBuilder<unknown> {
  const termOf = (text: string): SoughtTerm => ({ text, grams: gramsToFind(text) })
  const alsoHas = (text: string) =>
    sql`exists (select from "searchDocuments" as o where o."threadId" = d."threadId" and ${holds('o', termOf(text))})`
  const alsoFits = (text: string) =>
    filter === null
      ? alsoHas(text)
      : sql`exists (
          select from "searchDocuments" as o where o."threadId" = d."threadId" and ${holds('o', termOf(text))}
            and ${fitsFilter(sql.ref('o.threadId'), sql.ref('o.number'), filter)})`
  return sql`${filteredHitsOf(termOf(first), filter)} ${sql.join(
    [...others.map((term) => sql` and ${alsoFits(term)}`), ...none.map((term) => sql` and not ${alsoHas(term)}`)],
    sql``,
  )}`
}

/** SQL: whether a bucket belongs to a page that starts at the thread `edge`; all do for null. */
export function bucketsFrom(order: 'newest' | 'oldest', edge: string | null): RawBuilder<unknown> {
  if (edge === null) return sql`true`
  return order === 'newest'
    ? sql`"firstThreadId" <= ${edge}::uuid`
    : sql`bucket >= (select bucket from "searchBuckets" where "firstThreadId" <= ${edge}::uuid order by bucket desc limit 1)`
}

/** So many of the newest buckets fill a page for two common words; the very newest is not full. */
const FIRST_SPAN = 5
/** Each further span has so many times more buckets, so that a rare word takes few statements. */
const SPAN_GROWTH = 8

/**
 * The same buckets in spans, to be searched one after another until the page is full. On a cluster
 * there are several: each worker reads until it has a page of its own, of which most is not needed.
 */
export async function bucketSpans(
  db: Db,
  order: 'newest' | 'oldest',
  edge: string | null,
): Promise<RawBuilder<unknown>[]> {
  const all = bucketsFrom(order, edge)
  if (!(await isDistributed(db))) return [all]
  const { rows } = await sql<{ first: number; last: number }>`
    select min(bucket) as first, max(bucket) as last from "searchBuckets" where ${all} having count(*) > 0`.execute(db)
  const spans: RawBuilder<unknown>[] = []
  for (const { first, last } of rows) {
    for (let start = 0, size = FIRST_SPAN; first + start <= last; start += size, size *= SPAN_GROWTH) {
      const end = start + size - 1
      const [from, to] = order === 'newest' ? [last - end, last - start] : [first + start, first + end]
      spans.push(sql`bucket between ${from} and ${to}`)
    }
  }
  return spans
}

/**
 * Ids of threads that match the terms, as a subquery `(id, bucket)` ordered by age. It is evaluated
 * bucket by bucket, as far as rows are read.
 * @param buckets SQL: whether a bucket is searched
 * @param filter the posts that count; null for all
 */
export async function findThreads(
  db: Db,
  terms: SearchTerms,
  order: 'newest' | 'oldest',
  buckets: RawBuilder<unknown>,
  filter: PostFilter | null = null,
): Promise<RawBuilder<unknown>> {
  const direction = order === 'newest' ? sql`desc` : sql`asc`
  const hits = (await isDistributed(db)) ? hitsOfAllOverCluster(terms, filter) : await hitsOfAll(db, terms, filter)
  return sql`
    (select bucket from "searchBuckets" where ${buckets} order by bucket ${direction}) as b
    cross join lateral (select distinct "threadId" as id from (${hits}) as hits order by id ${direction}) as found`
}

/**
 * Posts whose own text matches the terms, as a subquery `found(threadId, number)` with its bucket
 * `b`. It is evaluated bucket by bucket from the newest threads on, as far as rows are read.
 * Expects at least one wanted term.
 * @param before only threads that were opened before this id; null for all
 */
export async function findPostTexts(
  db: Db,
  { all, none }: SearchTerms,
  before: string | null,
): Promise<RawBuilder<unknown>> {
  const sought = (await weigh(db, all, [])).wanted[0]!
  return sql`
    (select bucket from "searchBuckets" where ${bucketsFrom('newest', before)} order by bucket desc) as b
    cross join lateral (
      select d."threadId", d.number from "searchDocuments" as d
      where ${holds('d', sought)} and d.number > 0 and ${fitsTerms({ all, none })}
    ) as found`
}

/** Whether the text `d` contains all wanted terms and none of the others, compared as a whole. */
export const fitsTerms = ({ all, none }: SearchTerms): RawBuilder<boolean> => {
  const text = sql.ref('d.text')
  const conditions = [
    ...all.map((term) => sql`strpos(${text}, ${term}) > 0`),
    ...none.map((term) => sql`strpos(${text}, ${term}) = 0`),
  ]
  return sql<boolean>`(${sql.join(conditions, sql` and `)})`
}

/** Deletes some of a thread's texts from the index. @returns whether there may be more */
export const deleteDocumentsOfThread = (db: Db, threadId: string, limit: number): Promise<boolean> =>
  deleteOfThread(db, 'searchDocuments', threadId, limit)

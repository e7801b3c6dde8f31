import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../db/client.ts'
import { gramsOf, gramsToFind, packGrams } from './search.grams.ts'
import type { SearchTerms } from './search.terms.ts'

/** Threads in a bucket before the next one is opened: few enough for a common word, many enough for a rare one. */
const BUCKET_THREADS = 1_024

/** A text to be found: number 0 is the thread's title, the others are posts. */
export interface SearchDocument {
  readonly threadId: string
  readonly number: number
  /** Folded by `foldForSearch`. */
  readonly text: string
}

/**
 * Puts texts into the index; those that are there already stay as they are. What was removed while its text waited stays out.
 */
export async function insertSearchDocuments(db: Db, documents: readonly SearchDocument[]): Promise<void> {
  const buckets = await bucketsOf(db, [...new Set(documents.map((document) => document.threadId))])
  const rows = documents.map((document) => ({
    ...document,
    // As PostgreSQL writes arrays: plain text is the cheapest way for hundreds of numbers through either driver.
    grams: `{${packGrams(buckets.get(document.threadId)!, gramsOf(document.text)).join(',')}}`,
  }))
  await sql`
    insert into "searchDocuments" ("threadId", number, text, grams)
    select "threadId", number, text, grams::bigint[]
    from json_to_recordset(${JSON.stringify(rows)}::text::json) as row("threadId" uuid, number integer, text text, grams text)
    where case when row.number = 0 then exists (select from threads where id = row."threadId")
      else exists (select from posts as p where p."threadId" = row."threadId" and p.number = row.number and p."deletedAt" is null) end
    on conflict ("threadId", number) do nothing`.execute(db)
}

/** A text of the index. */
type Place = Pick<SearchDocument, 'threadId' | 'number'>

const placeTable = (places: readonly Place[]): RawBuilder<unknown> => {
  const input = JSON.stringify(places.map(({ threadId, number }) => ({ threadId, number })))
  return sql`json_to_recordset(${input}::text::json) as place("threadId" uuid, number integer)`
}

/** Takes texts out of the index. */
export async function deleteSearchDocuments(db: Db, places: readonly Place[]): Promise<void> {
  await sql`
    delete from "searchDocuments" as d using ${placeTable(places)}
    where d."threadId" = place."threadId" and d.number = place.number`.execute(db)
}

/** The same for those of them whose posts are removed at this moment. */
export async function deleteRemovedDocuments(db: Db, places: readonly Place[]): Promise<void> {
  await sql`
    delete from "searchDocuments" as d using ${placeTable(places)}, posts as p
    where d."threadId" = place."threadId" and d.number = place.number
      and p."threadId" = place."threadId" and p.number = place.number and p."deletedAt" is not null`.execute(db)
}

/** The bucket each thread belongs to: the one with the newest first thread that is not newer than it. */
async function bucketsOf(db: Db, threadIds: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: string; bucket: number }>`
    select id, (select bucket from "searchBuckets" where "firstThreadId" <= id order by "firstThreadId" desc limit 1)
    from json_array_elements_text(${JSON.stringify(threadIds)}::text::json) as ids(text), lateral (select text::uuid as id) as typed`.execute(
    db,
  )
  return new Map(rows.map((row) => [row.id, row.bucket]))
}

/**
 * Opens the next bucket once the newest one holds enough threads. It begins above every thread that is indexed, so that no
 * thread stands in two of them. Concurrent calls open it once.
 */
export async function openNextBucket(db: Db): Promise<void> {
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

/** One term's hits in the bucket of the row `b`: found by the grams, checked by the text itself. */
const hitsOf = (term: string): RawBuilder<unknown> => sql`
  select d."threadId" from "searchDocuments" as d
  where d.grams @> array(select (b.bucket::bigint << 32) | gram from unnest(${`{${gramsToFind(term).join(',')}}`}::text::bigint[]) as gram)
    and strpos(d.text, ${term}) > 0`

/** Threads of the bucket `b` that fit all terms. Expects at least one wanted term. */
function hitsOfAll(terms: SearchTerms): RawBuilder<unknown> {
  const wanted = sql.join(
    terms.all.map((term) => sql`(${hitsOf(term)})`),
    sql` intersect `,
  )
  if (terms.none.length === 0) return wanted
  return sql`${wanted} except ${sql.join(
    terms.none.map((term) => sql`(${hitsOf(term)})`),
    sql` except `,
  )}`
}

/**
 * Ids of threads that fit the terms, as a subquery `(id, bucket)` in order of age, evaluated bucket by bucket as far as the
 * reader goes. `edge` starts at the bucket of that thread, for pages after the first.
 */
export function foundThreads(terms: SearchTerms, order: 'newest' | 'oldest', edge: string | null): RawBuilder<unknown> {
  const direction = order === 'newest' ? sql`desc` : sql`asc`
  const from =
    edge === null
      ? sql`true`
      : order === 'newest'
        ? sql`"firstThreadId" <= ${edge}::uuid`
        : sql`bucket >= (select bucket from "searchBuckets" where "firstThreadId" <= ${edge}::uuid order by bucket desc limit 1)`
  return sql`
    (select bucket from "searchBuckets" where ${from} order by bucket ${direction}) as b
    cross join lateral (select distinct "threadId" as id from (${hitsOfAll(terms)}) as hits order by id ${direction}) as found`
}

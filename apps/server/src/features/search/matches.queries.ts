/** The texts of the index that made a search find a thread, and those of one thread. */
import { sql, type RawBuilder } from 'kysely'
import { FIND_HITS_MAX, FIND_PAGE } from '@shinobi/contract/limits'
import type { Db } from '../../db/client.ts'
import { isDistributed } from '../../db/distribution.ts'
import { isPostVisible } from '../../db/visible.ts'
import { PAGE_TEXT_MAX } from '../../lib/page.ts'
import { fitsFilter, type PostFilter } from './search.filter.ts'
import { packGrams } from './search.grams.ts'
import { bucketsOf, fitsTerms, weigh } from './search.queries.ts'
import type { SearchTerms } from './search.terms.ts'

/** The text that shows best why a thread was found. */
export interface BestText {
  readonly threadId: string
  /** 0 for the title. */
  readonly number: number
  /** The post as typed; null while it is folded after reports, and for the title. */
  readonly content: string | null
  /** Posts with all terms; if there is none, those with the rarest one. */
  readonly hits: number
}

/** Up to so many texts, reading all of some threads is faster than the index. */
const TEXTS_READ_MAX = 5_000

/** As an array literal, the fastest way to pass many numbers. */
const gramArray = (grams: readonly number[]): RawBuilder<unknown> => sql`${`{${grams.join(',')}}`}::bigint[]`

/**
 * The best text of each found thread: the one with the most terms, a post before the title, the
 * first before later ones. Only texts with the rarest term count. A post that was removed in this
 * moment is left out. Of many posts the index finds these in the buckets of the threads: no more
 * than the search itself has read there. "offset 0" makes PostgreSQL look the posts up one by one:
 * it expects ten times as many, for which it would read all posts of a small shard.
 * Expects at least one wanted term.
 */
export async function selectBestTexts(
  db: Db,
  { all }: SearchTerms,
  threads: readonly { readonly id: string; readonly postCount: number }[],
  filter: PostFilter | null,
): Promise<BestText[]> {
  const [rarest] = (await weigh(db, all, [])).wanted
  const threadIds = threads.map(({ id }) => id)
  const posts = threads.reduce((sum, { postCount }) => sum + postCount, 0)
  const texts = posts > TEXTS_READ_MAX ? await textsWith(db, rarest!.grams, threadIds) : sql`"searchDocuments"`
  const words = all.map((term) => sql`(strpos(d.text, ${term}) > 0)::integer`)
  const fits = filter === null ? sql`true` : fitsFilter(sql.ref('d.threadId'), sql.ref('d.number'), filter)
  const { rows } = await sql<Omit<BestText, 'hits'> & { whole: number; partial: number }>`
    select candidate.*, case when p."foldedAt" is null then p.content end as content
    from (
      select "threadId",
        (array_agg(number order by words desc, number = 0, number))[1] as number,
        (count(*) filter (where number > 0 and words = ${all.length}))::integer as whole,
        (count(*) filter (where number > 0))::integer as partial
      from (
        select d."threadId", d.number, ${sql.join(words, sql` + `)} as words
        from ${texts} as d
        where d."threadId" = any(${`{${threadIds.join(',')}}`}::text::uuid[]) and strpos(d.text, ${rarest!.text}) > 0 and ${fits}
      ) as text
      group by "threadId"
    ) as candidate
    left join lateral (
      select id, content, "foldedAt" from posts as p
      where p."threadId" = candidate."threadId" and p.number = candidate.number and ${isPostVisible('p')} offset 0
    ) as p on true
    where candidate.number = 0 or p.id is not null`.execute(db)
  return rows.map(({ whole, partial, ...best }) => ({ ...best, hits: whole || partial }))
}

/** SQL: the texts with some grams in the buckets of some threads. */
async function textsWith(db: Db, grams: Iterable<number>, threadIds: readonly string[]): Promise<RawBuilder<unknown>> {
  const buckets = new Set((await bucketsOf(db, threadIds)).values())
  const isIn = (bucket: number) => sql`grams @> ${gramArray(packGrams(bucket, grams))}`
  // "offset 0" makes PostgreSQL use the grams rather than read all texts of these threads.
  const fence = (await isDistributed(db)) ? sql`` : sql`offset 0`
  return sql`(
    select "threadId", number, text from "searchDocuments" where ${sql.join([...buckets].map(isIn), sql` or `)} ${fence}
  )`
}

/** A post of a thread, as typed; null while it is folded after reports. */
export type ShownText = Pick<BestText, 'threadId' | 'number' | 'content'>

export interface FoundTexts {
  /** All posts with the terms, up to FIND_HITS_MAX. */
  readonly hits: number
  readonly texts: readonly ShownText[]
  /** Whether there are more after the last one. */
  readonly hasNext: boolean
}

/**
 * Posts of one thread that contain all terms, by number. Expects at least one wanted term.
 * @param after the number before the page
 */
export async function selectFoundPosts(
  db: Db,
  terms: SearchTerms,
  threadId: string,
  after: number,
): Promise<FoundTexts> {
  const { wanted } = await weigh(db, terms.all, [])
  const bucket = (await bucketsOf(db, [threadId])).get(threadId)!
  const grams = packGrams(bucket, new Set(wanted.flatMap((term) => term.grams)))
  const { rows } = await sql<ShownText & { hits: number; isBeyond: boolean }>`
    with hit as materialized (
      select d.number from "searchDocuments" as d
      where d."threadId" = ${threadId}::uuid and d.number > 0 and d.grams @> ${gramArray(grams)} and ${fitsTerms(terms)}
      order by d.number limit ${FIND_HITS_MAX}
    ), page as (
      select p."threadId", p.number, case when p."foldedAt" is null then p.content end as content,
        (sum(octet_length(p.content)) over (order by p.number))::integer as bytes, octet_length(p.content) as own
      from hit join posts as p on p."threadId" = ${threadId}::uuid and p.number = hit.number
      where hit.number > ${after} and ${isPostVisible('p')}
      order by p.number limit ${FIND_PAGE + 1}
    )
    select "threadId", number, content, (select count(*) from hit)::integer as hits,
      bytes > greatest(${PAGE_TEXT_MAX}, own) as "isBeyond"
    from page where bytes - own <= ${PAGE_TEXT_MAX} order by number`.execute(db)
  const texts = rows.filter(({ isBeyond }) => !isBeyond).slice(0, FIND_PAGE)
  return { hits: rows[0]?.hits ?? 0, texts, hasNext: rows.length > texts.length }
}

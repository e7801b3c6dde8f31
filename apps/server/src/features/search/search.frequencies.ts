/**
 * Estimates how common grams are, so that a search looks up as few as possible: each costs an index
 * lookup in every bucket.
 */
import { sql } from 'kysely'
import type { LRUCache } from 'lru-cache'
import type { Db } from '../../db/client.ts'
import { isDistributed } from '../../db/distribution.ts'
import { createLru } from '../../lib/lru.ts'

/** Counting stops here; such a gram is treated as common. */
const COUNTED_MAX = 4_000
/** Approximate number of texts in a full bucket: 1,024 threads of ten posts. */
const BUCKET_TEXTS = 10_000
/**
 * Expected number of texts per bucket that is low enough: reading one costs as much as looking up a
 * few more grams, and the estimate is rough.
 */
const HARDLY_ANY = 0.1
/** Share assumed for a gram whose counting stopped. */
const COMMON_SHARE = 0.5
const KEPT_GRAMS = 20_000
/** The frequency of words changes over time. */
const KEPT_MS = 3_600_000

/**
 * Per database, keyed by the adapter that its transactions share. Wrong shares make a search
 * slower, never incomplete.
 */
const kept = new WeakMap<object, LRUCache<number, number>>()

/**
 * The share of a bucket's texts that contain each gram, measured in the newest full bucket, or in
 * the only one. On a cluster all are taken for common: counting asks the workers once per gram,
 * which takes longer than the search.
 * @returns numbers above 0, up to 1
 */
export async function sharesOf(db: Db, grams: readonly number[]): Promise<Map<number, number>> {
  if (await isDistributed(db)) return new Map(grams.map((gram) => [gram, COMMON_SHARE]))
  const { adapter } = db.getExecutor()
  const shares = kept.get(adapter) ?? createLru<number, number>(KEPT_GRAMS, { ttl: KEPT_MS })
  kept.set(adapter, shares)
  const found = new Map(grams.map((gram) => [gram, shares.get(gram)]))
  const unknown = grams.filter((gram) => found.get(gram) === undefined)
  if (unknown.length > 0) {
    for (const [gram, count] of await countTexts(db, unknown)) {
      const share = count < COUNTED_MAX ? Math.max(count, 0.5) / BUCKET_TEXTS : COMMON_SHARE
      shares.set(gram, share)
      found.set(gram, share)
    }
  }
  return found as Map<number, number>
}

async function countTexts(db: Db, grams: readonly number[]): Promise<[gram: number, count: number][]> {
  const counts = grams.map(
    (gram) => sql`(select count(*) from (
      select 1 from "searchDocuments"
      where grams @> array[((select bucket from measured)::bigint << 32) | ${sql.lit(gram)}] limit ${sql.lit(COUNTED_MAX)}
    ) as texts)::integer`,
  )
  const { rows } = await sql<{ counts: readonly number[] }>`
    with measured as materialized (
      select min(bucket) as bucket from (select bucket from "searchBuckets" order by bucket desc limit 2) as newest
    )
    select array[${sql.join(counts)}] as counts`.execute(db)
  return grams.map((gram, index) => [gram, rows[0]!.counts[index]!])
}

/**
 * Chooses the grams by which a term is looked up, rarest first, and returns the share of the
 * rarest: as few as leave hardly any texts, since found texts are compared with the whole term
 * anyway.
 */
export function chooseGrams(
  grams: readonly number[],
  shares: ReadonlyMap<number, number>,
): { readonly grams: readonly number[]; readonly share: number } {
  const rarestFirst = grams.toSorted((one, other) => shares.get(one)! - shares.get(other)!)
  const chosen: number[] = []
  let texts = BUCKET_TEXTS
  for (const gram of rarestFirst) {
    if (texts <= HARDLY_ANY) break
    chosen.push(gram)
    texts *= shares.get(gram)!
  }
  return { grams: chosen, share: shares.get(rarestFirst[0]!)! }
}

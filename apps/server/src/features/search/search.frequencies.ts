/** How common grams are, so that a search looks the fewest of them up: each costs a descent into the index, in every bucket. */
import { sql } from 'kysely'
import type { LRUCache } from 'lru-cache'
import type { Db } from '../../db/client.ts'
import { createLru } from '../../lib/lru.ts'

/** Texts that are counted for a gram at most; it is a common one then. */
const COUNTED_MAX = 4_000
/** About so many texts a full bucket holds: 1,024 threads of ten posts. */
const BUCKET_TEXTS = 10_000
/** Of a bucket's texts: to read one costs as much as to look up some more grams, and the guess is a rough one. */
const HARDLY_ANY = 0.1
/** What is assumed of a gram that was counted no further. */
const COMMON_SHARE = 0.5
const KEPT_GRAMS = 20_000
/** Words come into fashion. */
const KEPT_MS = 3_600_000

/** Of each database, by the adapter that its transactions share. Wrong figures cost time and no hit. */
const kept = new WeakMap<object, LRUCache<number, number>>()

/**
 * The share of a bucket's texts that hold each gram, as it is in the newest bucket that is full, if there is one.
 * @returns numbers above 0, up to 1
 */
export async function sharesOf(db: Db, grams: readonly number[]): Promise<Map<number, number>> {
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
      select from "searchDocuments" where grams @> array[(b.bucket::bigint << 32) | ${sql.lit(gram)}] limit ${sql.lit(COUNTED_MAX)}
    ) as texts)::integer`,
  )
  const { rows } = await sql<{ counts: readonly number[] }>`
    select array[${sql.join(counts)}] as counts
    from (select min(bucket) as bucket from (select bucket from "searchBuckets" order by bucket desc limit 2) as newest) as b`.execute(
    db,
  )
  return grams.map((gram, index) => [gram, rows[0]!.counts[index]!])
}

/**
 * Those grams of a term by which its texts are found in the index, the rarest first, and the share of the rarest: no more than it takes to leave
 * hardly any texts, which are then read to the last character anyway.
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

/**
 * Trending without recomputation: every post and like adds its weight × 2^(its time in half-lives),
 * so newer ones count more and the order of two threads does not change without events.
 * The sum would overflow, so its base-2 logarithm is stored ("heat"). The score at a moment is
 * 2^(heat − moment): the decayed weight of the events, halved every 12 hours.
 *
 * threads.post-weight.ts weighs each post by its writer, and likes.weight.ts each like by the age
 * of its account; threads.sort-columns.ts copies the heat to the column that sorts lists, and
 * `selectTrending` (threads.queries.ts) chooses the threads that are shown. Heats are not: the
 * weight of a post tells how often its writer has written.
 */
import { sql, type RawBuilder } from 'kysely'
import { TRENDING_HALF_LIFE_HOURS } from '@shinobi/contract/limits'

const HALF_LIFE_MS = TRENDING_HALF_LIFE_HOURS * 3_600_000

/** Converts a time to half-lives since 1970. */
export const inHalfLives = (milliseconds: number): number => milliseconds / HALF_LIFE_MS

/**
 * Heat after `events` more posts or likes (the sum of their weights) at a moment:
 * log2(2^heat + events · 2^moment), safe from overflow. SQL for an UPDATE.
 */
export function heatAfterAdding(
  heat: RawBuilder<number>,
  events: RawBuilder<number>,
  milliseconds: number,
): RawBuilder<number> {
  const added = sql`(${inHalfLives(milliseconds)}::float8 + ln(${events}::float8) / ln(2::float8))`
  return sql<number>`greatest(${heat}, ${added}) + ln(1 + power(2::float8, -least(abs(${heat} - ${added}), 1000))) / ln(2::float8)`
}

/**
 * Heat after likes are taken back: log2(2^heat − their share), but at least the weight of the
 * newest post, which every thread has. SQL for an UPDATE.
 * @param share the share of the likes in 2^heat: the sum of `shareOfHeat` over them
 */
export function heatAfterRemoving(
  heat: RawBuilder<number>,
  share: RawBuilder<number>,
  lastPostAt: RawBuilder<Date>,
): RawBuilder<number> {
  const floor = sql`(extract(epoch from ${lastPostAt})::float8 * 1000 / ${HALF_LIFE_MS}::float8)`
  return sql<number>`greatest(${heat} + ln(greatest(1 - ${share}, 1e-300)) / ln(2::float8), ${floor})`
}

/** The share of one event, of a weight and at a time, in the heat that includes it: 0 to 1. SQL. */
export function shareOfHeat(
  heat: RawBuilder<number>,
  weight: RawBuilder<number>,
  at: RawBuilder<Date>,
): RawBuilder<number> {
  const own = sql`(extract(epoch from ${at})::float8 * 1000 / ${HALF_LIFE_MS}::float8 + ln(${weight}) / ln(2::float8))`
  return sql<number>`power(2::float8, least(greatest(${own} - ${heat}, -1000), 0))`
}

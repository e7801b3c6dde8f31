import { sql, type RawBuilder } from 'kysely'
import { TRENDING_HALF_LIFE_HOURS } from '@shinobi/contract/limits'

/**
 * Trending without recomputation: every post and like weighs 2^(its time in half-lives), so newer ones weigh more and the
 * order of two threads never changes while nothing happens. The sum would overflow, so its base-2 logarithm is kept ("heat").
 * The score at a moment is 2^(heat − moment): what the events still weigh, halved every 12 hours.
 */
const HALF_LIFE_MS = TRENDING_HALF_LIFE_HOURS * 3_600_000

/** A moment in half-lives since 1970. */
export const inHalfLives = (milliseconds: number): number => milliseconds / HALF_LIFE_MS

/** Heat after `events` more posts or likes at a moment: log2(2^heat + events · 2^moment), safe from overflow. SQL for an UPDATE. */
export function raisedHeat(
  heat: RawBuilder<number>,
  events: RawBuilder<number>,
  milliseconds: number,
): RawBuilder<number> {
  const added = sql`(${inHalfLives(milliseconds)}::float8 + ln(${events}::float8) / ln(2::float8))`
  return sql<number>`greatest(${heat}, ${added}) + ln(1 + power(2::float8, -least(abs(${heat} - ${added}), 1000))) / ln(2::float8)`
}

/**
 * Heat without likes that were taken back: log2(2^heat − what they had added), with the newest post's weight as the floor, which
 * every thread has. SQL for an UPDATE.
 * @param share what they had added, as a part of 2^heat: the sum of `shareOfHeat` over them
 */
export function loweredHeat(
  heat: RawBuilder<number>,
  share: RawBuilder<number>,
  lastPostAt: RawBuilder<Date>,
): RawBuilder<number> {
  const floor = sql`(extract(epoch from ${lastPostAt})::float8 * 1000 / ${HALF_LIFE_MS}::float8)`
  return sql<number>`greatest(${heat} + ln(greatest(1 - ${share}, 1e-300)) / ln(2::float8), ${floor})`
}

/** What one event at a time adds to the heat it is a part of, from 0 to 1. SQL. */
export const shareOfHeat = (heat: RawBuilder<number>, at: RawBuilder<Date>): RawBuilder<number> =>
  sql<number>`power(2::float8, least(greatest(extract(epoch from ${at})::float8 * 1000 / ${HALF_LIFE_MS}::float8 - ${heat}, -1000), 0))`

/** The score shown for a heat at a moment, to three decimals. */
export const toScore = (heat: number, milliseconds: number): number =>
  Math.round(2 ** Math.min(heat - inHalfLives(milliseconds), 50) * 1000) / 1000

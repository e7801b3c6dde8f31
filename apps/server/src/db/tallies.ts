import { randomInt } from 'node:crypto'
import { sql, type RawBuilder } from 'kysely'
import { uuidv7Floor } from '../lib/uuid.ts'
import type { Db } from './client.ts'
import { idsOf } from './ids.ts'
import { isPostVisible, isThreadRemoved, isThreadVisible } from './visible.ts'

/**
 * Number of users, threads and posts by the hour of their ids (UUIDv7 contain their time), so that
 * totals, figures of a day and deep pages of a list cost a sum over hours rather than a count over
 * rows. A removal subtracts and a restoration adds again, in the same transaction, so the sums are
 * exact.
 */
export type TallyKind = 'users' | 'threads' | 'posts'

const HOUR_MS = 3_600_000

/**
 * Each server has its own row per hour, so that servers writing at the same time do not wait for
 * each other.
 */
const LANE = randomInt(1, 16)
/**
 * Removals have rows of their own, so that a long one does not block writers, and each takes one of
 * several, so that they seldom wait for each other.
 */
const removalLane = (): number => randomInt(16, 32)
/** Recounts. */
const COUNT_LANE = 0

/** The hour of an id, in SQL. */
const hourOf = (id: RawBuilder<unknown>): RawBuilder<number> =>
  sql<number>`(('x' || left(replace(${id}::text, '-', ''), 12))::bit(48)::bigint / ${sql.lit(HOUR_MS)})`

/**
 * The part of an insert statement that adds its rows to the tally.
 * @param ids a subquery or name of rows with a column `id`
 */
export const tallyInserted = (kind: TallyKind, ids: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  insert into tallies (kind, hour, lane, count)
  select ${sql.lit(kind)}, ${hourOf(sql`counted.id`)}, ${sql.lit(LANE)}, count(*) from ${ids} as counted group by 2
  on conflict (kind, hour, lane) do update set count = tallies.count + excluded.count`

/** Adds ids to the tally, or subtracts them. */
export async function tally(tx: Db, kind: TallyKind, ids: readonly string[], sign: 1 | -1): Promise<void> {
  if (ids.length === 0) return
  await tallyQuery(tx, kind, idsOf(ids), sign)
}

/** The same for the rows of a subquery with a column `id`. */
export async function tallyQuery(tx: Db, kind: TallyKind, ids: RawBuilder<unknown>, sign: 1 | -1): Promise<void> {
  await sql`
    insert into tallies (kind, hour, lane, count)
    select ${kind}, ${hourOf(sql`counted.id`)}, ${removalLane()}::integer, ${sql.lit(sign)} * count(*) from ${ids} as counted
    group by 2 order by 2
    on conflict (kind, hour, lane) do update set count = tallies.count + excluded.count`.execute(tx)
}

/** The condition for counting each kind; it must match the calls of `tally` above. */
const COUNTED: Readonly<Record<TallyKind, RawBuilder<unknown>>> = {
  users: sql`users as r where true`,
  threads: sql`threads as r where ${isThreadVisible('r')}`,
  // Removed threads are few, because they are purged after a while: their ids are selected once
  // instead of checked for every post.
  posts: sql`posts as r where ${isPostVisible('r')} and r."threadId" not in (select id from threads where ${isThreadRemoved()})`,
}

/**
 * Recounts everything, in a transaction, after tables were filled without the server. Writers wait
 * until its end.
 */
export async function recount(tx: Db): Promise<void> {
  await lockAgainstTallies(tx)
  await tx.deleteFrom('tallies').execute()
  for (const kind of Object.keys(COUNTED) as TallyKind[]) await insertCounts(tx, kind, sql`true`)
}

/** Recounts the items of one hour; the rest as `recount`. */
export async function recountHour(tx: Db, kind: TallyKind, hour: number): Promise<void> {
  await lockAgainstTallies(tx)
  await sql`delete from tallies where kind = ${kind} and hour = ${hour}::bigint`.execute(tx)
  await insertCounts(tx, kind, sql`r.id >= ${firstIdOf(hour)} and r.id < ${firstIdOf(hour + 1)}`)
}

async function lockAgainstTallies(tx: Db): Promise<void> {
  // Rows committed by now are counted below; later ones add themselves.
  await sql`lock table tallies in exclusive mode`.execute(tx)
}

async function insertCounts(tx: Db, kind: TallyKind, which: RawBuilder<unknown>): Promise<void> {
  await sql`
    insert into tallies (kind, hour, lane, count)
    select ${kind}::text, ${hourOf(sql`counted.id`)}, ${sql.lit(COUNT_LANE)}, count(*)
    from (select r.id from ${COUNTED[kind]} and ${which}) as counted group by 2`.execute(tx)
}

/**
 * Until the end of the transaction nothing is recounted; call it before reading what was recounted.
 */
export async function lockAgainstRecounts(tx: Db): Promise<void> {
  await sql`lock table tallies in row exclusive mode`.execute(tx)
}

/** The hour of a time, as the tallies number it. */
export const hourAt = (milliseconds: number): number => Math.floor(milliseconds / HOUR_MS)
const firstIdOf = (hour: number): RawBuilder<string> => sql<string>`${uuidv7Floor(hour * HOUR_MS)}::uuid`

/** Totals of each kind. */
export async function selectTotals(db: Db): Promise<Record<TallyKind, number>> {
  const { rows } = await sql<{ kind: TallyKind; total: number }>`
    select kind, sum(count)::integer as total from tallies group by kind`.execute(db)
  const totals = { users: 0, threads: 0, posts: 0 }
  for (const { kind, total } of rows) totals[kind] = total
  return totals
}

/**
 * Number of items created since a time: whole hours from the tallies, and the shorter part of the
 * first hour from its index.
 */
export async function countSince(db: Db, kind: TallyKind, since: number): Promise<number> {
  const hour = hourAt(since)
  const cut = sql`${uuidv7Floor(since)}::uuid`
  const isEarly = since - hour * HOUR_MS < HOUR_MS / 2
  const [from, to] = isEarly ? [firstIdOf(hour), cut] : [cut, firstIdOf(hour + 1)]
  // One statement, so that sum and count see the same snapshot.
  const { rows } = await sql<{ count: number }>`
    select (
      (select coalesce(sum(count), 0) from tallies where kind = ${kind} and hour >= ${isEarly ? hour : hour + 1}::bigint)
      + ${sql.lit(isEarly ? -1 : 1)} * (select count(*) from ${COUNTED[kind]} and r.id >= ${from} and r.id < ${to})
    )::integer as count`.execute(db)
  return rows[0]!.count
}

/** Approximate number of items between two times: the sum of all hours that they touch. */
export async function countBetween(db: Db, kind: TallyKind, since: number, until: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select coalesce(sum(count), 0)::float8 as count from tallies
    where kind = ${kind} and hour between ${hourAt(since)}::bigint and ${hourAt(until)}::bigint`.execute(db)
  return rows[0]!.count
}

/**
 * Number of items in each of the last `hours` hours, up to and including that of `until`; oldest
 * first.
 */
export async function countByHour(db: Db, kind: TallyKind, until: number, hours: number): Promise<number[]> {
  const last = hourAt(until)
  const first = last - hours + 1
  const { rows } = await sql<{ place: number; count: number }>`
    select (hour - ${first}::bigint)::integer as place, sum(count)::integer as count
    from tallies where kind = ${kind} and hour between ${first}::bigint and ${last}::bigint group by 1`.execute(db)
  const counts = Array.from({ length: hours }, () => 0)
  for (const { place, count } of rows) counts[place] = count
  return counts
}

export interface NumberedPage {
  /** Ids on the page, newest first. */
  readonly ids: readonly string[]
  /** Number of items on all pages. */
  readonly total: number
  /** The total may be higher than the number found. */
  readonly partial?: boolean
}

/**
 * A page of a list by age, newest first. The tallies give the number of items before its hour, so
 * only rows within the hour are skipped.
 */
export async function selectPage(
  db: Db,
  kind: TallyKind,
  { page, limit }: { readonly page: number; readonly limit: number },
): Promise<NumberedPage> {
  const offset = (page - 1) * limit
  const found = await sql<{ total: number; hour: number | null; before: number; within: number }>`
    with hours as (
      select hour, sum(count) as count from tallies where kind = ${kind} group by hour
    ), running as (
      select hour, count, sum(count) over (order by hour desc) as upto from hours
    )
    select (select coalesce(sum(count), 0) from hours)::integer as total, place.hour::integer as hour,
      (place.upto - place.count)::integer as before, place.count::integer as within
    from (select 1) as one
    left join lateral (select * from running where upto > ${offset}::bigint order by hour desc limit 1) as place on true`.execute(
    db,
  )
  const { total, hour, before, within } = found.rows[0]!
  if (hour === null) return { ids: [], total }
  const skipped = offset - before
  const [direction, skip] = skipped * 2 < within ? [sql`desc`, skipped] : [sql`asc`, within - 1 - skipped]
  // After a concurrent removal the hour has too few rows, and the page begins below it.
  const { rows } = await sql<{ id: string }>`
    select r.id from ${COUNTED[kind]} and r.id <= coalesce((
      select r.id from ${COUNTED[kind]} and r.id >= ${firstIdOf(hour)} and r.id < ${firstIdOf(hour + 1)}
      order by r.id ${direction} offset ${skip}::bigint limit 1
    ), ${firstIdOf(hour)})
    order by r.id desc limit ${limit}`.execute(db)
  return { ids: rows.map((row) => row.id), total }
}

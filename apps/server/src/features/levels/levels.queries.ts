import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import { idsOf } from '../../db/ids.ts'
import type { LevelRow } from './level.rules.ts'

/** Days as text: the driver would read a date as midnight in the server's time zone. */
const columns = sql`
  days, removals, to_char("pendingDay", 'YYYY-MM-DD') as "pendingDay", to_char("stainedDay", 'YYYY-MM-DD') as "stainedDay"`

/** A level, and when one was last moved to its owner; null if never, or weeks ago. */
export type KnownLevel = LevelRow & { readonly arrivedAt: Date | null }

/** The level of a browser or member; undefined when there is no row. */
export async function selectLevel(db: Db, actorId: string): Promise<KnownLevel | undefined> {
  const { rows } = await sql<KnownLevel>`
    select ${columns},
      (select max("movedAt") from "levelMoves" where "movedTo" = ${actorId}::uuid) as "arrivedAt"
    from levels where "actorId" = ${actorId}::uuid`.execute(db)
  return rows[0]
}

/**
 * Locks the rows of some actors in the order of their ids, and creates those that are missing. An
 * update that changes nothing locks what exists, and returns it, in the same statement.
 */
export async function lockLevels(tx: Db, actorIds: readonly string[], seenOn: string): Promise<Map<string, LevelRow>> {
  const { rows } = await sql<LevelRow & { actorId: string }>`
    insert into levels ("actorId", "seenOn") select id, ${seenOn}::date
    from unnest(${`{${[...new Set(actorIds)].toSorted().join(',')}}`}::text::uuid[]) as actor(id)
    on conflict ("actorId") do update set "seenOn" = levels."seenOn"
    returning "actorId", ${columns}`.execute(tx)
  return new Map(rows.map(({ actorId, ...row }) => [actorId, row]))
}

export async function saveLevels(tx: Db, levels: ReadonlyMap<string, LevelRow>, seenOn: string): Promise<void> {
  const rows = [...levels].map(([actorId, row]) => ({ actorId, ...row }))
  await sql`
    update levels as l set days = fresh.days, removals = fresh.removals, "pendingDay" = fresh."pendingDay",
      "stainedDay" = fresh."stainedDay", "seenOn" = greatest(l."seenOn", ${seenOn}::date)
    from json_to_recordset(${JSON.stringify(rows)}::text::json)
      as fresh("actorId" uuid, days smallint, removals smallint, "pendingDay" date, "stainedDay" date)
    where l."actorId" = fresh."actorId"`.execute(tx)
}

/**
 * Deletes up to `limit` levels of browsers and members without a post since a day. @returns how
 * many
 */
export async function deleteUnseenLevels(db: Db, before: string, limit: number): Promise<number> {
  const { rows } = await sql`
    delete from levels where "actorId" = any(array(
      select "actorId" from levels where "seenOn" < ${before}::date order by "seenOn" limit ${limit} for update skip locked
    )) returning 1`.execute(db)
  return rows.length
}

/** Deletes everything about the level of an account that is deleted. */
export async function deleteLevel(db: Db, actorId: string): Promise<void> {
  await sql`delete from levels where "actorId" = ${actorId}::uuid`.execute(db)
  await sql`delete from "levelMoves" where "movedTo" = ${actorId}::uuid`.execute(db)
}

/** Where the level of a browser is now. */
export interface LevelMove {
  readonly actorId: string
  readonly movedTo: string
  /** When it left this browser. */
  readonly movedAt: Date
}

/**
 * Replaces an earlier move of the same browser, and lets the moves to this browser end where its
 * level goes. So one row says where a level is, however often it moved since.
 */
export async function saveMove(tx: Db, { actorId, movedTo, movedAt }: LevelMove): Promise<void> {
  // A level that comes home has not moved.
  await sql`
    delete from "levelMoves" where "actorId" = ${movedTo}::uuid and "movedTo" = ${actorId}::uuid`.execute(tx)
  await sql`
    update "levelMoves" set "movedTo" = ${movedTo}::uuid where "movedTo" = ${actorId}::uuid`.execute(tx)
  await sql`
    insert into "levelMoves" ("actorId", "movedTo", "movedAt")
    values (${actorId}::uuid, ${movedTo}::uuid, ${movedAt}::timestamptz)
    on conflict ("actorId") do update set "movedTo" = excluded."movedTo", "movedAt" = excluded."movedAt"`.execute(tx)
}

export async function selectMoves(db: Db, actorIds: readonly string[]): Promise<LevelMove[]> {
  const { rows } = await sql<LevelMove>`
    select "actorId", "movedTo", "movedAt" from "levelMoves" where "actorId" in ${idsOf(actorIds)}`.execute(db)
  return rows
}

/** Deletes up to `limit` moves from before a time. @returns how many */
export async function deleteOldMoves(db: Db, before: Date, limit: number): Promise<number> {
  const { rows } = await sql`
    delete from "levelMoves" where "actorId" = any(array(
      select "actorId" from "levelMoves" where "movedAt" <= ${before}::timestamptz
      order by "movedAt" limit ${limit} for update skip locked
    )) returning 1`.execute(db)
  return rows.length
}

/** A phrase that moves a level to another browser. */
export interface LevelPhrase {
  readonly phraseHash: string
  readonly actorId: string
  readonly expiresAt: Date
}

/** Replaces an earlier phrase of the same browser. */
export async function savePhrase(db: Db, { phraseHash, actorId, expiresAt }: LevelPhrase): Promise<void> {
  await sql`
    insert into "levelPhrases" ("actorId", "phraseHash", "expiresAt")
    values (${actorId}::uuid, ${phraseHash}, ${expiresAt}::timestamptz)
    on conflict ("actorId") do update set "phraseHash" = excluded."phraseHash", "expiresAt" = excluded."expiresAt"`.execute(
    db,
  )
}

/** When the phrase of a browser expires; undefined without one. */
export async function selectPhraseEnd(db: Db, actorId: string, at: Date): Promise<Date | undefined> {
  const { rows } = await sql<{ expiresAt: Date }>`
    select "expiresAt" from "levelPhrases" where "actorId" = ${actorId}::uuid and "expiresAt" > ${at}::timestamptz`.execute(
    db,
  )
  return rows[0]?.expiresAt
}

/**
 * Deletes a phrase, so that it works once. @returns the browser whose it was; undefined when
 * unknown
 */
export async function takePhrase(tx: Db, phraseHash: string, at: Date): Promise<string | undefined> {
  const { rows } = await sql<{ actorId: string }>`
    delete from "levelPhrases" where "phraseHash" = ${phraseHash} and "expiresAt" > ${at}::timestamptz
    returning "actorId"`.execute(tx)
  return rows[0]?.actorId
}

export async function deletePhrase(db: Db, actorId: string): Promise<void> {
  await sql`delete from "levelPhrases" where "actorId" = ${actorId}::uuid`.execute(db)
}

export async function deleteOldPhrases(db: Db, at: Date): Promise<void> {
  await sql`delete from "levelPhrases" where "expiresAt" <= ${at}::timestamptz`.execute(db)
}

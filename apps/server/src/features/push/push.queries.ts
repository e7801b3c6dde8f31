/** Browsers that are registered for notices, what they watch, and the notices that wait. */
import { sql } from 'kysely'
import type { PushRegistration } from '@shinobi/contract/push'
import type { Db } from '../../db/client.ts'
import type { PushKind } from '../../db/tables.ts'
import { uuidv7 } from '../../lib/uuid.ts'
import type { QuietHours } from './push.rules.ts'

export interface StoredRegistration extends Pick<PushRegistration, 'answers' | 'titles' | 'perHour' | 'threads'> {
  readonly tokenHash: string
  readonly endpointHash: string
  readonly sealedSubscription: string
  readonly quiet: QuietHours
  /** Folded. */
  readonly words: readonly string[]
}

/**
 * Replaces what is registered under a token, and another registration of the same subscription. Who
 * registers has a page open, and so has seen what was sent before: the next notice need not wait.
 */
export async function saveRegistration(tx: Db, stored: StoredRegistration, at: Date): Promise<void> {
  const { tokenHash, endpointHash, sealedSubscription, quiet, answers, titles, perHour, threads, words } = stored
  const fields = { endpointHash, sealedSubscription, answers, titles, perHour, ...quiet, seenAt: at }
  await tx
    .deleteFrom('pushBrowsers')
    .where('endpointHash', '=', endpointHash)
    .where('tokenHash', '!=', tokenHash)
    .execute()
  const { id } = await tx
    .insertInto('pushBrowsers')
    .values({ id: uuidv7(at.getTime()), tokenHash, ...fields })
    .onConflict((conflict) => conflict.column('tokenHash').doUpdateSet({ ...fields, failures: 0 }))
    .returning('id')
    .executeTakeFirstOrThrow()

  await sql`
    with told as (
      select * from json_to_recordset(${JSON.stringify(threads)}::text::json)
        as t("threadId" uuid, watched boolean, "ownPosts" integer[])
    ), dropped as (
      delete from "pushWatches" where "browserId" = ${id}::uuid and "threadId" not in (select "threadId" from told)
    )
    insert into "pushWatches" as w ("threadId", "browserId", watched, "ownPosts")
    select distinct on ("threadId") "threadId", ${id}::uuid, watched, "ownPosts" from told
    on conflict ("threadId", "browserId") do update set watched = excluded.watched, "ownPosts" = excluded."ownPosts"
    where (w.watched, w."ownPosts") is distinct from (excluded.watched, excluded."ownPosts")`.execute(tx)
  await sql`
    with told as (select distinct word from json_array_elements_text(${JSON.stringify(words)}::text::json) as t(word)),
    dropped as (delete from "pushWords" where "browserId" = ${id}::uuid and word not in (select word from told))
    insert into "pushWords" (word, "browserId") select word, ${id}::uuid from told on conflict do nothing`.execute(tx)
  await tx.deleteFrom('pushNotices').where('browserId', '=', id).where('dueAt', 'is', null).execute()
}

export const hasRegistration = async (db: Db, tokenHash: string): Promise<boolean> =>
  (await selectSubscription(db, tokenHash)) !== undefined

export const selectSubscription = (
  db: Db,
  tokenHash: string,
): Promise<{ id: string; sealedSubscription: string } | undefined> =>
  db
    .selectFrom('pushBrowsers')
    .select(['id', 'sealedSubscription'])
    .where('tokenHash', '=', tokenHash)
    .executeTakeFirst()

/** Deletes a registration with what it watches and its notices. */
export const deleteByToken = (db: Db, tokenHash: string): Promise<unknown> =>
  db.deleteFrom('pushBrowsers').where('tokenHash', '=', tokenHash).execute()

export const deleteBrowser = (db: Db, id: string): Promise<unknown> =>
  db.deleteFrom('pushBrowsers').where('id', '=', id).execute()

/** @returns how many were deleted */
export async function deleteUnseenBrowsers(db: Db, before: Date, limit: number): Promise<number> {
  const unseen = db.selectFrom('pushBrowsers').select('id').where('seenAt', '<', before).limit(limit)
  const { numDeletedRows } = await db.deleteFrom('pushBrowsers').where('id', 'in', unseen).executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

/** Sent notices, which are needed no longer. @returns how many were deleted */
export async function deleteSentNotices(db: Db, before: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from "pushNotices" where ("browserId", "threadId") in (
      select "browserId", "threadId" from "pushNotices" where "dueAt" is null and "sentAt" < ${before}::timestamptz limit ${limit}
    ) and "dueAt" is null`.execute(db)
  return Number(numAffectedRows ?? 0)
}

/** Of some threads those that any browser watches. */
export async function selectWatched(db: Db, threadIds: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ threadId: string }>`
    select t.id as "threadId" from unnest(${`{${threadIds.join(',')}}`}::text::uuid[]) as t(id)
    where exists (select from "pushWatches" as w where w."threadId" = t.id)`.execute(db)
  return new Set(rows.map(({ threadId }) => threadId))
}

/** When a notice is due, and the pause after the last one of its thread that it keeps. */
export interface Due {
  readonly at: Date
  readonly pauseMs: number
}

const afterPause = ({ at, pauseMs }: Due) =>
  sql`greatest(${at}::timestamptz, n."sentAt" + ${pauseMs}::bigint * interval '1 millisecond')`

/**
 * Queues notices of new posts in watched threads. One that waits already stays as it is, and its
 * row is not even locked: in a busy thread that is nearly every one.
 * @param news per thread the first new post
 */
export async function queuePosts(
  db: Db,
  news: readonly { readonly threadId: string; readonly number: number }[],
  due: Due,
): Promise<void> {
  await sql`
    insert into "pushNotices" as n ("browserId", "threadId", kind, number, "dueAt")
    select w."browserId", w."threadId", 'posts', p.number, ${due.at}::timestamptz
    from json_to_recordset(${JSON.stringify(news)}::text::json) as p("threadId" uuid, number integer)
    join "pushWatches" as w on w."threadId" = p."threadId" and w.watched
    where not exists (
      select from "pushNotices" as known
      where known."browserId" = w."browserId" and known."threadId" = w."threadId" and known."dueAt" is not null
    )
    on conflict ("browserId", "threadId") do update
    set kind = 'posts', number = excluded.number, tries = 0, "dueAt" = ${afterPause(due)}
    where n."dueAt" is null`.execute(db)
}

/** Queues notices of answers, in place of those about other new posts of their thread. */
export async function queueAnswers(
  db: Db,
  news: readonly { readonly threadId: string; readonly number: number; readonly answered: readonly number[] }[],
  due: Due,
): Promise<void> {
  await sql`
    insert into "pushNotices" as n ("browserId", "threadId", kind, number, "dueAt")
    select distinct on (w."browserId", w."threadId") w."browserId", w."threadId", 'answer', p.number, ${due.at}::timestamptz
    from json_to_recordset(${JSON.stringify(news)}::text::json)
      as p("threadId" uuid, number integer, answered integer[])
    join "pushWatches" as w
      on w."threadId" = p."threadId" and w."ownPosts" && p.answered and not w."ownPosts" @> array[p.number]
    join "pushBrowsers" as b on b.id = w."browserId" and b.answers
    order by w."browserId", w."threadId", p.number
    on conflict ("browserId", "threadId") do update
    set kind = 'answer', number = excluded.number, tries = 0,
      "dueAt" = case when n."dueAt" is null then ${afterPause(due)} else n."dueAt" end
    where n."dueAt" is null or n.kind <> 'answer'`.execute(db)
}

/** Queues notices of a new thread for the browsers that watch a part of its title. */
export async function queueThread(db: Db, threadId: string, parts: readonly string[], due: Due): Promise<void> {
  await sql`
    insert into "pushNotices" ("browserId", "threadId", kind, number, "dueAt")
    select distinct "browserId", ${threadId}::uuid, 'thread', 1, ${due.at}::timestamptz
    from "pushWords" where word = any(${parts}::text[])
    on conflict do nothing`.execute(db)
}

/** A notice whose attempt has begun, with what is known of its browser now. */
export interface ClaimedNotice extends QuietHours {
  readonly browserId: string
  readonly threadId: string
  readonly kind: PushKind
  readonly number: number
  /** Including this one. */
  readonly tries: number
  readonly tokenHash: string
  readonly sealedSubscription: string
  readonly answers: boolean
  readonly titles: boolean
  readonly perHour: number
  /** False and empty where the thread is watched no longer. */
  readonly watched: boolean
  readonly ownPosts: readonly number[]
}

/**
 * Begins attempts of the notices that have been due for longest. Only one of several processes gets
 * each; the same statement postpones it, so that none is lost if this process is killed.
 */
export async function claimNotices(
  db: Db,
  { at, leaseMs, limit }: { readonly at: Date; readonly leaseMs: number; readonly limit: number },
): Promise<ClaimedNotice[]> {
  const { rows } = await sql<ClaimedNotice>`
    with due as (
      select "browserId", "threadId" from "pushNotices" where "dueAt" <= ${at}::timestamptz
      order by "dueAt" limit ${limit} for update skip locked
    )
    update "pushNotices" as n
    set tries = n.tries + 1, "dueAt" = ${at}::timestamptz + ${leaseMs}::bigint * interval '1 millisecond'
    from due
    join "pushBrowsers" as b on b.id = due."browserId"
    left join "pushWatches" as w on w."threadId" = due."threadId" and w."browserId" = due."browserId"
    where n."browserId" = due."browserId" and n."threadId" = due."threadId"
    returning n."browserId", n."threadId", n.kind, n.number, n.tries, b."tokenHash", b."sealedSubscription", b.answers,
      b.titles, b."perHour", b."quietFrom", b."quietUntil", coalesce(w.watched, false) as watched,
      coalesce(w."ownPosts", '{}') as "ownPosts"`.execute(db)
  return rows
}

type Key = Pick<ClaimedNotice, 'browserId' | 'threadId'>
/** What was claimed, unless a later event has changed it since: then that is still to be sent. */
type Claimed = Pick<ClaimedNotice, 'browserId' | 'threadId' | 'kind' | 'number'>

/** Tries again at another time; `isTry`: the attempt counts. */
export async function postponeNotice(db: Db, { browserId, threadId }: Key, until: Date, isTry: boolean): Promise<void> {
  await sql`
    update "pushNotices" set "dueAt" = ${until}::timestamptz, tries = tries - ${isTry ? 0 : 1}::integer
    where "browserId" = ${browserId}::uuid and "threadId" = ${threadId}::uuid and "dueAt" is not null`.execute(db)
}

export async function markSent(db: Db, { browserId, threadId, kind, number }: Claimed, at: Date): Promise<void> {
  await sql`
    update "pushNotices" set "dueAt" = null, "sentAt" = ${at}::timestamptz, tries = 0
    where "browserId" = ${browserId}::uuid and "threadId" = ${threadId}::uuid
      and kind = ${kind} and number = ${number}`.execute(db)
  await sql`update "pushBrowsers" set failures = 0 where id = ${browserId}::uuid and failures > 0`.execute(db)
}

/** Queues a sent notice again, for later news, unless a later event has done so. */
export async function queueAgain(
  db: Db,
  { browserId, threadId }: Key,
  { kind, number }: Pick<Claimed, 'kind' | 'number'>,
  due: Date,
): Promise<void> {
  await sql`
    update "pushNotices" set kind = ${kind}, number = ${number}::integer, "dueAt" = ${due}::timestamptz
    where "browserId" = ${browserId}::uuid and "threadId" = ${threadId}::uuid and "dueAt" is null`.execute(db)
}

export const deleteNotice = (db: Db, { browserId, threadId, kind, number }: Claimed): Promise<unknown> =>
  db
    .deleteFrom('pushNotices')
    .where('browserId', '=', browserId)
    .where('threadId', '=', threadId)
    .where('kind', '=', kind)
    .where('number', '=', number)
    .execute()

/**
 * Takes one of the notices that a browser gets in an hour.
 * @returns null, or when the next one may be sent, if none is left
 */
export async function takeOfHour(db: Db, browserId: string, most: number, at: Date): Promise<Date | null> {
  const isOver = sql`"hourStartedAt" is null or "hourStartedAt" <= ${at}::timestamptz - interval '1 hour'`
  const { rows } = await sql`
    update "pushBrowsers" set
      "sentInHour" = case when ${isOver} then 1 else "sentInHour" + 1 end,
      "hourStartedAt" = case when ${isOver} then ${at}::timestamptz else "hourStartedAt" end
    where id = ${browserId}::uuid and (${isOver} or "sentInHour" < ${most}::integer)
    returning id`.execute(db)
  if (rows.length > 0) return null
  const browser = await db
    .selectFrom('pushBrowsers')
    .select('hourStartedAt')
    .where('id', '=', browserId)
    .executeTakeFirst()
  return new Date((browser?.hourStartedAt?.getTime() ?? at.getTime()) + 3_600_000)
}

/** Counts a refusal by the push service. @returns how many there were since it took a notice */
export async function countFailure(db: Db, browserId: string): Promise<number> {
  const { rows } = await sql<{ failures: number }>`
    update "pushBrowsers" set failures = failures + 1 where id = ${browserId}::uuid returning failures`.execute(db)
  return rows[0]?.failures ?? 0
}

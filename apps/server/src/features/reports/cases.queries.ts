/**
 * Cases: each collects all reports of one post. Locks are taken in the same order everywhere: the
 * thread first (if it is locked), then its cases; reports are only inserted.
 */
import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import { isDistributed, isThread, writeByThread } from '../../db/distribution.ts'
import { idsOf } from '../../db/ids.ts'
import type { PostTarget } from '../posts/removals.queries.ts'
import { textsOf, type NewReport } from './reports.queries.ts'

export type CaseKey = PostTarget

/** The counts of a case after a report. */
export interface CountedCase {
  /** Distinct voices (see ReportsTable) of reporters who are not muted. */
  readonly voices: number
  /** Number of voices when moderators last dismissed the case. */
  readonly heardVoices: number
}

export interface CountedReport extends CaseKey, Pick<NewReport, 'id' | 'voice' | 'earlierVoices'> {
  readonly number: number
  readonly muted: boolean
  readonly at: Date
}

/**
 * Counts a report that was just stored. The first report opens a case, and a new voice reopens a
 * closed one; a muted reporter opens nothing.
 * @returns undefined when there is no case
 */
export async function countReport(tx: Db, report: CountedReport): Promise<CountedCase | undefined> {
  const { threadId, postId, id, number, muted, at } = report
  if (!muted) {
    await sql`
      insert into cases ("threadId", "postId", number, "categoryId", status, reports, voices, "createdAt")
      select id, ${postId}::uuid, ${number}::integer, "categoryId", 'open', 0, 0, ${at}::timestamptz
      from threads where id = ${threadId}::uuid
      on conflict ("threadId", "postId") do nothing`.execute(tx)
  }
  // Locked before the reports are counted: of two concurrent reports the later one counts both.
  if ((await lockCase(tx, { threadId, postId })) === undefined) return undefined
  const voice = (await takeEarlierVoice(tx, report)) ?? report.voice
  const { rows } = await sql<CountedCase>`
    with fresh as (
      select not ${muted}::boolean and not exists (
        select from reports where "threadId" = ${threadId}::uuid and "postId" = ${postId}::uuid
          and voice = ${voice}::text and not muted and id <> ${id}::uuid
      ) as is
    )
    update cases set reports = counted.reports, voices = counted.voices,
      "createdAt" = case when status = 'closed' and fresh.is then ${at}::timestamptz else "createdAt" end,
      decision = case when fresh.is then null else decision end,
      "decidedBy" = case when fresh.is then null else "decidedBy" end,
      "decidedAt" = case when fresh.is then null else "decidedAt" end,
      "actionId" = case when fresh.is then null else "actionId" end,
      status = case when fresh.is then 'open' else status end
    from fresh, ${countsOf({ threadId, postId })} as counted
    where "threadId" = ${threadId}::uuid and "postId" = ${postId}::uuid
    returning cases.voices, cases."heardVoices"`.execute(tx)
  return rows[0]
}

/**
 * Gives a report the voice that its source has in the case from an earlier day: the hash of an
 * address changes at midnight, which must not make two voices of one line.
 * @returns undefined when it has none
 */
async function takeEarlierVoice(tx: Db, report: CountedReport): Promise<string | undefined> {
  const { threadId, postId, id, earlierVoices } = report
  if (earlierVoices.length === 0) return undefined
  const { rows } = await sql<{ voice: string }>`
    update reports as r set voice = earlier.voice
    from (
      select voice from reports where "threadId" = ${threadId}::uuid and "postId" = ${postId}::uuid
        and id <> ${id}::uuid and voice = any(${textsOf(earlierVoices)})
      order by id limit 1
    ) as earlier
    where r."threadId" = ${threadId}::uuid and r.id = ${id}::uuid
    returning r.voice`.execute(tx)
  return rows[0]?.voice
}

const countsOf = ({ threadId, postId }: CaseKey) => sql`(
  select count(*)::integer as reports, (count(distinct voice) filter (where not muted))::integer as voices
  from reports where "threadId" = ${threadId}::uuid and "postId" = ${postId}::uuid
)`

/**
 * Opens a case for a post in which a word rule flags a word, and reopens a closed one. An open case
 * only gets the word.
 */
export async function insertFlaggedCase(
  db: Db,
  { threadId, postId, word, at }: CaseKey & { readonly word: string; readonly at: Date },
): Promise<void> {
  await sql`
    insert into cases ("threadId", "postId", number, "categoryId", status, reports, voices, flag, "createdAt")
    select p."threadId", p.id, p.number, t."categoryId", 'open', 0, 0, ${word}::text, ${at}::timestamptz
    from posts as p join threads as t on t.id = p."threadId"
    where p."threadId" = ${threadId}::uuid and p.id = ${postId}::uuid
    on conflict ("threadId", "postId") do update set flag = excluded.flag,
      "createdAt" = case when cases.status = 'closed' then excluded."createdAt" else cases."createdAt" end,
      status = 'open', decision = null, "decidedBy" = null, "decidedAt" = null, "actionId" = null`.execute(db)
}

/** The fields of a case that decisions need. */
export interface CaseState {
  readonly number: number
  readonly status: 'open' | 'closed'
  readonly voices: number
  readonly heardVoices: number
  /** What moderators wrote about it; empty when nothing. */
  readonly note: string
}

/** Locks a case, after its thread. */
export const lockCase = (tx: Db, { threadId, postId }: CaseKey): Promise<CaseState | undefined> =>
  tx
    .selectFrom('cases')
    .select(['number', 'status', 'voices', 'heardVoices', 'note'])
    .where('threadId', '=', threadId)
    .where('postId', '=', postId)
    .forUpdate()
    .executeTakeFirst()

export interface Closing {
  readonly decision: string
  readonly by: string | null
  readonly actionId: string
  readonly at: Date
  /** Whether the post stands: its voices so far must not fold it again. */
  readonly stands?: boolean
  /** Replaces the note; an empty one leaves it unchanged. */
  readonly note?: string
}

/**
 * Closes the open cases of posts. They are locked in the order of their keys.
 * @returns how many were closed
 */
export async function closeCases(
  tx: Db,
  keys: readonly CaseKey[],
  { decision, by, actionId, at, stands = false, note = '' }: Closing,
): Promise<number> {
  const closed = await writeByThread(tx, keys, async (_, some, only) => {
    const json = JSON.stringify(some.map(({ threadId, postId }) => ({ threadId, postId })))
    const { rows } = await sql`
    with waiting as (
      select c."threadId", c."postId" from cases as c
      join json_to_recordset(${json}::text::json) as key("threadId" uuid, "postId" uuid)
        on c."threadId" = key."threadId" and c."postId" = key."postId"
      where c.status = 'open' and ${isThread('c.threadId', only)} order by c."threadId", c."postId" for update of c
    )
    update cases as c set status = 'closed', decision = ${decision}::text, "decidedBy" = ${by}::text,
      "decidedAt" = ${at}::timestamptz, "actionId" = ${actionId}::uuid, note = coalesce(nullif(${note}::text, ''), c.note),
      "heardVoices" = case when ${stands}::boolean then c.voices else c."heardVoices" end
    from waiting where c."threadId" = waiting."threadId" and c."postId" = waiting."postId" and ${isThread('c.threadId', only)}
    returning c."postId"`.execute(tx)
    return rows
  })
  return closed.length
}

/**
 * Reopens the cases that a decision has closed, for its undo. Cases that have changed since stay as
 * they are.
 * @returns their posts
 */
export async function reopenCases(tx: Db, threadIds: readonly string[], actionId: string): Promise<string[]> {
  const threads = threadIds.map((threadId) => ({ threadId }))
  const reopened = await writeByThread(tx, threads, async (_, some, only) => {
    const { rows } = await sql<{ postId: string }>`
      with closed as (
        select "threadId", "postId" from cases
        where "threadId" in ${idsOf(some.map(({ threadId }) => threadId))} and ${isThread('threadId', only)}
          and "actionId" = ${actionId}::uuid
        order by "threadId", "postId" for update
      )
      update cases as c set status = 'open', decision = null, "decidedBy" = null, "decidedAt" = null, "actionId" = null
      from closed where c."threadId" = closed."threadId" and c."postId" = closed."postId" and ${isThread('c.threadId', only)}
      returning c."postId"`.execute(tx)
    return rows
  })
  return reopened.map(({ postId }) => postId)
}

/** Sets how many voices no longer count for folding a post. */
export async function hearVoices(tx: Db, { threadId, postId }: CaseKey, voices: number): Promise<void> {
  await tx
    .updateTable('cases')
    .set({ heardVoices: voices })
    .where('threadId', '=', threadId)
    .where('postId', '=', postId)
    .execute()
}

/**
 * Deletes some cases that were closed before a time, with their reports. Keeps cases with a report
 * by a reporter who is muted now, as that report is needed to end the mute.
 * @returns how many were due
 */
export async function deleteClosedCases(db: Db, before: Date, limit: number): Promise<number> {
  const { rows: due } = await sql<CaseKey>`
    select c."threadId", c."postId" from cases as c
    where c.status = 'closed' and c."decidedAt" < ${before}::timestamptz and not exists (
      select from reports as r join "mutedReporters" as m on m.reporter = r.reporter
      where r."threadId" = c."threadId" and r."postId" = c."postId"
    )
    order by c."decidedAt", c."postId" limit ${limit}`.execute(db)
  await writeByThread(db, due, async (tx, some, only) => {
    const keys = JSON.stringify(some.map(({ threadId, postId }) => ({ threadId, postId })))
    // A concurrent report either reopens the case first, or opens a new one afterwards.
    const { rows } = await sql`
      with gone as (
        delete from cases as c using json_to_recordset(${keys}::text::json) as key("threadId" uuid, "postId" uuid)
        where c."threadId" = key."threadId" and c."postId" = key."postId" and ${isThread('c.threadId', only)}
          and c.status = 'closed' and c."decidedAt" < ${before}::timestamptz
        returning c."threadId", c."postId"
      )
      delete from reports as r using gone
      where r."threadId" = gone."threadId" and r."postId" = gone."postId" and ${isThread('r.threadId', only)}
      returning r.id`.execute(tx)
    return rows
  })
  return due.length
}

/** Moves the cases of moved threads. */
export async function moveCases(tx: Db, threadIds: readonly string[], categoryId: string): Promise<void> {
  const ids = idsOf(threadIds)
  if (await isDistributed(tx)) {
    await sql`update cases set "categoryId" = ${categoryId}::uuid where "threadId" in ${ids}`.execute(tx)
  } else
    await sql`
    update cases as c set "categoryId" = ${categoryId}::uuid
    from (
      select "threadId", "postId" from cases where "threadId" in ${ids} order by "threadId", "postId" for update
    ) as locked
    where c."threadId" = locked."threadId" and c."postId" = locked."postId"`.execute(tx)
}

/** Sets the note of a case. @returns the previous note; undefined when there is no such case */
export async function updateNote(tx: Db, { threadId, postId }: CaseKey, note: string): Promise<string | undefined> {
  const { rows } = await sql<{ before: string }>`
    with old as (
      select note from cases where "threadId" = ${threadId}::uuid and "postId" = ${postId}::uuid for update
    )
    update cases set note = ${note}::text from old
    where "threadId" = ${threadId}::uuid and "postId" = ${postId}::uuid
    returning old.note as before`.execute(tx)
  return rows[0]?.before
}

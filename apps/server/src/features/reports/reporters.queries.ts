import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import { isDistributed, isThread, writeByThread } from '../../db/distribution.ts'

/** The reporter of a report, and the reported post. */
export interface ReportRow {
  readonly reporter: string
  readonly postId: string
  readonly number: number
  readonly categoryId: string
  readonly title: string
}

export async function selectReport(db: Db, threadId: string, reportId: string): Promise<ReportRow | undefined> {
  const { rows } = await sql<ReportRow>`
    select r.reporter, r."postId", (r.evidence->>'number')::integer as number, t."categoryId", t.title
    from reports as r join threads as t on t.id = r."threadId"
    where r."threadId" = ${threadId}::uuid and r.id = ${reportId}::uuid`.execute(db)
  return rows[0]
}

/** How long a reporter is muted; `until` null means until the mute is ended. */
export interface Mute {
  readonly until: Date | null
}

/**
 * Mutes a reporter, or (null) ends the mute.
 * @returns the previous mute; null when there was none
 */
export async function replaceMute(tx: Db, reporter: string, mute: Mute | null): Promise<Mute | null> {
  const before = await tx
    .deleteFrom('mutedReporters')
    .where('reporter', '=', reporter)
    .returning('until')
    .executeTakeFirst()
  if (mute !== null) {
    await tx
      .insertInto('mutedReporters')
      .values({ reporter, ...mute })
      .onConflict((conflict) => conflict.column('reporter').doUpdateSet(mute))
      .execute()
  }
  return before ?? null
}

/**
 * Marks a reporter's reports in all open cases as muted or not, and recounts these cases. They are
 * locked in the order of their keys, so that two concurrent mutes never deadlock.
 */
export async function recountOpenCases(tx: Db, reporter: string, muted: boolean): Promise<void> {
  const selectCases = async (only: string | null, isLocked: boolean) => {
    const { rows: found } = await sql<{ threadId: string; postId: string }>`
      select c."threadId", c."postId" from cases as c
      where c.status = 'open' and ${isThread('c.threadId', only)} and (c."threadId", c."postId") in (
        select "threadId", "postId" from reports where reporter = ${reporter}::uuid and ${isThread('threadId', only)}
      )
      order by c."threadId", c."postId" ${isLocked ? sql`for update` : sql``}`.execute(tx)
    return found
  }
  // Citus locks rows of one thread at a time.
  const rows = (await isDistributed(tx))
    ? await writeByThread(tx, await selectCases(null, false), (_, __, only) => selectCases(only, true))
    : await selectCases(null, true)
  if (rows.length === 0) return
  const keys = sql`json_to_recordset(${JSON.stringify(rows)}::text::json) as key("threadId" uuid, "postId" uuid)`
  await sql`
    update reports as r set muted = ${muted}::boolean from ${keys}
    where r."threadId" = key."threadId" and r."postId" = key."postId" and r.reporter = ${reporter}::uuid`.execute(tx)
  await sql`
    update cases as c set reports = counted.reports, voices = counted.voices
    from (
      select key."threadId", key."postId", count(*)::integer as reports,
        (count(distinct r.voice) filter (where not r.muted))::integer as voices
      from ${keys} join reports as r on r."threadId" = key."threadId" and r."postId" = key."postId"
      group by key."threadId", key."postId"
    ) as counted
    where c."threadId" = counted."threadId" and c."postId" = counted."postId"`.execute(tx)
}

import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../db/client.ts'
import { isDistributed } from '../../db/distribution.ts'
import { idsOf, isWithin } from '../../db/ids.ts'
import { isThreadVisible } from '../../db/visible.ts'
import type { Scope } from '@shinobi/contract/permissions'
import type { SummaryKind } from '@shinobi/contract/threads'
import type { PostRow } from '../posts/posts.queries.ts'
import type { CaseCursor, CaseList } from './case-lists.cursor.ts'
import type { CaseKey } from './cases.queries.ts'
import { isMuted } from './reports.queries.ts'

/** A case with its thread. */
export interface CaseRow extends CaseKey {
  readonly number: number
  readonly status: 'open' | 'closed'
  readonly reports: number
  readonly voices: number
  readonly flag: string | null
  readonly note: string
  readonly decision: string | null
  readonly decidedBy: string | null
  readonly decidedAt: Date | null
  readonly actionId: string | null
  readonly createdAt: Date
  readonly title: string
  readonly categoryId: string
  readonly category: string
  readonly lockedAt: Date | null
  readonly removedAt: Date | null
  readonly summary: SummaryKind | null
}

const selectCaseRows = sql`
  select c."threadId", c."postId", c.number, c.status, c.reports, c.voices, c.flag, c.note, c.decision, c."decidedBy", c."decidedAt",
    c."actionId", c."createdAt", t.title, t."categoryId", category.name as category, t."lockedAt", t."removedAt", t.summary
  from cases as c join threads as t on t.id = c."threadId" join categories as category on category.id = t."categoryId"`

export interface CaseListing {
  readonly list: CaseList
  readonly scope: Scope
  readonly cursor: CaseCursor | null
  readonly limit: number
}

/** Each list has its own index. */
function orderOf({ list, cursor }: CaseListing): { order: RawBuilder<unknown>; from: RawBuilder<unknown> } {
  const at = sql`${cursor?.at ?? null}::timestamptz`
  const postId = sql`${cursor?.postId ?? null}::uuid`
  const isFirst = cursor === null
  switch (list) {
    case 'closed':
      return {
        order: sql`c."decidedAt" desc, c."postId" desc`,
        from: isFirst ? sql`true` : sql`(c."decidedAt", c."postId") < (${at}, ${postId})`,
      }
    case 'oldest':
      return {
        order: sql`c."createdAt", c."postId"`,
        from: isFirst ? sql`true` : sql`(c."createdAt", c."postId") > (${at}, ${postId})`,
      }
    case 'reported': {
      const voices = sql`${cursor?.voices ?? 0}::integer`
      return {
        order: sql`c.voices desc, c."createdAt", c."postId"`,
        from: isFirst
          ? sql`true`
          : sql`c.voices <= ${voices} and (c.voices < ${voices} or (c."createdAt", c."postId") > (${at}, ${postId}))`,
      }
    }
  }
}

/** Cases of a list in its order, starting after the cursor. Omits cases in removed threads. */
export async function selectCases(db: Db, listing: CaseListing): Promise<CaseRow[]> {
  const { order, from } = orderOf(listing)
  const status =
    listing.list === 'closed' ? sql`c.status = 'closed'` : sql`c.status = 'open' and ${isThreadVisible('t')}`
  const { rows } = await sql<CaseRow>`
    ${selectCaseRows}
    where ${status} and ${isWithin(listing.scope, sql`c."categoryId"`)} and ${from}
    order by ${order} limit ${listing.limit}`.execute(db)
  return rows
}

export async function selectCase(db: Db, { threadId, postId }: CaseKey): Promise<CaseRow | undefined> {
  const { rows } = await sql<CaseRow>`
    ${selectCaseRows} where c."threadId" = ${threadId}::uuid and c."postId" = ${postId}::uuid`.execute(db)
  return rows[0]
}

/** A post near a case, or the case's own post. `visitorId` is for masked tokens only. */
export type ContextRow = PostRow & { readonly visitorId: string | null; readonly caseNumber: number }

/** Posts shown before, and after, the post of a case. */
const AROUND = 2

type Place = Pick<CaseRow, 'threadId' | 'postId' | 'number'>

const placeTable = (places: readonly Place[]): RawBuilder<unknown> => {
  const json = JSON.stringify(places.map(({ threadId, postId, number }) => ({ threadId, postId, number })))
  return sql`json_to_recordset(${json}::text::json) as place("threadId" uuid, "postId" uuid, number integer)`
}

/** The posts near all cases of a page, in ascending order per case. */
export async function selectContext(db: Db, places: readonly Place[]): Promise<ContextRow[]> {
  const { rows } = await sql<ContextRow>`
    select p."threadId", p.number, p.id, p.name, p.content, p.image, p."userId", p."visitorId", p."createdAt", p.likes,
      p."deletedAt", p."removedRule", p.withdrawn, p."foldedAt", p."foldReason", p."asStaff", place.number as "caseNumber"
    from ${placeTable(places)} join posts as p on p."threadId" = place."threadId"
      and p.number between place.number - ${AROUND}::integer and place.number + ${AROUND}::integer
    order by p."threadId", place.number, p.number`.execute(db)
  return rows
}

export interface OwnerNoteRow {
  readonly threadId: string
  readonly text: string
}

/** The notes of openers that stand below the posts of a page, the oldest first per thread. */
export async function selectOwnerNotes(db: Db, places: readonly Place[]): Promise<OwnerNoteRow[]> {
  const openings = places.filter(({ number }) => number === 1)
  if (openings.length === 0) return []
  const { rows } = await sql<OwnerNoteRow>`
    select "threadId", text from "ownerActions"
    where "threadId" in ${idsOf(openings.map(({ threadId }) => threadId))} and kind = 'note' and "undoneBy" is null
    order by id`.execute(db)
  return rows
}

export interface CaseReportRow extends CaseKey {
  readonly id: string
  readonly reason: string
  readonly seen: string
  readonly createdAt: Date
  readonly reporter: string
  /** The name of a current member, else null. */
  readonly name: string | null
}

/** Maximum of reports shown with a case, the first ones. */
const REPORTS_SHOWN = 50

/** The reports of all cases of a page, oldest first per case. */
export async function selectReports(db: Db, places: readonly Place[]): Promise<CaseReportRow[]> {
  // Citus supports no limit per row of another table, so the reports are numbered instead.
  const first = (await isDistributed(db))
    ? sql`join (
        select *, row_number() over (partition by "threadId", "postId" order by id) as place from reports
        where "threadId" in ${idsOf(places.map(({ threadId }) => threadId))}
      ) as r on r."threadId" = place."threadId" and r."postId" = place."postId" and r.place <= ${REPORTS_SHOWN}`
    : sql`cross join lateral (
        select * from reports where "threadId" = place."threadId" and "postId" = place."postId" order by id limit ${REPORTS_SHOWN}
      ) as r`
  const { rows } = await sql<CaseReportRow>`
    select place."threadId", place."postId", r.id, r.reason, r.evidence->>'seen' as seen, r."createdAt", r.reporter, u.name
    from ${placeTable(places)} ${first} left join users as u on u.id = r."userId"
    order by r.id`.execute(db)
  return rows
}

/** The outcomes of a reporter's last reports, and whether the reporter is muted now. */
export interface ReporterRecord {
  readonly reporter: string
  readonly upheld: number
  readonly dismissed: number
  readonly muted: boolean
}

/** Maximum of reports of one reporter that are evaluated. */
const RECORD_LENGTH = 200

export async function selectRecords(db: Db, reporters: readonly string[], at: Date): Promise<ReporterRecord[]> {
  if (reporters.length === 0) return []
  if (await isDistributed(db)) return selectRecordsOverCluster(db, reporters, at)
  const { rows } = await sql<ReporterRecord>`
    select given.id as reporter, ${isMuted(sql`given.id`, at)} as muted,
      (count(*) filter (where c.decision <> 'dismiss'))::integer as upheld,
      (count(*) filter (where c.decision = 'dismiss'))::integer as dismissed
    from ${idsOf(reporters)} as given
    cross join lateral (
      select "threadId", "postId" from reports where reporter = given.id order by id desc limit ${RECORD_LENGTH}
    ) as r
    left join cases as c on c."threadId" = r."threadId" and c."postId" = r."postId" and c.status = 'closed'
    group by given.id`.execute(db)
  return rows
}

/** The same in steps, as Citus supports no limit per row of another table. */
async function selectRecordsOverCluster(db: Db, reporters: readonly string[], at: Date): Promise<ReporterRecord[]> {
  const { rows: muted } = await sql<{ id: string }>`
    select reporter as id from "mutedReporters"
    where reporter in ${idsOf(reporters)} and (until is null or until > ${at}::timestamptz)`.execute(db)
  const { rows } = await sql<{ reporter: string; decision: string }>`
    with numbered as (
      select reporter, "threadId", "postId", row_number() over (partition by reporter order by id desc) as place
      from reports where reporter in ${idsOf(reporters)}
    )
    select r.reporter, c.decision from numbered as r
    join cases as c on c."threadId" = r."threadId" and c."postId" = r."postId" and c.status = 'closed'
    where r.place <= ${RECORD_LENGTH}`.execute(db)
  return reporters.map((reporter) => {
    const decisions = rows.filter((row) => row.reporter === reporter).map(({ decision }) => decision)
    const dismissed = decisions.filter((decision) => decision === 'dismiss').length
    const isMutedNow = muted.some(({ id }) => id === reporter)
    return { reporter, upheld: decisions.length - dismissed, dismissed, muted: isMutedNow }
  })
}

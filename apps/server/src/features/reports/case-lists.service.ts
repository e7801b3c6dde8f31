/** Cases as moderators see them. */
import type { ModerationCase } from '@shinobi/contract/moderation'
import type { Core } from '../../core.ts'
import { requirePermission, type Moderator } from '../../http/access-guard.ts'
import { refuse } from '../../lib/api-error.ts'
import { writeCaseCursor, type CaseCursor, type CaseList } from './case-lists.cursor.ts'
import {
  selectCase,
  selectCases,
  selectContext,
  selectOwnerNotes,
  selectRecords,
  selectReports,
  type CaseRow,
} from './case-lists.queries.ts'
import { toCases } from './case-lists.view.ts'
import type { CaseKey } from './cases.queries.ts'

type ShowDeps = Pick<Core, 'db' | 'now' | 'secret'>

/** The number of queries does not depend on the number of cases on the page. */
async function show(
  { db, now, secret }: ShowDeps,
  cases: readonly CaseRow[],
  viewer: Moderator,
): Promise<ModerationCase[]> {
  if (cases.length === 0) return []
  const [context, notes, reports] = await Promise.all([
    selectContext(db, cases),
    selectOwnerNotes(db, cases),
    selectReports(db, cases),
  ])
  const reporters = [...new Set(reports.map(({ reporter }) => reporter))]
  const records = await selectRecords(db, reporters, new Date(now()))
  return toCases({ cases, context, notes, reports, records }, { secret, now: now(), viewer })
}

/** @throws ApiError not_found, forbidden */
export async function showCase(deps: ShowDeps, moderator: Moderator, key: CaseKey): Promise<ModerationCase> {
  const row = await selectCase(deps.db, key)
  if (row === undefined) throw refuse('not_found', 'case_not_found')
  requirePermission(moderator, 'decideReports', row.categoryId)
  const [shown] = await show(deps, [row], moderator)
  if (shown === undefined) throw refuse('not_found', 'case_not_found')
  return shown
}

/**
 * A page of a list, within a moderator's part of the board.
 * @param from the end of the page before; null for the first page
 */
export async function showCases(
  deps: ShowDeps,
  moderator: Moderator,
  { list, from, limit }: { readonly list: CaseList; readonly from: CaseCursor | null; readonly limit: number },
): Promise<{ cases: ModerationCase[]; next: string | null }> {
  const rows = await selectCases(deps.db, { list, scope: moderator.scope, cursor: from, limit: limit + 1 })
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  const next =
    last === undefined || rows.length <= limit
      ? null
      : writeCaseCursor({
          list,
          voices: list === 'reported' ? last.voices : 0,
          at: list === 'closed' ? last.decidedAt! : last.createdAt,
          postId: last.postId,
        })
  return { cases: await show(deps, page, moderator), next }
}

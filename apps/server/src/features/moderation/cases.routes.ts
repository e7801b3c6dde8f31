import {
  decideCase as decideCaseCall,
  getCase,
  getQueue,
  listCases,
  muteReporter as muteReporterCall,
  noteCase as noteCaseCall,
  undoAction as undoActionCall,
  type ModerationCase,
} from '@shinobi/contract/moderation'
import type { App, Deps } from '../../deps.ts'
import { moderatorOf, requireScope, type Moderator } from '../../http/session.ts'
import { refuse } from '../../lib/api-error.ts'
import type { CaseKey } from '../reports/cases.queries.ts'
import { readCaseCursor, writeCaseCursor, type CaseList } from './cases.cursor.ts'
import {
  countWaiting,
  selectCase,
  selectCases,
  selectContext,
  selectRecords,
  selectReports,
  type CaseRow,
} from './cases.queries.ts'
import { decideCase, noteCase } from './cases.service.ts'
import { toCases } from './cases.view.ts'
import { muteReporter } from './reporters.service.ts'
import { undoAction } from './undo.service.ts'

export function registerCases(app: App, deps: Deps): void {
  const { db, now, secret } = deps

  /** A page costs the same few queries however many cases it holds. */
  async function show(cases: readonly CaseRow[], viewer: Moderator): Promise<ModerationCase[]> {
    if (cases.length === 0) return []
    const [context, reports] = await Promise.all([selectContext(db, cases), selectReports(db, cases)])
    const reporters = [...new Set(reports.map(({ reporter }) => reporter))]
    const records = await selectRecords(db, reporters, new Date(now()))
    return toCases({ cases, context, reports, records }, { secret, now: now(), viewer })
  }

  async function showOne(moderator: Moderator, key: CaseKey): Promise<ModerationCase> {
    const row = await selectCase(db, key)
    if (row === undefined) throw refuse('not_found', 'case_not_found')
    requireScope(moderator, row.categoryId)
    const [shown] = await show([row], moderator)
    if (shown === undefined) throw refuse('not_found', 'case_not_found')
    return shown
  }

  app.route({ ...getQueue, handler: (request) => countWaiting(db, moderatorOf(request)) })

  app.route({
    ...listCases,
    handler: async (request) => {
      const { status, sort, cursor, limit } = request.query
      const list: CaseList = status === 'closed' ? 'closed' : sort
      const from = cursor === undefined ? null : readCaseCursor(cursor, list)
      const moderator = moderatorOf(request)
      const rows = await selectCases(db, { list, scope: moderator.scope, cursor: from, limit: limit + 1 })
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
      return { cases: await show(page, moderator), next }
    },
  })

  app.route({ ...getCase, handler: (request) => showOne(moderatorOf(request), request.params) })

  app.route({
    ...decideCaseCall,
    handler: async (request) => {
      const moderator = moderatorOf(request)
      const decided = await decideCase(deps, moderator, request.params, request.body)
      return { case: await showOne(moderator, request.params), ...decided }
    },
  })

  app.route({
    ...noteCaseCall,
    handler: async (request) => {
      await noteCase(deps, moderatorOf(request), request.params, request.body.note)
      return {}
    },
  })

  app.route({
    ...muteReporterCall,
    handler: async (request) => {
      await muteReporter(deps, moderatorOf(request), request.params, request.body)
      return {}
    },
  })

  app.route({
    ...undoActionCall,
    handler: async (request) => {
      await undoAction(deps, moderatorOf(request), request.params.actionId)
      return {}
    },
  })
}

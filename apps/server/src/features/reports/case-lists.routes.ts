import {
  getCase,
  listCases,
  muteReporter as muteReporterCall,
  noteCase as noteCaseCall,
} from '@shinobi/contract/moderation'
import type { App } from '../../http/fastify.ts'
import { moderatorOf } from '../../http/access-guard.ts'
import { readCaseCursor, type CaseList } from './case-lists.cursor.ts'
import { showCase, showCases } from './case-lists.service.ts'
import { noteCase } from './notes.service.ts'
import { muteReporter } from './reporters.service.ts'
import type { ReportsDeps } from './reports.deps.ts'

/** Read access to reported posts for moderators; decisions are in features/moderation. */
export function registerCases(app: App, deps: ReportsDeps): void {
  app.route({
    ...listCases,
    handler: (request) => {
      const { status, sort, cursor, limit } = request.query
      const list: CaseList = status === 'closed' ? 'closed' : sort
      const from = cursor === undefined ? null : readCaseCursor(cursor, list)
      return showCases(deps, moderatorOf(request), { list, from, limit })
    },
  })

  app.route({ ...getCase, handler: (request) => showCase(deps, moderatorOf(request), request.params) })

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
}

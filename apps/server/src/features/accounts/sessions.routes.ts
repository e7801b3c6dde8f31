import { endOtherSessions, endSession, listSessions } from '@shinobi/contract/accounts'
import type { App } from '../../http/fastify.ts'
import { memberOf } from '../../http/access-guard.ts'
import { refuse } from '../../lib/api-error.ts'
import type { AccountsDeps } from './accounts.deps.ts'
import { selectSessions } from './sessions.queries.ts'
import { endSessions } from './sessions.service.ts'
import { toSession } from './sessions.view.ts'

export function registerSessions(app: App, deps: AccountsDeps): void {
  const { db, now } = deps

  app.route({
    ...listSessions,
    handler: async (request) => {
      const { id, sessionId } = memberOf(request)
      const rows = await selectSessions(db, id, new Date(now()))
      return { sessions: rows.map((row) => toSession(row, sessionId)) }
    },
  })

  app.route({
    ...endSession,
    handler: async (request) => {
      const ended = await endSessions(deps, memberOf(request).id, { only: request.params.sessionId })
      if (ended === 0) throw refuse('not_found', 'session_not_found')
      return {}
    },
  })

  app.route({
    ...endOtherSessions,
    handler: async (request) => {
      const { id, sessionId } = memberOf(request)
      await endSessions(deps, id, { except: sessionId })
      return {}
    },
  })
}

import { endOtherSessions, endSession, listSessions, login, logout, refresh, verify } from '@shinobi/contract/accounts'
import type { App, Deps } from '../../deps.ts'
import { memberOf } from '../../http/session.ts'
import { ApiError, refuse } from '../../lib/api-error.ts'
import { checkLogin } from './accounts.service.ts'
import { selectSessions } from './sessions.queries.ts'
import { closeSession, endSessions, openSession, renewSession } from './sessions.service.ts'
import { toUser } from './users.view.ts'

export function registerAccounts(app: App, deps: Deps): void {
  const { db, now, sessions } = deps

  app.route({
    ...login,
    handler: async (request, reply) => {
      const row = await checkLogin(deps, request.body.username, request.body.password)
      await openSession(deps, request, reply, row.id)
      const user = toUser(row)
      return { ...user, user }
    },
  })

  app.route({ ...verify, handler: async (request) => ({ user: toUser(memberOf(request)) }) })

  app.route({
    ...refresh,
    handler: async (request, reply) => {
      try {
        await renewSession(deps, request, reply)
      } catch (error) {
        // The browser shall not ask again with what is worth nothing.
        if (error instanceof ApiError && error.code === 'unauthorized') sessions.clear(reply)
        throw error
      }
      return {}
    },
  })

  app.route({
    ...logout,
    handler: async (request, reply) => {
      await closeSession(deps, request, reply)
      return {}
    },
  })

  app.route({
    ...listSessions,
    handler: async (request) => {
      const { id, sessionId } = memberOf(request)
      const rows = await selectSessions(db, id, new Date(now()))
      return {
        sessions: rows.map((row) => ({
          _id: row.id,
          current: row.id === sessionId,
          device: row.device,
          createdAt: row.createdAt.toISOString(),
          lastUsedAt: row.lastUsedAt.toISOString(),
        })),
      }
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

import { decideCase as decideCaseCall, getQueue, undoAction as undoActionCall } from '@shinobi/contract/moderation'
import type { App } from '../../http/fastify.ts'
import { moderatorOf } from '../../http/access-guard.ts'
import { showCase } from '../reports/case-lists.service.ts'
import { decideCase } from './decisions.service.ts'
import type { ModerationDeps } from './moderation.deps.ts'
import { countWaiting } from './queue.queries.ts'
import { undoAction } from './undo.service.ts'

export function registerDecisions(app: App, deps: ModerationDeps): void {
  app.route({ ...getQueue, handler: (request) => countWaiting(deps.db, moderatorOf(request)) })

  app.route({
    ...decideCaseCall,
    handler: async (request) => {
      const moderator = moderatorOf(request)
      const decided = await decideCase(deps, moderator, request.params, request.body)
      return { case: await showCase(deps, moderator, request.params), ...decided }
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

import {
  decideHeld as decideHeldCall,
  getHeldState,
  listHeld,
  withdrawHeld as withdrawHeldCall,
} from '@shinobi/contract/moderation'
import type { App } from '../../http/fastify.ts'
import { moderatorOf } from '../../http/access-guard.ts'
import { refuse } from '../../lib/api-error.ts'
import { toPage } from '../../lib/page.ts'
import { selectCategory } from '../categories/categories.queries.ts'
import { selectNumberOf } from '../posts/posts.queries.ts'
import type { HeldDeps } from './held.deps.ts'
import { selectHeldPage } from './held.queries.ts'
import { decideHeld, withdrawHeld } from './held.service.ts'
import { toHeldItem } from './held.view.ts'
import { selectHeldState } from './holding.queries.ts'
import { isOwn } from './holding.service.ts'

export function registerHeld(app: App, deps: HeldDeps): void {
  app.route({
    ...listHeld,
    handler: async (request) => {
      const { scope } = moderatorOf(request)
      const { cursor = null, limit } = request.query
      const rows = await selectHeldPage(deps.db, { scope, cursor, limit: limit + 1 })
      const { page, next } = toPage(rows, limit)
      return { held: page.map(toHeldItem), next }
    },
  })

  app.route({
    ...decideHeldCall,
    handler: async (request) => {
      const { action, rule } = request.body
      if (action === 'approve') {
        await decideHeld(deps, moderatorOf(request), request.params.heldId, { action })
        return {}
      }
      if (rule === undefined) throw refuse('bad_request', 'rule_required')
      await decideHeld(deps, moderatorOf(request), request.params.heldId, { action, rule })
      return {}
    },
  })

  app.route({
    ...getHeldState,
    handler: async (request, reply) => {
      reply.header('cache-control', 'no-store')
      const visitor = await deps.visitors.recognise(request)
      const held = visitor === null ? undefined : await selectHeldState(deps.db, request.params.heldId)
      // Other visitors get the same answer as for an unknown id.
      if (held === undefined || !isOwn(held, visitor!)) throw refuse('not_found', 'held_not_found')
      const { id, threadId } = held
      const status = held.status === 'rejected' && held.why === 'expired' ? ('expired' as const) : held.status
      const isPublished = status === 'approved' && threadId !== null
      const category = threadId === null ? await selectCategory(deps.db, held.categoryId) : undefined
      return {
        ...{ status, threadId, category: category?.name ?? null },
        number: isPublished ? await selectNumberOf(deps.db, threadId, id) : null,
      }
    },
  })

  app.route({
    ...withdrawHeldCall,
    handler: async (request) => {
      await withdrawHeld(deps, await deps.visitors.recognise(request), request.params.heldId)
      return {}
    },
  })
}

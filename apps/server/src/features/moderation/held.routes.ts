import { decideHeld as decideHeldCall, listHeld } from '@shinobi/contract/moderation'
import type { App, Deps } from '../../deps.ts'
import { moderatorOf } from '../../http/session.ts'
import { refuse } from '../../lib/api-error.ts'
import { toPage } from '../../lib/page.ts'
import { selectHeldPage } from './held.queries.ts'
import { decideHeld } from './held.service.ts'
import { toHeldItem } from './held.view.ts'

export function registerHeld(app: App, deps: Deps): void {
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
      if (action === 'reject' && rule === undefined) throw refuse('bad_request', 'rule_required')
      await decideHeld(
        deps,
        moderatorOf(request),
        request.params.heldId,
        action === 'approve' ? { action } : { action, rule: rule ?? null },
      )
      return {}
    },
  })
}

import { addToHiding, clearHiding, readHiding } from '@shinobi/contract/hiding'
import { asOf } from '@shinobi/contract/hiding-entry'
import { HIDING_BATCH } from '@shinobi/contract/limits'
import type { App } from '../../http/fastify.ts'
import { deleteRules, selectRuleChanges, selectRulesSize } from './hiding.queries.ts'
import { meantMember } from './meant-member.ts'
import { mergeIntoRules } from './hiding.service.ts'
import type { NotebookDeps } from './notebook.service.ts'

export function registerHiding(app: App, deps: NotebookDeps): void {
  const { db, now, limits } = deps

  app.route({
    ...readHiding,
    handler: async (request) => {
      const { id } = meantMember(request, request.query.memberId)
      const { since } = request.query
      const [changes, { live }] = await Promise.all([
        selectRuleChanges(db, id, since, HIDING_BATCH + 1),
        selectRulesSize(db, id, now()),
      ])
      const page = changes.slice(0, HIDING_BATCH)
      return {
        entries: page.map(({ entry }) => asOf(entry, now())),
        since: page.at(-1)?.version ?? since,
        more: changes.length > page.length,
        total: live,
      }
    },
  })

  app.route({
    ...addToHiding,
    handler: async (request) => ({
      at: await mergeIntoRules(deps, meantMember(request, request.query.memberId).id, request.body.entries),
    }),
  })

  app.route({
    ...clearHiding,
    handler: async (request) => {
      const { id } = meantMember(request, request.query.memberId)
      await limits.notebooks.take(id)
      await deleteRules(db, id)
      return {}
    },
  })
}

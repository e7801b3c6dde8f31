import { NOTEBOOK_BATCH } from '@shinobi/contract/limits'
import { addToNotebook, clearNotebook, readNotebook } from '@shinobi/contract/notebook'
import { inTransaction } from '../../db/transaction.ts'
import type { App } from '../../http/fastify.ts'
import { selectPositions } from '../threads/threads.queries.ts'
import { toPositions } from '../threads/threads.view.ts'
import { deleteRules } from './hiding.queries.ts'
import { meantMember } from './meant-member.ts'
import { deleteNotebook, selectChanges, selectSize } from './notebook.queries.ts'
import { mergeIntoNotebook, type NotebookDeps } from './notebook.service.ts'

export function registerNotebook(app: App, deps: NotebookDeps): void {
  const { db, limits } = deps

  app.route({
    ...readNotebook,
    handler: async (request) => {
      const { id } = meantMember(request, request.query.memberId)
      const { since } = request.query
      const [changes, { told }] = await Promise.all([
        selectChanges(db, id, since, NOTEBOOK_BATCH + 1),
        selectSize(db, id),
      ])
      const page = changes.slice(0, NOTEBOOK_BATCH)
      const ids = page.map(({ entry }) => entry.threadId)
      const positions = ids.length === 0 ? [] : toPositions(ids, await selectPositions(db, ids))
      return {
        // Positions come in the order of the ids.
        entries: page.map(({ entry }, index) => ({
          entry: { ...entry, ownPosts: [...entry.ownPosts] },
          thread: positions[index]!,
        })),
        since: page.at(-1)?.version ?? since,
        more: changes.length > page.length,
        total: told,
      }
    },
  })

  app.route({
    ...addToNotebook,
    handler: async (request) => {
      await mergeIntoNotebook(deps, meantMember(request, request.query.memberId).id, request.body.entries)
      return {}
    },
  })

  app.route({
    ...clearNotebook,
    handler: async (request) => {
      const { id } = meantMember(request, request.query.memberId)
      await limits.notebooks.take(id)
      await inTransaction(db, async (tx) => {
        await deleteNotebook(tx, id)
        await deleteRules(tx, id)
      })
      return {}
    },
  })
}

import { NOTEBOOK_BATCH } from '@shinobi/contract/limits'
import { addToNotebook, clearNotebook, readNotebook } from '@shinobi/contract/notebook'
import { memberOf } from '../../http/access-guard.ts'
import type { App } from '../../http/fastify.ts'
import { selectPositions } from '../threads/threads.queries.ts'
import { toPositions } from '../threads/threads.view.ts'
import { deleteNotebook, selectChanges, selectSize } from './notebook.queries.ts'
import { mergeIntoNotebook, type NotebookDeps } from './notebook.service.ts'

export function registerNotebook(app: App, deps: NotebookDeps): void {
  const { db, limits } = deps

  app.route({
    ...readNotebook,
    handler: async (request) => {
      const { id } = memberOf(request)
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
      await mergeIntoNotebook(deps, memberOf(request).id, request.body.entries)
      return {}
    },
  })

  app.route({
    ...clearNotebook,
    handler: async (request) => {
      const { id } = memberOf(request)
      await limits.notebooks.take(id)
      await deleteNotebook(db, id)
      return {}
    },
  })
}

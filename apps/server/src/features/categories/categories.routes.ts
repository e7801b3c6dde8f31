import { getCategory, listCategories } from '@shinobi/contract/categories'
import type { Core } from '../../core.ts'
import type { App } from '../../http/fastify.ts'
import { refuse } from '../../lib/api-error.ts'
import { countRecentPosts, selectCategories, selectCategory } from './categories.queries.ts'
import { CATEGORIES_TAG } from './categories.tags.ts'
import { toCategory, toListedCategories } from './categories.view.ts'

export function registerCategories(app: App, { dbFor }: Core): void {
  app.route({
    ...listCategories,
    config: { cache: { maxStaleMs: 0 } },
    handler: async (request) => {
      request.tagAnswer(CATEGORIES_TAG)
      const db = dbFor(request)
      // Posts do not invalidate this answer: its ranks may be as old as the cache's max age, a
      // minute.
      return toListedCategories(await selectCategories(db), await countRecentPosts(db))
    },
  })

  app.route({
    ...getCategory,
    config: { cache: { maxStaleMs: 0 } },
    handler: async (request) => {
      request.tagAnswer(CATEGORIES_TAG)
      const row = await selectCategory(dbFor(request), request.params.categoryId)
      if (row === undefined) throw refuse('not_found', 'category_not_found')
      return toCategory(row)
    },
  })
}

import { getCategory, listCategories } from '@shinobi/contract/categories'
import type { App, Deps } from '../../deps.ts'
import { refuse } from '../../lib/api-error.ts'
import { countRecentPosts, selectCategories, selectCategory } from './categories.queries.ts'
import { CATEGORIES_TAG } from './categories.tags.ts'
import { toCategory, toListedCategories } from './categories.view.ts'

export function registerCategories(app: App, { dbFor }: Deps): void {
  app.route({
    ...listCategories,
    config: { cache: { patience: 0 } },
    handler: async (request) => {
      request.tagAnswer(CATEGORIES_TAG)
      const db = dbFor(request)
      // No post drops this answer: the ranks in it may be as old as anything that is kept, a minute.
      return toListedCategories(await selectCategories(db), await countRecentPosts(db))
    },
  })

  app.route({
    ...getCategory,
    config: { cache: { patience: 0 } },
    handler: async (request) => {
      request.tagAnswer(CATEGORIES_TAG)
      const row = await selectCategory(dbFor(request), request.params.categoryId)
      if (row === undefined) throw refuse('not_found', 'category_not_found')
      return toCategory(row)
    },
  })
}

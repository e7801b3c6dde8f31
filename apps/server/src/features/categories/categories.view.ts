import type { AdminCategory, Category, ListedCategory } from '@shinobi/contract/categories'
import type { CategoryRow } from './categories.queries.ts'

export const toCategory = (row: CategoryRow): Category => ({
  _id: row.id,
  name: row.name,
  description: row.description,
})

export const toAdminCategory = (row: CategoryRow): AdminCategory => ({
  ...toCategory(row),
  postLimit: row.postLimit,
  posterIds: row.posterIds,
  holdImages: row.holdImages,
})

/**
 * All categories in the order of the rows, each with its rank by recent posts; on a tie, the
 * earlier row ranks higher.
 */
export function toListedCategories(
  rows: readonly CategoryRow[],
  recentPosts: ReadonlyMap<string, number>,
): ListedCategory[] {
  const postsOf = ({ id }: CategoryRow) => recentPosts.get(id) ?? 0
  const byPosts = rows.toSorted((a, b) => postsOf(b) - postsOf(a))
  return rows.map((row) => ({ ...toCategory(row), rank: byPosts.indexOf(row) + 1 }))
}

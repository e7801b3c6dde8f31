import type { Category } from '@shinobi/contract/categories'
import type { CategoryRow } from './categories.queries.ts'

export const toCategory = (row: CategoryRow): Category => ({
  _id: row.id,
  name: row.name,
  description: row.description,
})

import type { Category, ListedCategory } from '@shinobi/contract/categories'
import { queryOptions } from '@tanstack/react-query'
import { apiGet } from '../../lib/api-client.ts'

/** Categories change only when an administrator edits them: rarely. */
const STALE_AFTER_MS = 5 * 60_000

/** All categories in display order. */
export const categoriesQuery = () =>
  queryOptions({
    queryKey: ['categories'],
    queryFn: (context) => apiGet<ListedCategory[]>('/api/categories', context),
    staleTime: STALE_AFTER_MS,
  })

/** One category, by id or name. */
export const categoryQuery = (ref: string) =>
  queryOptions({
    queryKey: ['category', ref],
    queryFn: (context) => apiGet<Category>(`/api/categories/${encodeURIComponent(ref)}`, context),
    staleTime: STALE_AFTER_MS,
  })

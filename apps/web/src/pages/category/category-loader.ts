import { messages } from '@shinobi/contract/messages'
import { categoriesQuery, categoryQuery } from '../../features/categories/api.ts'
import { threadListQuery, trendingQuery } from '../../features/threads/api.ts'
import { readListView } from '../../features/threads/list-address.ts'
import { optional, pageError, type PageLoader } from '../../lib/page-loader.ts'

/** Fails without the category: there is no list without it (docs/product.md#guards). */
export const categoryLoader: PageLoader = async ({ queryClient, params, url }) => {
  const ref = params['categoryId'] ?? ''
  const view = readListView(url.searchParams)
  await Promise.all([
    queryClient.ensureQueryData(categoryQuery(ref)).catch((error: unknown) => {
      throw pageError(error, messages.category_failed)
    }),
    optional(queryClient.prefetchQuery(categoriesQuery())),
    optional(queryClient.prefetchQuery(trendingQuery(null))),
    optional(queryClient.prefetchQuery(trendingQuery(ref))),
    queryClient.ensureInfiniteQueryData(threadListQuery(ref, view)).catch((error: unknown) => {
      if (import.meta.env.SSR) throw pageError(error)
    }),
  ])
  return null
}

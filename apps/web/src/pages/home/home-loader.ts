import { categoriesQuery } from '../../features/categories/api.ts'
import { threadListQuery, trendingQuery } from '../../features/threads/api.ts'
import { readListView } from '../../features/threads/list-address.ts'
import { optional, pageError, type PageLoader } from '../../lib/page-loader.ts'

export const homeLoader: PageLoader = async ({ queryClient, url }) => {
  const view = readListView(url.searchParams)
  await Promise.all([
    optional(queryClient.prefetchQuery(categoriesQuery())),
    optional(queryClient.prefetchQuery(trendingQuery(null))),
    queryClient.ensureInfiniteQueryData(threadListQuery(null, view)).catch((error: unknown) => {
      // In the browser the list itself says so and offers another try; a page must not be rendered, and cached, without it.
      if (import.meta.env.SSR) throw pageError(error)
    }),
  ])
  return null
}

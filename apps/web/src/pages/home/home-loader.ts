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
      // In the browser the list itself shows the failure and a retry button. The server must not
      // render, and cache, a page without the list.
      if (import.meta.env.SSR) throw pageError(error)
    }),
  ])
  return null
}

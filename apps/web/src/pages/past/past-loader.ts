import { categoryQuery } from '../../features/categories/api.ts'
import { pastQuery } from '../../features/threads/past-list.ts'
import { pageError, type PageLoader } from '../../lib/page-loader.ts'

/**
 * For the server only. In the browser the page fetches the list itself, so that the first chunk
 * contains nothing of it.
 */
export const pastLoader: PageLoader = async ({ queryClient, params, url }) => {
  const category = params['categoryId'] ?? null
  const fail = (error: unknown): never => {
    throw pageError(error)
  }
  await Promise.all([
    queryClient.ensureQueryData(pastQuery(category, url.searchParams.get('cursor'))).catch(fail),
    category === null ? null : queryClient.ensureQueryData(categoryQuery(category)).catch(fail),
  ])
  return null
}

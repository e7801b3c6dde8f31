import { publicLogQuery } from '../../features/moderation/public-log.ts'
import { pageError, type PageLoader } from '../../lib/page-loader.ts'

/**
 * For the server only. In the browser the page fetches the log itself, so that the first chunk
 * contains nothing of it.
 */
export const moderationLogLoader: PageLoader = async ({ queryClient, url }) => {
  await queryClient.ensureQueryData(publicLogQuery(url.searchParams.get('cursor'))).catch((error: unknown) => {
    throw pageError(error)
  })
  return null
}

import { publicLogQuery } from '../../features/moderation/public-log.ts'
import { pageError, type PageLoader } from '../../lib/page-loader.ts'

/** On the server; in the browser the page asks by itself, so that nothing of this is in the first chunk. */
export const moderationLogLoader: PageLoader = async ({ queryClient, url }) => {
  await queryClient.ensureQueryData(publicLogQuery(url.searchParams.get('cursor'))).catch((error: unknown) => {
    throw pageError(error)
  })
  return null
}

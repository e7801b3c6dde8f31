import { messages } from '@shinobi/contract/messages'
import { categoriesQuery } from '../../features/categories/api.ts'
import { threadQuery } from '../../features/threads/api.ts'
import { optional, pageError, type PageLoader } from '../../lib/page-loader.ts'

/** The form cannot be shown without the categories to choose from. */
export const createLoader: PageLoader = async ({ queryClient, url }) => {
  const previous = url.searchParams.get('previous')
  await Promise.all([
    queryClient.ensureQueryData(categoriesQuery()).catch((error: unknown) => {
      throw pageError(error, messages.categories_failed)
    }),
    // `?previous=` names a full thread that the new one continues. When it cannot be loaded, the
    // form starts a thread that continues none.
    previous !== null && optional(queryClient.prefetchQuery(threadQuery(previous))),
  ])
  return null
}

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
    // Without the thread that it continues the form is the usual one.
    previous !== null && optional(queryClient.prefetchQuery(threadQuery(previous))),
  ])
  return null
}

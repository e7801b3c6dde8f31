import { messages } from '@shinobi/contract/messages'
import { categoriesQuery } from '../../features/categories/api.ts'
import { pageError, type PageLoader } from '../../lib/page-loader.ts'

/** The form is nothing without the categories to choose from. */
export const createLoader: PageLoader = async ({ queryClient }) => {
  await queryClient.ensureQueryData(categoriesQuery()).catch((error: unknown) => {
    throw pageError(error, messages.categories_failed)
  })
  return null
}

import { messages } from '@shinobi/contract/messages'
import { categoriesQuery } from '../../features/categories/api.ts'
import { pageError, type PageLoader } from '../../lib/page-loader.ts'

export const categoriesLoader: PageLoader = async ({ queryClient }) => {
  await queryClient.ensureQueryData(categoriesQuery()).catch((error: unknown) => {
    // In the browser the page itself shows the failure and a retry button. The server must not
    // render, and cache, a page without the categories.
    if (import.meta.env.SSR) throw pageError(error, messages.categories_failed)
  })
  return null
}

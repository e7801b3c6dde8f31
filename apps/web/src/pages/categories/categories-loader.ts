import { messages } from '@shinobi/contract/messages'
import { categoriesQuery } from '../../features/categories/api.ts'
import { pageError, type PageLoader } from '../../lib/page-loader.ts'

export const categoriesLoader: PageLoader = async ({ queryClient }) => {
  await queryClient.ensureQueryData(categoriesQuery()).catch((error: unknown) => {
    // In the browser the page itself says so and offers another try; a page must not be rendered, and cached, without them.
    if (import.meta.env.SSR) throw pageError(error, messages.categories_failed)
  })
  return null
}

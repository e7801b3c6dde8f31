import { messages } from '@shinobi/contract/messages'
import { postsInfiniteQuery } from '../../features/posts/api.ts'
import { readPostRange } from '../../features/posts/post-address.ts'
import { threadQuery } from '../../features/threads/api.ts'
import { pageError, type PageLoader } from '../../lib/page-loader.ts'

export const threadLoader: PageLoader = async ({ queryClient, params, url }) => {
  const threadId = params['threadId'] ?? ''
  const range = readPostRange(url.searchParams)
  await Promise.all([
    queryClient.ensureQueryData(threadQuery(threadId)).catch((error: unknown) => {
      throw pageError(error)
    }),
    queryClient.ensureInfiniteQueryData(postsInfiniteQuery(threadId, range)).catch((error: unknown) => {
      // In the browser the page itself says so and offers another try (SPEC §8).
      if (import.meta.env.SSR) throw pageError(error, messages.posts_failed)
    }),
  ])
  return null
}

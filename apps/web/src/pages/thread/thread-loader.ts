import { messages } from '@shinobi/contract/messages'
import type { QueryClient } from '@tanstack/react-query'
import { redirect } from 'react-router'
import { summaryQuery } from '../../features/news/api.ts'
import { postsInfiniteQuery } from '../../features/posts/api.ts'
import { pathOfPlace, readPostRange } from '../../features/posts/post-address.ts'
import { threadQuery } from '../../features/threads/api.ts'
import { notFound, pageError, type PageLoader } from '../../lib/page-loader.ts'

export const threadLoader: PageLoader = async ({ queryClient, params, url }) => {
  const threadId = params['threadId'] ?? ''
  const range = readPostRange(url.searchParams)
  await Promise.all([
    loadThread(queryClient, threadId),
    queryClient.ensureInfiniteQueryData(postsInfiniteQuery(threadId, range)).catch((error: unknown) => {
      // In the browser the page itself says so and offers another try.
      if (import.meta.env.SSR) throw pageError(error, messages.posts_failed)
    }),
  ])
  return null
}

/** Sends on whoever names a part of a thread as 2ch's readers do. */
export const threadPlaceLoader: PageLoader = async ({ params }) => {
  const path = pathOfPlace(params['threadId'] ?? '', params['place'] ?? '')
  throw path === null ? notFound() : redirect(path)
}

async function loadThread(queryClient: QueryClient, threadId: string): Promise<void> {
  const thread = await queryClient.ensureQueryData(threadQuery(threadId)).catch((error: unknown) => {
    throw pageError(error)
  })
  // The page waits, so that the opening text does not change under the reader; where the call fails, the plain text stands.
  if (thread.summary !== null) await queryClient.ensureQueryData(summaryQuery(threadId)).catch(() => {})
}

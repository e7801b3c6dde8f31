import { messages } from '@shinobi/contract/messages'
import type { Thread } from '@shinobi/contract/threads'
import type { QueryClient } from '@tanstack/react-query'
import { redirect } from 'react-router'
import { readWithdrawal, summaryQuery } from '../../features/news/api.ts'
import type * as restorePage from '../../features/offline/restore-page.ts'
import { postsInfiniteQuery } from '../../features/posts/posts-query.ts'
import { pathOfPlace, readPostRange, type PostRange } from '../../features/posts/post-address.ts'
import { readPosition } from '../../features/reading/store.ts'
import { listedPostCount, threadQuery } from '../../features/threads/api.ts'
import { ApiError } from '../../lib/api-client.ts'
import { inTime } from '../../lib/load-chunk.ts'
import { notFound, pageError, type PageLoader } from '../../lib/page-loader.ts'

/** A slow or broken database of the browser must not keep a thread from opening. */
const POSITION_MS = 500
/** Without a network there is nothing else to show. */
const KEPT_MS = 5_000

export const threadLoader: PageLoader = async ({ queryClient, params, url }) => {
  const threadId = params['threadId'] ?? ''
  const range = readPostRange(url.searchParams)
  if (import.meta.env.SSR)
    await Promise.all([
      loadThread(queryClient, threadId),
      loadPosts(queryClient, threadId, range),
      loadAnswers(queryClient, threadId),
    ])
  else await loadUnread(queryClient, threadId, range, url)
  return null
}

/** In the browser: the thread as new as the list that leads here, from the first unread post on. */
async function loadUnread(client: QueryClient, threadId: string, range: PostRange, url: URL): Promise<void> {
  const listed = listedPostCount(client, threadId)
  const query = threadQuery(threadId)
  const isOutdated = listed > (client.getQueryData(query.queryKey)?.postCount ?? 0)
  const fresh = isOutdated ? client.prefetchQuery({ ...query, staleTime: 0 }) : Promise.resolve()
  const thread = fresh.then(() => loadThread(client, threadId))
  const loadWindow = async () => {
    // The page reads the position itself when it comes late.
    const line = await inTime(() => readPosition(threadId), POSITION_MS).catch(() => 0)
    if (line === 0) return loadPosts(client, threadId, range)
    // A thread was opened before, so the browser has this part of the script in its cache.
    const { dropOutdatedWindow, prepareResume } = await import('../../features/posts/resume.ts')
    const newest = async () => (listed > 0 ? listed : (await thread).postCount)
    const shown = await prepareResume(threadId, line, url, newest)
    dropOutdatedWindow(client, threadId, shown, listed)
    await loadPosts(client, threadId, shown)
  }
  await Promise.all([thread, loadWindow()])
}

async function loadPosts(client: QueryClient, threadId: string, range: PostRange): Promise<void> {
  await client.ensureInfiniteQueryData(postsInfiniteQuery(threadId, range)).catch(async (error: unknown) => {
    // The missing thread itself is told by its own call, with the notice that it left.
    if (import.meta.env.SSR && !isMissing(error)) throw pageError(error, messages.posts_failed)
    // Where the browser keeps none either, the page itself shows the failure and a retry button.
    if (isUnreachable(error)) await withKept(({ restorePosts }) => restorePosts(client, threadId, range))
  })
}

/**
 * On the server; without them only the answers among the loaded posts are counted. In the browser
 * the list of posts asks for them, so that their query is not in the first chunk.
 */
async function loadAnswers(client: QueryClient, threadId: string): Promise<void> {
  const { answersQuery } = await import('../../features/posts/answers-query.ts')
  await client.prefetchQuery(answersQuery(threadId))
}

const isMissing = (error: unknown): boolean => error instanceof ApiError && error.status === 404
const isUnreachable = (error: unknown): boolean => error instanceof ApiError && error.code === 'network'

/** What the browser keeps of a thread; undefined where that cannot be read. */
const withKept = <T>(read: (kept: typeof restorePage) => Promise<T>): Promise<T | undefined> =>
  inTime(async () => read(await import('../../features/offline/restore-page.ts')), KEPT_MS).catch(() => undefined)

/** Redirects an address that names a part of a thread in the notation of 2ch. */
export const threadPlaceLoader: PageLoader = async ({ params }) => {
  const path = pathOfPlace(params['threadId'] ?? '', params['place'] ?? '')
  throw path === null ? notFound() : redirect(path)
}

async function loadThread(queryClient: QueryClient, threadId: string): Promise<Thread> {
  const thread = await queryClient.ensureQueryData(threadQuery(threadId)).catch(async (error: unknown) => {
    const kept =
      !import.meta.env.SSR && isUnreachable(error)
        ? await withKept(({ restoreThread }) => restoreThread(queryClient, threadId))
        : undefined
    if (kept === undefined) {
      // What was taken down leaves a notice (not-found-page.tsx).
      const withdrawal = isMissing(error) ? await readWithdrawal(queryClient, threadId) : null
      throw withdrawal === null ? pageError(error) : notFound({ withdrawal })
    }
    return kept
  })
  // The page waits for the summary, so that the opening text does not change while it is read; if
  // the call fails, the plain text is shown.
  if (thread.summary !== null) await queryClient.ensureQueryData(summaryQuery(threadId)).catch(() => {})
  return thread
}

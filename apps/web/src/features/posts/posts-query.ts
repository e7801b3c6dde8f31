/** The posts of a thread, for its loader: the rest of api.ts is not in the first chunk. */
import { PAGE_SIZE } from '@shinobi/contract/limits'
import type { Post } from '@shinobi/contract/posts'
import { infiniteQueryOptions, type InfiniteData, type QueryClient } from '@tanstack/react-query'
import { apiGet, type FetchContext } from '../../lib/api-client.ts'
import { threadQuery } from '../threads/api.ts'
import type { Position } from './post-log.ts'
import type { PostQuery } from './post-store.ts'

/** Greater than every post number: "the last ones before this". */
const BEYOND = 2_000_000_001
/** A window stays in the cache for this long, so that Back finds it again. */
const KEEP_MS = 30 * 60_000

export const postKeys = {
  thread: (threadId: string) => ['posts', threadId] as const,
  spans: (threadId: string) => ['posts', threadId, 'span'] as const,
  window: (threadId: string, range: number | 'last') => ['posts', threadId, 'window', range] as const,
}

export const threadApi = (threadId: string) => `/api/threads/${encodeURIComponent(threadId)}`

/** The known changes of a thread, as PostQuery has them. */
export function knownChanges(client: QueryClient, threadId: string): number {
  const thread = client.getQueryData(threadQuery(threadId).queryKey)
  return thread === undefined ? 0 : thread.revision - thread.postCount
}

/** The address of a part of a thread, with the known changes: see PostQuery. */
export function threadPartApi(
  threadId: string,
  part: 'posts' | 'posts/search' | 'answers',
  parameters: URLSearchParams,
  changes: number,
): string {
  // Before the first change no copy is outdated.
  if (changes > 0) parameters.set('changes', String(changes))
  const search = parameters.toString()
  return `${threadApi(threadId)}/${part}${search === '' ? '' : `?${search}`}`
}

export function fetchPosts(threadId: string, query: PostQuery, context: FetchContext = {}): Promise<Post[]> {
  const parameters = new URLSearchParams()
  if (query.after !== undefined) parameters.set('after', String(query.after))
  if (query.before !== undefined) parameters.set('before', String(query.before))
  if (query.limit !== PAGE_SIZE) parameters.set('limit', String(query.limit))
  return apiGet<Post[]>(threadPartApi(threadId, 'posts', parameters, query.changes), context)
}

type PageParam = { readonly after: number } | { readonly before: number }

/**
 * `known` is the thread's position when these posts were last brought up to date; absent when they
 * come from one fetch.
 */
export interface PostPages extends InfiniteData<Post[], PageParam> {
  readonly known?: Position
}

/**
 * A window of a thread's posts, endless in both directions. It never becomes stale by itself: live
 * updates and post numbers keep it consistent with the server (post-store.ts).
 */
export const postsInfiniteQuery = (threadId: string, range: { after?: number; last?: boolean } = {}) =>
  infiniteQueryOptions({
    queryKey: postKeys.window(threadId, range.last === true ? 'last' : (range.after ?? 0)),
    queryFn: (context) => {
      const param: PageParam = context.pageParam
      // The first page has no place in its address, so that it shares its cached answer with that
      // of every other visitor.
      const query = 'after' in param && param.after === 0 ? { limit: PAGE_SIZE } : { ...param, limit: PAGE_SIZE }
      return fetchPosts(threadId, { ...query, changes: knownChanges(context.client, threadId) }, context)
    },
    initialPageParam: range.last === true ? { before: BEYOND } : { after: range.after ?? 0 },
    getNextPageParam: (page): PageParam | undefined => {
      const last = page.at(-1)
      return last === undefined ? undefined : { after: last.number }
    },
    getPreviousPageParam: (page): PageParam | undefined => {
      const first = page[0]
      return first === undefined || first.number === 1 ? undefined : { before: first.number }
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: KEEP_MS,
  })

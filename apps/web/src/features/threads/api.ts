import type { Thread, ThreadItem, TrendingItem } from '@shinobi/contract/threads'
import { TRENDING_LIMIT, TRENDING_WINDOW_HOURS } from '@shinobi/contract/limits'
import { infiniteQueryOptions, queryOptions, type InfiniteData, type QueryClient } from '@tanstack/react-query'
import { apiGet, apiPage, type ApiPage } from '../../lib/api-client.ts'
import { cursorOf, listQuery, type ListView } from './list-address.ts'

/** Keys for invalidating: `lists` and `trending` cover every category. */
export const threadKeys = {
  lists: ['threads', 'list'],
  trending: ['threads', 'trending'],
  detail: (threadId: string) => ['threads', 'detail', threadId],
} as const

const base = (category: string | null) =>
  category === null ? '/api/threads' : `/api/categories/${encodeURIComponent(category)}`

/** Beyond this many pages a list is not read again in the background: it would ask for each page in turn. */
const REREAD_PAGES_MAX = 3

type ListData = InfiniteData<ApiPage<ThreadItem>, string | null>

/** Threads of the board (`category` null) or of one category, page by page. */
export const threadListQuery = (category: string | null, view: ListView) =>
  infiniteQueryOptions<ApiPage<ThreadItem>, Error, ListData, readonly unknown[], string | null>({
    queryKey: [...threadKeys.lists, category, view],
    queryFn: (context) => {
      const query = listQuery({ ...view, cursor: context.pageParam })
      const path = category === null ? '/api/threads' : `${base(category)}/threads`
      return apiPage<ThreadItem>(path + query, context)
    },
    initialPageParam: view.cursor,
    getNextPageParam: (last) => cursorOf(last.next),
    staleTime: 30_000,
    // The loader has just tried: the page shows the failure and its retry button at once.
    retryOnMount: false,
    refetchOnMount: (query) => (query.state.data?.pages.length ?? 0) <= REREAD_PAGES_MAX,
  })

/**
 * The rows of a list. While counts change, one thread can come on two pages: the first counts. Who comes back from a thread has seen,
 * or written, newer posts than the list tells of: the higher count is the true one, as numbers are never taken back.
 */
export function listedThreads(data: ListData | undefined, client: QueryClient): ThreadItem[] {
  const byId = new Map<string, ThreadItem>()
  for (const page of data?.pages ?? []) {
    for (const item of page.items) {
      const { _id, postCount } = item
      const seen = client.getQueryData(threadQuery(_id).queryKey)?.postCount ?? 0
      if (!byId.has(_id)) byId.set(_id, seen > postCount ? { ...item, postCount: seen } : item)
    }
  }
  return [...byId.values()]
}

/** Trending threads of the board, or of one category. Failures are silent: show nothing then. */
export const trendingQuery = (category: string | null) =>
  queryOptions({
    queryKey: [...threadKeys.trending, category],
    queryFn: (context) =>
      apiGet<TrendingItem[]>(
        `${base(category)}/trending?windowHours=${TRENDING_WINDOW_HOURS}&limit=${TRENDING_LIMIT}`,
        context,
      ),
    staleTime: 60_000,
  })

/** A thread as its own page shows it. */
export const threadQuery = (threadId: string) =>
  queryOptions({
    queryKey: threadKeys.detail(threadId),
    queryFn: (context) => apiGet<Thread>(`/api/threads/${encodeURIComponent(threadId)}`, context),
    staleTime: 30_000,
  })

/** After a thread was made: lists are forgotten rather than marked stale, so that the next one shown has it from the start. */
export async function forgetThreadLists(queryClient: QueryClient): Promise<void> {
  queryClient.removeQueries({ queryKey: threadKeys.lists })
  await queryClient.invalidateQueries({ queryKey: threadKeys.trending, refetchType: 'none' })
}

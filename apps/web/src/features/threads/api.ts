import type { Thread, ThreadItem } from '@shinobi/contract/threads'
import { TRENDING_LIMIT, TRENDING_WINDOW_HOURS } from '@shinobi/contract/limits'
import { infiniteQueryOptions, queryOptions, type InfiniteData, type QueryClient } from '@tanstack/react-query'
import { apiGet, apiPage, type ApiPage } from '../../lib/api-client.ts'
import { cursorOf, listQuery, type ListView } from './list-address.ts'

/** Keys for invalidation: `lists` and `trending` cover every category. */
export const threadKeys = {
  lists: ['threads', 'list'],
  /** Pages of past logs, which are no endless lists. */
  past: ['threads', 'past'],
  trending: ['threads', 'trending'],
  detail: (threadId: string) => ['threads', 'detail', threadId],
} as const

const base = (category: string | null) =>
  category === null ? '/api/threads' : `/api/categories/${encodeURIComponent(category)}`

/**
 * A list with more pages is not refetched in the background: that would request each page in turn.
 */
const REREAD_PAGES_MAX = 3

type ListData = InfiniteData<ApiPage<ThreadItem>, string | null>

/** API path of a page of a list. */
export const listPath = (category: string | null, view: ListView): string =>
  (category === null ? '/api/threads' : `${base(category)}/threads`) +
  listQuery(view.sort === 'unread' ? { ...view, sort: 'active' } : view)

/** Threads of the board (`category` null) or of one category, page by page. */
export const threadListQuery = (category: string | null, view: ListView) =>
  infiniteQueryOptions<ApiPage<ThreadItem>, Error, ListData, readonly unknown[], string | null>({
    queryKey: [...threadKeys.lists, category, view],
    queryFn: (context) => apiPage<ThreadItem>(listPath(category, { ...view, cursor: context.pageParam }), context),
    initialPageParam: view.cursor,
    getNextPageParam: (last) => cursorOf(last.next),
    staleTime: 30_000,
    // The loader has just tried: the page shows the failure and its retry button at once.
    retryOnMount: false,
    refetchOnMount: (query) => (query.state.data?.pages.length ?? 0) <= REREAD_PAGES_MAX,
  })

/**
 * The rows of a list. While counts change, one thread can be on two pages: the first one is used.
 * The cache of a thread's own page may contain newer posts than the list: the higher count is
 * right, because post numbers never decrease.
 *
 * @param arrange puts the rows of each page in order, so that a further page moves no row
 */
export function listedThreads(
  data: ListData | undefined,
  client: QueryClient,
  arrange: (items: readonly ThreadItem[]) => readonly ThreadItem[],
): ThreadItem[] {
  const byId = new Map<string, ThreadItem>()
  for (const page of data?.pages ?? []) {
    for (const item of arrange(page.items)) {
      const { _id, postCount } = item
      const seen = client.getQueryData(threadQuery(_id).queryKey)?.postCount ?? 0
      if (!byId.has(_id)) byId.set(_id, seen > postCount ? { ...item, postCount: seen } : item)
    }
  }
  return [...byId.values()]
}

/** The highest number of posts that a cached list shows for a thread; 0 where none does. */
export function listedPostCount(client: QueryClient, threadId: string): number {
  const lists = client.getQueriesData<ListData>({ queryKey: threadKeys.lists })
  const items = lists.flatMap(([, data]) => data?.pages.flatMap((page) => page.items) ?? [])
  return Math.max(0, ...items.filter(({ _id }) => _id === threadId).map(({ postCount }) => postCount))
}

/** Trending threads of the board, or of one category. Failures are silent: nothing is shown. */
export const trendingQuery = (category: string | null) =>
  queryOptions({
    queryKey: [...threadKeys.trending, category],
    queryFn: (context) =>
      apiGet<ThreadItem[]>(
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

/**
 * After a thread was created: removes the lists rather than marking them stale, so that the next
 * one shown contains it from the start.
 */
export async function forgetThreadLists(queryClient: QueryClient): Promise<void> {
  queryClient.removeQueries({ queryKey: threadKeys.lists })
  await queryClient.invalidateQueries({ queryKey: threadKeys.trending, refetchType: 'none' })
}

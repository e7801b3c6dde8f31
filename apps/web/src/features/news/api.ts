import type { ThreadSummary, Withdrawal } from '@shinobi/contract/news'
import { queryOptions, type QueryClient } from '@tanstack/react-query'
import { apiGet } from '../../lib/api-client.ts'

/** How a news thread was made. */
export const summaryQuery = (threadId: string) =>
  queryOptions({
    queryKey: ['threads', 'summary', threadId],
    queryFn: (context) => apiGet<ThreadSummary>(`/api/threads/${encodeURIComponent(threadId)}/summary`, context),
    staleTime: 30_000,
    // The loader has just tried: the plain text stays, and does not change while it is read.
    retryOnMount: false,
  })

/** Why a news thread was taken down; null for every other thread, and where that cannot be read. */
export const readWithdrawal = (client: QueryClient, threadId: string): Promise<Withdrawal | null> =>
  client
    .fetchQuery({
      queryKey: ['threads', 'withdrawal', threadId],
      queryFn: (context) => apiGet<Withdrawal>(`/api/threads/${encodeURIComponent(threadId)}/withdrawal`, context),
      retry: false,
    })
    .catch(() => null)

/**
 * Refetches the summary after the thread changed, because it may have been corrected. Does nothing
 * for threads without a summary.
 */
export const rereadSummary = (client: QueryClient, threadId: string): Promise<void> =>
  client.invalidateQueries({ queryKey: summaryQuery(threadId).queryKey })

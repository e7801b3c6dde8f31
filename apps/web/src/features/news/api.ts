import type { ThreadSummary } from '@shinobi/contract/news'
import { queryOptions, type QueryClient } from '@tanstack/react-query'
import { apiGet } from '../../lib/api-client.ts'

/** How a news thread was made. */
export const summaryQuery = (threadId: string) =>
  queryOptions({
    queryKey: ['threads', 'summary', threadId],
    queryFn: (context) => apiGet<ThreadSummary>(`/api/threads/${encodeURIComponent(threadId)}/summary`, context),
    staleTime: 30_000,
    // The loader has just tried: the plain text stands, and does not change under the reader.
    retryOnMount: false,
  })

/** Something about the thread changed: its summary was corrected, perhaps. Threads that were not summarised have nothing here to read. */
export const rereadSummary = (client: QueryClient, threadId: string): Promise<void> =>
  client.invalidateQueries({ queryKey: summaryQuery(threadId).queryKey })

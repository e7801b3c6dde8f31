import type { Notices } from '@shinobi/contract/shields'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { apiGet } from '../../lib/api-client.ts'

/** In threads the socket announces changes; other pages poll this often. */
const ASK_MS = 60_000
/** During an outage or a pause of posting, pages without a socket poll more often for its end. */
const ASK_PAUSED_MS = 15_000

export const NOTICES_KEY = ['notices'] as const

/**
 * Current notices for all visitors. On failure nothing is shown, because the board works without
 * them.
 */
export const noticesQuery = () =>
  queryOptions({
    queryKey: NOTICES_KEY,
    queryFn: (context) => apiGet<Notices>('/api/notices', context),
    staleTime: ASK_MS,
    refetchInterval: ({ state: { data } }) =>
      data?.pause != null || data?.partlyAway === true ? ASK_PAUSED_MS : ASK_MS,
  })

/** The message while posting is paused; null while the board accepts posts. */
export const usePause = (): string | null => useQuery(noticesQuery()).data?.pause?.message ?? null

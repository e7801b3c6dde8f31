import type { Notices } from '@shinobi/contract/shields'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { apiGet } from '../../lib/api-client.ts'

/** In threads the socket says when there is news; elsewhere it is looked for this often. */
const ASK_MS = 60_000
/** While nobody can write, pages without a socket look for the end of it more often. */
const ASK_PAUSED_MS = 15_000

export const NOTICES_KEY = ['notices'] as const

/** What every visitor should know now. Without an answer nothing is told: the board works all the same. */
export const noticesQuery = () =>
  queryOptions({
    queryKey: NOTICES_KEY,
    queryFn: (context) => apiGet<Notices>('/api/notices', context),
    staleTime: ASK_MS,
    refetchInterval: ({ state }) => (state.data?.pause == null ? ASK_MS : ASK_PAUSED_MS),
  })

/** Why nobody can write now, in words; null while the board takes writes. */
export const usePause = (): string | null => useQuery(noticesQuery()).data?.pause?.message ?? null

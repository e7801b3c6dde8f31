import type { ThreadItem } from '@shinobi/contract/threads'
import { queryOptions } from '@tanstack/react-query'
import { apiPage, type ApiPage } from '../../lib/api-client.ts'
import { threadKeys } from './api.ts'

/** A page of past logs of the board (`category` null) or of a category, the last closed first. */
export const pastQuery = (category: string | null, cursor: string | null) =>
  queryOptions({
    queryKey: [...threadKeys.past, category, cursor],
    queryFn: (context) => {
      const query = new URLSearchParams({ ...(cursor !== null && { cursor }), state: 'past' })
      const base = category === null ? '/api/threads' : `/api/categories/${encodeURIComponent(category)}/threads`
      return apiPage<ThreadItem>(`${base}?${query}`, context) satisfies Promise<ApiPage<ThreadItem>>
    },
    staleTime: 30_000,
  })

import { QueryClient } from '@tanstack/react-query'
import { ApiError } from '../lib/api-client.ts'

/** Whether another attempt may succeed. */
const mayPass = (error: Error) => error instanceof ApiError && (error.code === 'network' || error.status >= 500)

/**
 * One for the browser's lifetime; on the server one per request, so that no data of one visitor
 * reaches another.
 */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 30_000,
        gcTime: import.meta.env.SSR ? Number.POSITIVE_INFINITY : 10 * 60_000,
        // A failed request is more reliable than the browser's guess about being online, and a
        // paused one would block a navigation forever.
        networkMode: 'always',
        refetchOnWindowFocus: false,
        // Requests that failed without a network are repeated as soon as it is back.
        refetchOnReconnect: ({ state }) => state.status === 'error',
        retry: (failures, error) => !import.meta.env.SSR && failures < 1 && mayPass(error),
        retryDelay: 500,
      },
      mutations: { networkMode: 'always', retry: false },
    },
  })
}

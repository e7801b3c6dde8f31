/**
 * Loaders fill the query cache before a page is shown; pages read it with useQuery and the same
 * query options. They return null, so that no data is transferred twice.
 */
import type { Withdrawal } from '@shinobi/contract/news'
import type { QueryClient } from '@tanstack/react-query'
import { data } from 'react-router'
import { ApiError } from './api-client.ts'

export interface PageLoaderArgs {
  queryClient: QueryClient
  params: Readonly<Record<string, string | undefined>>
  /** Address of the page; only path and query count. */
  url: URL
  /**
   * Whether the browser seems to have a session: on the server, for pages that depend on it. Null
   * otherwise.
   */
  session: boolean | null
}

export type PageLoader = (args: PageLoaderArgs) => Promise<null>

/** Data for the error screen of the router, beside the status. */
export interface PageError {
  message: string | null
  /** A news thread stood at the address, and was taken down. */
  withdrawal?: Withdrawal
}

/** Throw the result: shows the 404 screen, with status 404 on the server. */
export const notFound = (left: Pick<PageError, 'withdrawal'> = {}) =>
  data<PageError>({ message: null, ...left }, { status: 404 })

/**
 * Throw the result when the page cannot be shown without the failed data. A 404 (or an invalid id)
 * gives the 404 screen, anything else the error box with `message`, or with the server's own
 * message when none is given.
 */
export function pageError(error: unknown, message?: string) {
  if (!(error instanceof ApiError)) return error
  if (error.status === 404 || error.code === 'bad_id') return notFound()
  return data<PageError>({ message: message ?? error.message }, { status: error.status === 0 ? 503 : error.status })
}

/**
 * For optional parts of a page (trending, the sidebar). The server waits for the data, so that the
 * page contains it; in the browser the navigation does not wait. Pass the promise of prefetchQuery,
 * which never rejects.
 */
export const optional = async (prefetch: Promise<unknown>): Promise<void> => {
  if (import.meta.env.SSR) await prefetch
}

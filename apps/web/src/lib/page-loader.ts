/**
 * Loaders fill the query cache before a page is shown; pages read it with useQuery and the same query options.
 * They return null: nothing travels twice.
 */
import type { QueryClient } from '@tanstack/react-query'
import { data } from 'react-router'
import { ApiError } from './api-client.ts'

export interface PageLoaderArgs {
  queryClient: QueryClient
  params: Readonly<Record<string, string | undefined>>
  /** Address of the page; only path and query mean anything. */
  url: URL
  /** On the server and for pages that depend on it: whether the browser seems to have a session. Null otherwise. */
  session: boolean | null
}

export type PageLoader = (args: PageLoaderArgs) => Promise<null>

/** What the error screen of the router gets with a status. */
export interface PageError {
  message: string | null
}

/** Throw it: the 404 screen, with status 404 on the server. */
export const notFound = () => data<PageError>({ message: null }, { status: 404 })

/**
 * Throw it: the page cannot be shown without what failed. A 404 (or an id that cannot be one) gives the 404 screen,
 * anything else the error box with `message`, or the server's own when none is given.
 */
export function pageError(error: unknown, message?: string) {
  if (!(error instanceof ApiError)) return error
  if (error.status === 404 || error.code === 'bad_id') return notFound()
  return data<PageError>({ message: message ?? error.message }, { status: error.status === 0 ? 503 : error.status })
}

/**
 * For what a page shows only if it is there (trending, the sidebar). The server waits for it, so that it is in the
 * page; the browser does not let a navigation wait. Give prefetchQuery's promise, which never rejects.
 */
export const optional = async (prefetch: Promise<unknown>): Promise<void> => {
  if (import.meta.env.SSR) await prefetch
}

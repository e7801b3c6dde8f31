/**
 * Data of the rendered page, in the JSON block `#state`: the query cache, the router's result, the
 * site. It contains only keys and data, no times, so that an unchanged page has the same bytes
 * (ETag).
 */
import type { SiteInfo } from '@shinobi/contract/site'
import type { QueryClient, QueryKey } from '@tanstack/react-query'
import { isRouteErrorResponse } from 'react-router'
import type { PostPages } from '../features/posts/posts-query.ts'
import { leaveOutShown, readShown } from '../features/posts/shown-posts.ts'
import { packRows, unpackRows } from '../lib/pack-rows.ts'

export interface PageState {
  site: SiteInfo
  /** Whether the browser seemed to have a session, on pages that depend on it; null elsewhere. */
  session: boolean | null
  /** Server time, ISO 8601, rounded down to the minute. */
  now: string
  queries: [key: QueryKey, data: unknown][]
  /** The deferred components that the page contains, by their modules (lib/deferred.tsx). */
  deferred: readonly string[]
  router: { loaderData: Record<string, unknown>; errors: Record<string, unknown> | null }
}

export function readQueries(queryClient: QueryClient): PageState['queries'] {
  return queryClient
    .getQueryCache()
    .getAll()
    .filter((query) => query.state.status === 'success')
    .map(({ queryKey, state }) => [queryKey, mapPosts(queryKey, state.data, leaveOutShown)])
}

export function fillQueries(queryClient: QueryClient, queries: PageState['queries']): void {
  // A cached page counts as fresh: the server drops it as soon as its data changes.
  for (const [key, data] of queries) queryClient.setQueryData(key, mapPosts(key, data, readShown))
}

/** The data of a query; that of a thread's posts with each post mapped. */
function mapPosts<T>(key: QueryKey, data: unknown, map: (post: T) => unknown): unknown {
  if (key[2] !== 'window') return data
  const window = data as Omit<PostPages, 'pages'> & { pages: readonly (readonly T[])[] }
  return { ...window, pages: window.pages.map((page) => page.map(map)) }
}

/**
 * Errors in the form that the router accepts; the message of an unexpected error stays on the
 * server.
 */
export function portableErrors(errors: Record<string, unknown> | null): PageState['router']['errors'] {
  if (errors === null) return null
  return Object.fromEntries(
    Object.entries(errors).map(([route, error]) => {
      const { status, data } = isRouteErrorResponse(error) ? error : { status: 500, data: { message: null } }
      return [route, { status, statusText: '', internal: false, data }]
    }),
  )
}

const ESCAPES: Readonly<Record<string, string>> = {
  '<': '\\u003c',
  '>': '\\u003e',
  '&': '\\u0026',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
}

/** JSON that is safe inside a script element. */
export const serializeState = (state: PageState): string =>
  JSON.stringify({ ...state, queries: packRows(state.queries) }).replace(
    /[<>&\u2028\u2029]/g,
    (character) => ESCAPES[character] ?? character,
  )

/** The state of the page, or null when the server sent an unrendered shell. */
export function parseState(text: string | null | undefined): PageState | null {
  if (text == null || !text.trimStart().startsWith('{')) return null
  const state = JSON.parse(text) as PageState
  return { ...state, queries: unpackRows(state.queries) as PageState['queries'] }
}

/**
 * Where a thread opens by a link without a number: at the first unread post. Every other address,
 * Back and a reload keep the place that they name.
 */
import { PAGE_SIZE } from '@shinobi/contract/limits'
import type { QueryClient } from '@tanstack/react-query'
import { postKeys, windowOf, type PostPages } from './api.ts'
import { pageOf } from '../../app/paths.ts'
import { isLatest, readPostRange, type PostRange } from './post-address.ts'

export interface Resume {
  /** Start of the window to show in place of the first one. */
  readonly after: number
  /** Number of the last post that was read before this visit; 0 on the first one. */
  readonly line: number
  /** Whether the page goes to the line: false where it returns to an earlier position. */
  readonly goes: boolean
}

export const isWithoutNumber = (range: PostRange): boolean => !isLatest(range) && range.after === 0

/** Start of the window with the first unread post, or with the newest one when all is read. */
export const windowAt = (line: number, newest: number): number =>
  line === 0 ? 0 : pageOf(Math.min(line + 1, Math.max(1, newest)))

/** Field of the state of a history entry: the window that the entry shows in place of the first. */
const FIELD = 'resumedAfter'

interface EntryState {
  usr?: Record<string, unknown> | null
}

/** The window of the current history entry, for Back and reloads; null where none was stored. */
export function windowOfEntry(): number | null {
  const after = (history.state as EntryState | null)?.usr?.[FIELD]
  return typeof after === 'number' ? after : null
}

/** Keeps the window with the history entry, beside the router's own fields. */
export function keepWindow(after: number): void {
  const state = history.state as EntryState | null
  history.replaceState({ ...state, usr: { ...state?.usr, [FIELD]: after } }, '')
}

/** Whether the document was opened by a link, rather than by Back or a reload. */
export function isFreshDocument(): boolean {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  return navigation?.type === 'navigate'
}

/** What the loader has found for the page that it loads for. */
const prepared = new Map<string, Resume>()
export const preparedResume = (threadId: string): Resume | undefined => prepared.get(threadId)
export const forgetPrepared = (threadId: string): boolean => prepared.delete(threadId)

/**
 * For the loader, in the browser: the window that the page will show.
 * @param newest the thread's number of posts
 */
export async function prepareResume(
  threadId: string,
  line: number,
  url: URL,
  newest: () => Promise<number>,
): Promise<PostRange> {
  const range = readPostRange(url.searchParams)
  // During Back and Forward the browser shows the new address already; on a page without content
  // (entry-client.tsx) it does on arrival too.
  const arrives = document.getElementById('root')?.firstChild == null && isFreshDocument()
  const returns = !arrives && location.pathname + location.search === url.pathname + url.search
  const goes = isWithoutNumber(range) && !returns
  const stored = isWithoutNumber(range) ? (windowOfEntry() ?? 0) : 0
  const after = goes ? windowAt(line, await newest()) : stored
  prepared.set(threadId, { after, line, goes })
  return after === 0 ? range : { after }
}

/** Removes a cached window that ends before known posts, so that it is fetched again. */
export function dropOutdatedWindow(client: QueryClient, threadId: string, range: PostRange, newest: number): void {
  if (isLatest(range)) return
  const queryKey = postKeys.window(threadId, range.after)
  const data = client.getQueryData<PostPages>(queryKey)
  if (data === undefined) return
  const { start, posts } = windowOf(data)
  if (start + posts.length < Math.min(newest, range.after + PAGE_SIZE)) client.removeQueries({ queryKey, exact: true })
}

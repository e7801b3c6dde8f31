/**
 * Fetches threads shortly before they are opened, by the public calls of their pages. Nothing
 * counts as read before a thread is on screen, and nothing is fetched for visitors who save data.
 */
import type { QueryClient } from '@tanstack/react-query'
import { summaryQuery } from '../features/news/api.ts'
import { postsInfiniteQuery } from '../features/posts/posts-query.ts'
import { dropOutdatedWindow, windowAt } from '../features/posts/resume.ts'
import { readPosition } from '../features/reading/store.ts'
import { listedPostCount, threadQuery } from '../features/threads/api.ts'

/** A pointer that rests on a link for so long is about to press it. */
const HOVER_MS = 80
/** Threads that are fetched because a pointer rested on them, or because they are on top. */
const GUESSES_MAX = 20
const TOP_ROWS = 3

interface Connection {
  readonly saveData?: boolean
  readonly effectiveType?: string
}

/** Undefined in browsers that do not tell. */
const connection = (): Connection | undefined => (navigator as { connection?: Connection }).connection

const savesData = (): boolean => connection()?.saveData === true

/** Whether the page may fetch what is perhaps not opened. */
const mayGuess = (): boolean =>
  !savesData() && document.visibilityState === 'visible' && ['4g', undefined].includes(connection()?.effectiveType)

/** What is guessed is fetched once a document. */
const guessed = new Set<string>()

function guess(client: QueryClient, threadId: string): void {
  if (guessed.size >= GUESSES_MAX || guessed.has(threadId) || !mayGuess()) return
  guessed.add(threadId)
  void prefetchThread(client, threadId)
}

/** On the press of a link, and under a resting pointer. Returns a function that ends it. */
export function prefetchPressed(client: QueryClient): () => void {
  const onPress = ({ target }: Event) => {
    const threadId = threadOf(target)
    if (threadId !== null && !savesData()) void prefetchThread(client, threadId)
  }
  let timer: ReturnType<typeof setTimeout> | undefined
  const onHover = ({ target, pointerType }: PointerEvent) => {
    clearTimeout(timer)
    const threadId = pointerType === 'mouse' ? threadOf(target) : null
    if (threadId !== null) timer = setTimeout(() => guess(client, threadId), HOVER_MS)
  }
  document.addEventListener('pointerdown', onPress, { passive: true })
  document.addEventListener('pointerover', onHover, { passive: true })
  return () => {
    clearTimeout(timer)
    document.removeEventListener('pointerdown', onPress)
    document.removeEventListener('pointerover', onHover)
  }
}

/** The first rows of the list on screen, where the browser says that the connection is fast. */
export function prefetchTop(client: QueryClient): void {
  if (connection()?.effectiveType === undefined) return
  globalThis.requestIdleCallback?.(() => {
    const rows = Array.from(document.querySelectorAll('li[data-keep] h2 a')).slice(0, TOP_ROWS)
    for (const threadId of rows.map(threadOf)) if (threadId !== null) guess(client, threadId)
  })
}

/** The thread that a link leads to, if it is another one than that on screen. */
function threadOf(target: EventTarget | null): string | null {
  const link = target instanceof Element ? target.closest('a') : null
  if (link === null || link.origin !== location.origin || link.search !== '') return null
  const [, threadId = null] = /^\/thread\/([^/]+)$/.exec(link.pathname) ?? []
  return link.pathname === location.pathname ? null : threadId
}

/** The thread, its posts from the first unread one on, and the script of its page. */
async function prefetchThread(client: QueryClient, threadId: string): Promise<void> {
  // Without it the link loads the page as usual.
  const page = import('../pages/thread/thread-page.tsx').catch(() => {})
  const listed = listedPostCount(client, threadId)
  const query = threadQuery(threadId)
  const isOutdated = listed > (client.getQueryData(query.queryKey)?.postCount ?? 0)
  const thread = client.prefetchQuery(isOutdated ? { ...query, staleTime: 0 } : query)
  const range = { after: windowAt(await readPosition(threadId).catch(() => 0), listed) }
  dropOutdatedWindow(client, threadId, range, listed)
  await client.prefetchInfiniteQuery(postsInfiniteQuery(threadId, range))
  await thread
  if ((client.getQueryData(query.queryKey)?.summary ?? null) !== null) {
    await client.prefetchQuery(summaryQuery(threadId))
  }
  await page
}

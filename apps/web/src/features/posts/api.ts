import type { Position } from './post-log.ts'
import { PAGE_SIZE } from '@shinobi/contract/limits'
import type { HeldAnswer, Post } from '@shinobi/contract/posts'
import { infiniteQueryOptions, queryOptions, type InfiniteData, type QueryClient } from '@tanstack/react-query'
import { apiGet, apiSend, type FetchContext } from '../../lib/api-client.ts'
import { apiUpload } from '../../lib/api-upload.ts'
import type { PostQuery, PostWindow } from './post-store.ts'

/** Beyond every number: "the last ones before this". */
const BEYOND = 2_000_000_001
/** The window a reader went through is found again on Back for this long. */
const KEEP_MS = 30 * 60_000

export const postKeys = {
  thread: (threadId: string) => ['posts', threadId] as const,
  window: (threadId: string, range: number | 'last') => ['posts', threadId, 'window', range] as const,
}

const base = (threadId: string) => `/api/threads/${encodeURIComponent(threadId)}`

export function fetchPosts(threadId: string, query: PostQuery, context: FetchContext = {}): Promise<Post[]> {
  const parameters = new URLSearchParams()
  if (query.after !== undefined) parameters.set('after', String(query.after))
  if (query.before !== undefined) parameters.set('before', String(query.before))
  if (query.limit !== PAGE_SIZE) parameters.set('limit', String(query.limit))
  const search = parameters.toString()
  return apiGet<Post[]>(`${base(threadId)}/posts${search === '' ? '' : `?${search}`}`, context)
}

export const fetchPosition = (threadId: string): Promise<Position> => apiGet<Position>(base(threadId))

type PageParam = { readonly after: number } | { readonly before: number }

/** `known` is where the thread stood when these posts were last brought up to date; absent when they come from one fetch. */
export interface PostPages extends InfiniteData<Post[], PageParam> {
  readonly known?: Position
}

/**
 * A window of a thread's posts, endless in both directions. It never goes stale by itself: the live line and the numbers
 * keep it in agreement with the server (post-store.ts).
 */
export const postsInfiniteQuery = (threadId: string, range: { after?: number; last?: boolean } = {}) =>
  infiniteQueryOptions({
    queryKey: postKeys.window(threadId, range.last === true ? 'last' : (range.after ?? 0)),
    queryFn: (context) => {
      const param: PageParam = context.pageParam
      // The first page without parameters, so that it shares its cached answer with everybody's first look.
      const query = 'after' in param && param.after === 0 ? { limit: PAGE_SIZE } : { ...param, limit: PAGE_SIZE }
      return fetchPosts(threadId, query, context)
    },
    initialPageParam: range.last === true ? { before: BEYOND } : { after: range.after ?? 0 },
    getNextPageParam: (page): PageParam | undefined => {
      const last = page.at(-1)
      return last === undefined ? undefined : { after: last.number }
    },
    getPreviousPageParam: (page): PageParam | undefined => {
      const first = page[0]
      return first === undefined || first.number === 1 ? undefined : { before: first.number }
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: KEEP_MS,
  })

/** The posts of a window, flat. */
export function windowOf(data: PostPages): PostWindow {
  const posts = data.pages.flat()
  const param = data.pageParams[0]
  const empty = param !== undefined && 'after' in param ? param.after : 0
  return { start: (posts[0]?.number ?? empty + 1) - 1, posts }
}

/** The other way round: pages as the query would have fetched them, so that refetching it keeps the window. */
export function pagesOf({ start, posts }: PostWindow, known: Position): PostPages {
  const count = Math.max(1, Math.ceil(posts.length / PAGE_SIZE))
  const starts = Array.from({ length: count }, (_, page) => page * PAGE_SIZE)
  return {
    pages: starts.map((from) => posts.slice(from, from + PAGE_SIZE)),
    pageParams: starts.map((from) => ({ after: start + from })),
    known,
  }
}

/** Posts named by an anchor and not on the page. */
export const postSpanQuery = (threadId: string, after: number, limit: number) =>
  queryOptions({
    queryKey: [...postKeys.thread(threadId), 'span', after, limit],
    queryFn: (context) => fetchPosts(threadId, { after, limit }, context),
    staleTime: 30_000,
  })

/** A post changed, was removed or came back: what is kept of other windows and of slips may show it as it was. */
export const forgetOtherPosts = (client: QueryClient, threadId: string): void =>
  client.removeQueries({ queryKey: postKeys.thread(threadId), type: 'inactive' })

/** `message` says why not, fit to be shown. */
export interface NicknameAnswer {
  readonly available: boolean
  readonly message: string
}

/** Its answer brings the cookie by which the server knows this browser. */
export const checkNickname = (threadId: string, nickname: string): Promise<NicknameAnswer> =>
  apiSend<NicknameAnswer>('POST', `${base(threadId)}/checkNickname`, { nickname })

export interface OutgoingPost {
  readonly content: string
  readonly name: string
  readonly clientPostId: string
  readonly image: File | null
  /** Under the seal of those who run the board. */
  readonly asStaff: boolean
}

/** The HTTP twin of the socket's newPost. */
export function createPost(
  threadId: string,
  { content, name, clientPostId, image, asStaff }: OutgoingPost,
  onProgress: (share: number) => void = () => {},
): Promise<Post | HeldAnswer> {
  const path = `${base(threadId)}/posts`
  const input = { content, name, clientPostId, ...(asStaff && { asStaff }) }
  if (image === null) return apiSend<Post | HeldAnswer>('POST', path, input)
  const form = new FormData()
  for (const [field, value] of Object.entries(input)) form.set(field, String(value))
  form.set('image', image, image.name)
  return apiUpload<Post | HeldAnswer>(path, form, { onProgress })
}

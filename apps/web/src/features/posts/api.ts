import type { Position } from './post-log.ts'
import { PAGE_SIZE } from '@shinobi/contract/limits'
import type { AnswerOf } from '@shinobi/contract/common'
import type { FoundPosts, HeldAnswer, Post } from '@shinobi/contract/posts'
import type { checkNickname as checkNicknameCall } from '@shinobi/contract/threads'
import { infiniteQueryOptions, queryOptions, type QueryClient, type QueryKey } from '@tanstack/react-query'
import { apiGet, apiSend } from '../../lib/api-client.ts'
import { apiUpload } from '../../lib/api-upload.ts'
import { threadKeys } from '../threads/api.ts'
import { answersQuery } from './answers-query.ts'
import type { PostWindow } from './post-store.ts'
import { fetchPosts, knownChanges, postKeys, threadApi, threadPartApi, type PostPages } from './posts-query.ts'

export { fetchPosts, postKeys, postsInfiniteQuery, type PostPages } from './posts-query.ts'

export const fetchPosition = (threadId: string): Promise<Position> => apiGet<Position>(threadApi(threadId))

/** Cached, because otherwise every event would flatten the pages again. */
const windows = new WeakMap<PostPages, PostWindow>()

/** The posts of a window as a flat list. */
export function windowOf(data: PostPages): PostWindow {
  const known = windows.get(data)
  if (known !== undefined) return known
  const posts = data.pages.flat()
  const param = data.pageParams[0]
  const empty = param !== undefined && 'after' in param ? param.after : 0
  const window = { start: (posts[0]?.number ?? empty + 1) - 1, posts }
  windows.set(data, window)
  return window
}

/**
 * The inverse of `windowOf`: pages as the query would have fetched them, so that a refetch keeps
 * the window.
 */
export function pagesOf({ start, posts }: PostWindow, known: Position): PostPages {
  const count = Math.max(1, Math.ceil(posts.length / PAGE_SIZE))
  const starts = Array.from({ length: count }, (_, page) => page * PAGE_SIZE)
  return {
    pages: starts.map((from) => posts.slice(from, from + PAGE_SIZE)),
    pageParams: starts.map((from) => ({ after: start + from })),
    known,
  }
}

/** A thread and its posts are fetched together; one that is newer by more was fetched again. */
const TOGETHER_MS = 5_000

/**
 * The position that the posts of a cached window reflect. A window that was only read reflects the
 * thread's. If the thread was fetched again since, changes may be missing: then it is one change
 * less, and the store reloads the window.
 */
export function positionOf(client: QueryClient, threadId: string, window: QueryKey, thread: Position): Position {
  const known = client.getQueryData<PostPages>(window)?.known
  if (known !== undefined) return known
  const readAt = (key: QueryKey) => client.getQueryState(key)?.dataUpdatedAt ?? 0
  const isOlder = readAt(threadKeys.detail(threadId)) - readAt(window) > TOGETHER_MS
  return isOlder ? { postCount: thread.postCount, revision: thread.revision - 1 } : thread
}

/**
 * Posts that are not in the window: those that an anchor names, or a page of the whole thread. A
 * page is asked for again when posts were added to it.
 * @param last the newest post that is wanted
 */
export const postSpanQuery = (threadId: string, after: number, limit: number, last = after + limit) =>
  queryOptions({
    queryKey: [...postKeys.spans(threadId), after, Math.min(limit, last - after)],
    queryFn: async (context) => {
      const changes = knownChanges(context.client, threadId)
      const posts: Post[] = []
      const end = after + limit
      // A page of very long posts has fewer of them than were asked for.
      for (let from = after; from < Math.min(end, last); from = posts.at(-1)!.number) {
        const page = await fetchPosts(threadId, { after: from, limit: end - from, changes }, context)
        if (page.length === 0) break
        posts.push(...page)
      }
      return posts
    },
    staleTime: 30_000,
  })

/**
 * The posts of a thread that contain words.
 * @param changes number of the thread's changes other than new posts: a removed post must not stay
 */
export const findPostsQuery = (threadId: string, search: string, changes: number) =>
  infiniteQueryOptions({
    queryKey: [...postKeys.thread(threadId), 'find', search, changes],
    queryFn: (context) => {
      const parameters = new URLSearchParams({ search })
      if (context.pageParam > 0) parameters.set('after', String(context.pageParam))
      return apiGet<FoundPosts>(threadPartApi(threadId, 'posts/search', parameters, changes), context)
    },
    initialPageParam: 0,
    getNextPageParam: (page) => page.next,
    staleTime: 30_000,
    gcTime: 60_000,
  })

/**
 * Drops the posts cached for other windows and popovers after a post was changed, removed or
 * restored, because they may be outdated. Popovers and dialogs on screen fetch theirs again.
 */
export function forgetOtherPosts(client: QueryClient, threadId: string): void {
  client.removeQueries({ queryKey: postKeys.thread(threadId), type: 'inactive' })
  void client.invalidateQueries({ queryKey: postKeys.spans(threadId) })
  void client.invalidateQueries({ queryKey: answersQuery(threadId).queryKey })
}

/**
 * `message` is the reason for a refusal, ready to be displayed; `trip` that of a name with a key,
 * without ◆.
 */
type NicknameAnswer = AnswerOf<typeof checkNicknameCall>

/** The answer sets the cookie by which the server recognises this browser. */
export const checkNickname = (threadId: string, nickname: string): Promise<NicknameAnswer> =>
  apiSend<NicknameAnswer>('POST', `${threadApi(threadId)}/checkNickname`, { nickname })

export interface OutgoingPost {
  readonly content: string
  /** With the key of a tripcode. */
  readonly name: string
  readonly clientPostId: string
  readonly image: File | null
  /** Does not lift the thread. */
  readonly sage: boolean
  /** Posts with the staff seal. */
  readonly asStaff: boolean
}

/** A post without an answer for this long counts as unanswered: the posts after it wait for it. */
const POST_TIMEOUT_MS = 20_000

/**
 * The HTTP equivalent of the socket's newPost. Without a session it only fails: its composer may
 * have got an image meanwhile, which a log-in would lose, or has gone.
 * @param onProgress the share of an image that is sent, 0 to 1
 */
export function createPost(
  threadId: string,
  { content, name, clientPostId, image, asStaff, sage }: OutgoingPost,
  onProgress: (share: number) => void,
): Promise<Post | HeldAnswer> {
  const path = `${threadApi(threadId)}/posts`
  const input = { content, name, clientPostId, ...(asStaff && { asStaff }), ...(sage && { sage }) }
  if (image === null) {
    return apiSend<Post | HeldAnswer>('POST', path, input, { background: true, timeoutMs: POST_TIMEOUT_MS })
  }
  const form = new FormData()
  for (const [field, value] of Object.entries(input)) form.set(field, String(value))
  form.set('image', image, image.name)
  return apiUpload<Post | HeldAnswer>(path, form, { onProgress, background: true })
}

import type { AnswerOf } from '@shinobi/contract/common'
import type { likePost, listLikedPosts } from '@shinobi/contract/likes'
import { messages } from '@shinobi/contract/messages'
import { queryOptions } from '@tanstack/react-query'
import { apiGet, ApiError, apiSend } from '../../lib/api-client.ts'
import type { Likeable } from './like-marks.ts'

/**
 * Other tabs of this browser publish their changes (like-work.tsx); this max age is for other
 * devices.
 */
const STALE_MS = 60_000
const base = (threadId: string) => `/api/threads/${encodeURIComponent(threadId)}`

/**
 * What a member has liked: threads, or posts of one thread. Cached per member, so that no other
 * member sees it.
 */
export const likedQuery = (userId: string, threadId?: string) =>
  queryOptions({
    queryKey: ['liked', userId, threadId ?? 'threads'],
    queryFn: async (context) => {
      const path = threadId === undefined ? '/api/threads/liked' : `${base(threadId)}/posts/liked`
      return (await apiGet<AnswerOf<typeof listLikedPosts>>(path, context)).ids
    },
    staleTime: STALE_MS,
  })

/** Adds or removes a like. Resolves with the new count. */
export async function sendLike({ _id, threadId }: Likeable, liked: boolean): Promise<number> {
  const path = threadId === undefined ? base(_id) : `${base(threadId)}/posts/${encodeURIComponent(_id)}`
  const method = liked ? 'POST' : 'DELETE'
  // keepalive: a press right before the page is left counts as well.
  return (await apiSend<AnswerOf<typeof likePost>>(method, `${path}/like`, undefined, { keepalive: true })).likes
}

/**
 * The reason for a failure: the server's message, else a message of the page
 * (docs/product.md#likes).
 */
export function likeProblem(error: unknown, { threadId }: Likeable, liked: boolean): string {
  if (error instanceof ApiError && error.fromServer) return error.message
  if (threadId === undefined) return liked ? messages.thread_like_failed : messages.thread_unlike_failed
  return liked ? messages.post_like_failed : messages.post_unlike_failed
}

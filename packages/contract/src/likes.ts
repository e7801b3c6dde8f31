import { z } from 'zod'
import { answers, id, requires, type Call } from './common.ts'
import { postParams } from './posts.ts'
import { threadParams } from './threads.ts'

/**
 * Number of likes of the thread or post after the change. Likes are idempotent: liking twice counts
 * once.
 */
export const likesAnswer = z.object({ likes: z.number().int() })
/** Ids of what the logged-in user has liked. */
export const likedIds = z.object({ ids: z.array(id) })

const call = <const M extends Call['method'], const U extends string, T extends z.ZodType, P extends z.ZodType>(
  method: M,
  url: U,
  summary: string,
  params: P,
  success: T,
) =>
  ({
    ...requires('like'),
    method,
    url,
    schema: { summary, tags: ['likes'], params, response: answers(success) },
  }) as const

const none = z.object({})
export const listLikedThreads = call('GET', '/api/threads/liked', 'Threads the user has liked', none, likedIds)
export const listLikedPosts = call(
  'GET',
  '/api/threads/:threadId/posts/liked',
  'Posts of a thread the user has liked',
  threadParams,
  likedIds,
)
export const likeThread = call('POST', '/api/threads/:threadId/like', 'Like a thread', threadParams, likesAnswer)
export const unlikeThread = call(
  'DELETE',
  '/api/threads/:threadId/like',
  'Take the like of a thread back',
  threadParams,
  likesAnswer,
)
export const likePost = call(
  'POST',
  '/api/threads/:threadId/posts/:postId/like',
  'Like a post',
  postParams,
  likesAnswer,
)
export const unlikePost = call(
  'DELETE',
  '/api/threads/:threadId/posts/:postId/like',
  'Take the like of a post back',
  postParams,
  likesAnswer,
)

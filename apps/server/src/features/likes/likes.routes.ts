import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  likePost,
  likeThread,
  listLikedPosts,
  listLikedThreads,
  unlikePost,
  unlikeThread,
} from '@shinobi/contract/likes'
import type { App } from '../../http/fastify.ts'
import { memberOf } from '../../http/access-guard.ts'
import { refuse } from '../../lib/api-error.ts'
import { selectThreadState } from '../threads/threads.queries.ts'
import { selectLikedPosts, selectLikedThreads } from './liked-lists.queries.ts'
import { setLike, type LikesDeps } from './likes.service.ts'

export function registerLikes(app: App, deps: LikesDeps): void {
  const { db } = deps

  async function answer(
    request: FastifyRequest,
    reply: FastifyReply,
    { threadId, postId = null }: { threadId: string; postId?: string | null },
    liked: boolean,
  ): Promise<{ likes: number }> {
    const visitor = await deps.visitors.meet(request, reply)
    return { likes: await setLike(deps, visitor, { threadId, postId }, liked) }
  }

  app.route({
    ...listLikedThreads,
    handler: async (request) => ({ ids: await selectLikedThreads(db, memberOf(request).id) }),
  })

  app.route({
    ...listLikedPosts,
    handler: async (request) => {
      const { threadId } = request.params
      const ids = await selectLikedPosts(db, threadId, memberOf(request).id)
      // Most members like no post of a thread; only then is the thread's existence checked.
      if (ids.length === 0 && (await selectThreadState(db, threadId)) === undefined)
        throw refuse('not_found', 'thread_not_found')
      return { ids }
    },
  })

  app.route({ ...likeThread, handler: (request, reply) => answer(request, reply, request.params, true) })
  app.route({ ...unlikeThread, handler: (request, reply) => answer(request, reply, request.params, false) })
  app.route({ ...likePost, handler: (request, reply) => answer(request, reply, request.params, true) })
  app.route({ ...unlikePost, handler: (request, reply) => answer(request, reply, request.params, false) })
}

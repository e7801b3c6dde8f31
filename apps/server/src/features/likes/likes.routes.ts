import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  likePost,
  likeThread,
  listLikedPosts,
  listLikedThreads,
  unlikePost,
  unlikeThread,
} from '@shinobi/contract/likes'
import type { App, Deps } from '../../deps.ts'
import { memberOf } from '../../http/session.ts'
import { refuse } from '../../lib/api-error.ts'
import { selectThreadState } from '../threads/threads.queries.ts'
import { selectLikedPosts, selectLikedThreads } from './likes.queries.ts'
import { setLike } from './likes.service.ts'

export function registerLikes(app: App, deps: Deps): void {
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
      // Most threads hold no post that one has liked; only then is it asked whether there is such a thread.
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

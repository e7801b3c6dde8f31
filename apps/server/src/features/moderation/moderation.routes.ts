import { adminDeletePost, adminDeleteThread } from '@shinobi/contract/admin'
import {
  changeThread as changeThreadCall,
  restorePost as restorePostCall,
  restoreThread as restoreThreadCall,
} from '@shinobi/contract/moderation'
import type { App } from '../../http/fastify.ts'
import { moderatorOf } from '../../http/access-guard.ts'
import type { ModerationDeps } from './moderation.deps.ts'
import {
  changeThread,
  removePost,
  removeThread,
  restorePost,
  restoreThread,
  type SoughtPost,
} from './moderation.service.ts'

interface OfPost {
  readonly params: { readonly id: string }
  readonly query: { readonly threadId?: string | undefined }
}

const soughtBy = ({ params, query }: OfPost): SoughtPost => ({ postId: params.id, threadId: query.threadId })

export function registerModeration(app: App, deps: ModerationDeps): void {
  app.route({
    ...adminDeletePost,
    handler: async (request) => ({
      actionId: await removePost(deps, moderatorOf(request), soughtBy(request), request.query),
    }),
  })

  app.route({
    ...restorePostCall,
    handler: async (request) => ({ actionId: await restorePost(deps, moderatorOf(request), soughtBy(request)) }),
  })

  app.route({
    ...adminDeleteThread,
    handler: async (request) => ({
      actionId: await removeThread(deps, moderatorOf(request), request.params.id, request.query),
    }),
  })

  app.route({
    ...restoreThreadCall,
    handler: async (request) => ({ actionId: await restoreThread(deps, moderatorOf(request), request.params.id) }),
  })

  app.route({
    ...changeThreadCall,
    handler: async (request) => {
      const { reason, ...change } = request.body
      return { actionId: await changeThread(deps, moderatorOf(request), request.params.id, change, reason) }
    },
  })
}

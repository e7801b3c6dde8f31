import { actAsOwner, takeBackAsOwner } from '@shinobi/contract/owners'
import type { App } from '../../http/fastify.ts'
import type { OwnersDeps } from './owners.deps.ts'
import { act, takeBack } from './owners.service.ts'

export function registerOwners(app: App, deps: OwnersDeps): void {
  app.route({
    ...actAsOwner,
    handler: async (request, reply) => {
      const visitor = await deps.visitors.recognise(request)
      return reply.code(201).send(await act(deps, visitor, request.params.threadId, request.body))
    },
  })

  app.route({
    ...takeBackAsOwner,
    handler: async (request) => {
      const { threadId, actionId } = request.params
      await takeBack(deps, await deps.visitors.recognise(request), { threadId, id: actionId })
      return {}
    },
  })
}

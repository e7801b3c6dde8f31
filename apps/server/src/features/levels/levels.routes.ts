import { claimPhrase, getScroll, joinScrolls, makePhrase, revokePhrase } from '@shinobi/contract/scroll'
import type { App } from '../../http/fastify.ts'
import { memberOf } from '../../http/access-guard.ts'
import type { LevelsDeps } from './levels.deps.ts'
import * as scrolls from './scroll.service.ts'

export function registerLevels(app: App, deps: LevelsDeps): void {
  const { visitors } = deps

  app.route({
    ...getScroll,
    handler: async (request, reply) => {
      reply.header('cache-control', 'no-store')
      return scrolls.readScroll(deps, await visitors.recognise(request))
    },
  })

  app.route({
    ...makePhrase,
    handler: async (request) => {
      const { phrase, endsAt } = await scrolls.makePhrase(deps, await visitors.recognise(request))
      return { phrase, endsAt: endsAt.toISOString() }
    },
  })

  app.route({
    ...revokePhrase,
    handler: async (request) => {
      await scrolls.revokePhrase(deps, await visitors.recognise(request))
      return {}
    },
  })

  app.route({
    ...claimPhrase,
    handler: async (request, reply) => {
      const visitor = await visitors.meet(request, reply)
      await scrolls.claimPhrase(deps, visitor, request.body.phrase)
      return scrolls.readScroll(deps, visitor)
    },
  })

  app.route({
    ...joinScrolls,
    handler: async (request, reply) => {
      const visitor = { ...(await visitors.meet(request, reply)), member: memberOf(request) }
      await scrolls.joinScrolls(deps, visitor)
      return scrolls.readScroll(deps, visitor)
    },
  })
}

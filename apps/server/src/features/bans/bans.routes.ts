import { createBan, liftBan as liftBanCall, listBans, previewBan as previewBanCall } from '@shinobi/contract/bans'
import type { App } from '../../http/fastify.ts'
import { moderatorOf } from '../../http/access-guard.ts'
import { toPage } from '../../lib/page.ts'
import { createBans, liftBan, previewBan } from './banning.service.ts'
import type { BansDeps } from './bans.deps.ts'
import { selectBans } from './bans.queries.ts'
import { toBan } from './bans.view.ts'

export function registerBans(app: App, deps: BansDeps): void {
  const { db, now } = deps

  app.route({
    ...listBans,
    handler: async (request) => {
      const { standing, cursor = null, limit } = request.query
      const moderator = moderatorOf(request)
      const { scope } = moderator
      const rows = await selectBans(db, { standing, scope, cursor, limit: limit + 1, at: new Date(now()) })
      const { page, next } = toPage(rows, limit)
      return { bans: page.map((row) => toBan(row, moderator)), next }
    },
  })

  app.route({
    ...previewBanCall,
    handler: (request) => previewBan(deps, moderatorOf(request), request.body.target),
  })

  app.route({
    ...createBan,
    handler: async (request, reply) => {
      const bans = await createBans(deps, moderatorOf(request), request.body)
      return reply.code(201).send({ bans })
    },
  })

  app.route({
    ...liftBanCall,
    handler: async (request) => {
      await liftBan(deps, moderatorOf(request), request.params.banId)
      return {}
    },
  })
}

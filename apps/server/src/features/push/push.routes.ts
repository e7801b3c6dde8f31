import { dropPush, getPush, registerPush, testPush } from '@shinobi/contract/push'
import type { App } from '../../http/fastify.ts'
import type { PushDeps } from './push.deps.ts'

/** These calls know no visitor: nothing may tie a registration to a cookie or an account. */
export function registerPushRoutes(app: App, { push, visitors }: PushDeps): void {
  app.route({ ...getPush, config: { cache: { maxStaleMs: 0 } }, handler: async () => ({ key: push.key }) })

  app.route({
    ...registerPush,
    handler: async (request) => {
      await push.register(request.body, visitors.hashAddress(request))
      return {}
    },
  })

  app.route({
    ...dropPush,
    handler: async (request) => {
      await push.drop(request.body.token)
      return {}
    },
  })

  app.route({
    ...testPush,
    handler: async (request) => {
      await push.sendTest(request.body.token, visitors.hashAddress(request))
      return {}
    },
  })
}

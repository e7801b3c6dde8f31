import { confirmSecondFactor, dropSecondFactor, getSecondFactor, setUpSecondFactor } from '@shinobi/contract/accounts'
import type { App } from '../../http/fastify.ts'
import { memberOf } from '../../http/access-guard.ts'
import { addressPrefix } from '../../http/visitor.ts'
import type { AccountsDeps } from './accounts.deps.ts'
import { rememberDevice } from './known-device.ts'
import * as secondFactor from './second-factor.service.ts'

export function registerSecondFactor(app: App, deps: AccountsDeps): void {
  app.route({ ...getSecondFactor, handler: (request) => secondFactor.readSecondFactor(deps, memberOf(request)) })

  app.route({
    ...setUpSecondFactor,
    handler: (request) =>
      secondFactor.setUpSecondFactor(deps, memberOf(request), request.body.currentPassword, addressPrefix(request.ip)),
  })

  app.route({
    ...confirmSecondFactor,
    handler: async (request, reply) => {
      const member = memberOf(request)
      const recoveryCodes = await secondFactor.confirmSecondFactor(deps, member, request.body.code)
      rememberDevice(deps, reply, { userId: member.id, withCode: true })
      return { recoveryCodes }
    },
  })

  app.route({
    ...dropSecondFactor,
    handler: async (request) => {
      await secondFactor.dropSecondFactor(deps, memberOf(request), request.body, addressPrefix(request.ip))
      return {}
    },
  })
}

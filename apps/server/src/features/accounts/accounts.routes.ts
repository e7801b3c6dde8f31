import { google, login, logout, prepareGoogle, refresh, register, verify } from '@shinobi/contract/accounts'
import { messages } from '@shinobi/contract/messages'
import type { App } from '../../http/fastify.ts'
import { memberOf } from '../../http/access-guard.ts'
import { addressPrefix } from '../../http/visitor.ts'
import { ApiError, refuse } from '../../lib/api-error.ts'
import type { AccountsDeps } from './accounts.deps.ts'
import { checkLogin } from './accounts.service.ts'
import { prepareNonce } from './google-nonce.ts'
import { codedDevice } from './known-device.ts'
import { logInWithGoogle, type GoogleLogin } from './google.service.ts'
import { registerPasswords } from './passwords.routes.ts'
import { registerMember } from './register.service.ts'
import { registerSecondFactor } from './second-factor.routes.ts'
import { requireCode } from './second-factor.service.ts'
import { registerSessions } from './sessions.routes.ts'
import { closeSession, openSession, renewSession } from './sessions.service.ts'
import { toUser } from './users.view.ts'

const GOOGLE_MESSAGES: Readonly<Record<GoogleLogin['outcome'], string>> = {
  known: messages.google_login_succeeded,
  joined: messages.google_login_succeeded,
  created: messages.google_register_succeeded,
}

export function registerAccounts(app: App, deps: AccountsDeps): void {
  const { sessions } = deps

  app.route({
    ...login,
    handler: async (request, reply) => {
      const row = await checkLogin(deps, request, request.body)
      const withCode = await requireCode(deps, deps.db, {
        userId: row.id,
        typed: request.body.code,
        address: addressPrefix(request.ip),
        device: codedDevice(deps, request, row.id),
      })
      const user = toUser(await openSession(deps, request, reply, { ...row, withCode }))
      return { ...user, user }
    },
  })

  app.route({
    ...register,
    handler: async (request, reply) => {
      const row = await registerMember(deps, request.body, addressPrefix(request.ip))
      const member = await openSession(deps, request, reply, { ...row, withCode: false })
      reply.code(201)
      return { message: messages.register_succeeded, user: toUser(member) }
    },
  })

  app.route({
    ...prepareGoogle,
    handler: async (request, reply) => {
      if (deps.verifyGoogleToken === null) throw refuse('unavailable', 'google_unavailable')
      return { nonce: prepareNonce(deps, request, reply) }
    },
  })

  app.route({
    ...google,
    handler: async (request, reply) => {
      const { outcome, row, withCode } = await logInWithGoogle(deps, request, request.body)
      const member = await openSession(deps, request, reply, { id: row.id, passwordHash: null, withCode })
      return { message: GOOGLE_MESSAGES[outcome], user: toUser(member) }
    },
  })

  app.route({ ...verify, handler: async (request) => ({ user: toUser(memberOf(request)) }) })

  app.route({
    ...refresh,
    handler: async (request, reply) => {
      try {
        await renewSession(deps, request, reply)
      } catch (error) {
        // The browser should not send an invalid refresh token again.
        if (error instanceof ApiError && error.code === 'unauthorized') sessions.clear(reply)
        throw error
      }
      return {}
    },
  })

  app.route({
    ...logout,
    handler: async (request, reply) => {
      await closeSession(deps, request, reply)
      return {}
    },
  })

  registerSessions(app, deps)
  registerPasswords(app, deps)
  registerSecondFactor(app, deps)
}

import {
  changeEmail,
  changePassword,
  forgotPassword,
  resetPassword,
  sendVerification,
  verifyEmail,
} from '@shinobi/contract/accounts'
import { messages } from '@shinobi/contract/messages'
import type { App } from '../../http/fastify.ts'
import { memberOf } from '../../http/access-guard.ts'
import { addressPrefix } from '../../http/visitor.ts'
import type { AccountsDeps } from './accounts.deps.ts'
import * as emails from './email.service.ts'
import * as passwords from './passwords.service.ts'

const VERIFICATION_MESSAGES = {
  sent: messages.email_verification_sent,
  waiting: messages.email_verification_waiting,
  verified: messages.email_verified,
} as const

export function registerPasswords(app: App, deps: AccountsDeps): void {
  app.route({
    ...changePassword,
    handler: async (request) => {
      await passwords.changePassword(deps, memberOf(request), request.body, addressPrefix(request.ip))
      return { message: messages.password_changed }
    },
  })

  app.route({
    ...forgotPassword,
    handler: async (request) => {
      await passwords.requestReset(deps, request.body.email, addressPrefix(request.ip))
      return { message: messages.password_reset_sent }
    },
  })

  app.route({
    ...resetPassword,
    handler: async (request) => {
      const { token, password } = request.body
      await passwords.resetPassword(deps, token, password, addressPrefix(request.ip))
      return { message: messages.password_reset_done }
    },
  })

  app.route({
    ...changeEmail,
    handler: async (request) => {
      await emails.changeEmail(deps, memberOf(request), request.body, addressPrefix(request.ip))
      return { message: deps.mails === null ? messages.email_changed : messages.email_changed_unverified }
    },
  })

  app.route({
    ...sendVerification,
    handler: async (request) => {
      const outcome = await emails.sendVerification(deps, memberOf(request).id, addressPrefix(request.ip))
      return { message: VERIFICATION_MESSAGES[outcome] }
    },
  })

  app.route({
    ...verifyEmail,
    handler: async (request) => {
      await emails.verifyEmail(deps, request.body.token)
      return { message: messages.email_verified }
    },
  })
}

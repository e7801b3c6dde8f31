/**
 * Binds a Google sign-in to the browser that began it. The browser keeps a secret, and Google
 * writes its hash into the ID token: a token stolen from a log or another site is useless without
 * the browser.
 */
import type {} from '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Core } from '../../core.ts'
import { hostCookie } from '../../http/session.ts'
import { createToken, hashToken } from '../../lib/secret-token.ts'

/** As long as Google's tokens are valid; each visit to a screen with the button renews it. */
const MAX_AGE_S = 3_600

type NonceDeps = Pick<Core, 'config'>

const isSecure = ({ config }: NonceDeps): boolean => config.publicUrl.startsWith('https://')
const cookieName = (deps: NonceDeps): string => hostCookie('google', isSecure(deps))

function readSecret(deps: NonceDeps, request: FastifyRequest): string | null {
  const cookie = request.cookies[cookieName(deps)]
  return cookie === undefined ? null : request.unsignCookie(cookie).value
}

/**
 * The nonce for this browser, which keeps its secret in a cookie. Two tabs share one, so that
 * neither invalidates the other's.
 */
export function prepareNonce(deps: NonceDeps, request: FastifyRequest, reply: FastifyReply): string {
  const secret = readSecret(deps, request) ?? createToken()
  reply.setCookie(cookieName(deps), secret, {
    httpOnly: true,
    sameSite: 'lax',
    secure: isSecure(deps),
    path: '/',
    signed: true,
    maxAge: MAX_AGE_S,
  })
  return hashToken(secret)
}

/**
 * The nonce that a token from this browser must contain; null where none was prepared: then the
 * token must contain none.
 */
export function expectedNonce(deps: NonceDeps, request: FastifyRequest): string | null {
  const secret = readSecret(deps, request)
  return secret === null ? null : hashToken(secret)
}

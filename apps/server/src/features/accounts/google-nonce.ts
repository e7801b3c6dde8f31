/**
 * Binds a Google sign-in to the browser that began it. The browser keeps a secret, Google writes the hash of it into the ID token:
 * whoever comes by a token, off a log or another site, has no browser to use it in.
 */
import type {} from '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../../deps.ts'
import { hostCookie } from '../../http/session.ts'
import { createToken, hashToken } from '../../lib/secret-token.ts'

/** As long as Google's tokens hold; each visit to a screen with the button begins it anew. */
const MAX_AGE_S = 3_600

type NonceDeps = Pick<Deps, 'config'>

const isSecure = ({ config }: NonceDeps): boolean => config.publicUrl.startsWith('https://')
const cookieName = (deps: NonceDeps): string => hostCookie('google', isSecure(deps))

function readSecret(deps: NonceDeps, request: FastifyRequest): string | null {
  const cookie = request.cookies[cookieName(deps)]
  return cookie === undefined ? null : request.unsignCookie(cookie).value
}

/** The nonce for this browser, which keeps what it is made of. Two tabs have the same one, so that neither spoils the other's. */
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

/** What a token that this browser brings must hold; null where none was prepared, and none may be in it. */
export function expectedNonce(deps: NonceDeps, request: FastifyRequest): string | null {
  const secret = readSecret(deps, request)
  return secret === null ? null : hashToken(secret)
}

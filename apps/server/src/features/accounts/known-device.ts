/**
 * Browsers in which a member has logged in before. Whoever guesses passwords from everywhere makes the account's limit full, and would
 * lock its holder out with it: in a browser that is known the tries are counted apart.
 */
import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import type {} from '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../../deps.ts'
import { hostCookie } from '../../http/session.ts'

/** The longest that browsers keep a cookie. */
const MAX_AGE_S = 400 * 86_400

type DeviceDeps = Pick<Deps, 'secret' | 'config'>

/** Tells nobody whose browser it is. */
const markOf = ({ secret }: DeviceDeps, userId: string, device: string): Buffer =>
  createHmac('sha256', secret).update(`device ${userId} ${device}`).digest()
const isSecure = ({ config }: DeviceDeps): boolean => config.publicUrl.startsWith('https://')

/** Begins the name of a browser in which a code of the second factor was right. */
const CODED = 'coded-'

/** Makes the browser a known one of a member. It knows one member, the last one. @param withCode a code of the second factor was right */
export function rememberDevice(
  deps: DeviceDeps,
  reply: FastifyReply,
  { userId, withCode }: { readonly userId: string; readonly withCode: boolean },
): void {
  const device = (withCode ? CODED : '') + randomUUID()
  const secure = isSecure(deps)
  reply.setCookie(hostCookie('device', secure), `${device}.${markOf(deps, userId, device).toString('base64url')}`, {
    httpOnly: true,
    sameSite: 'lax',
    secure,
    path: '/',
    maxAge: MAX_AGE_S,
  })
}

const readCookie = (deps: DeviceDeps, { cookies }: FastifyRequest): string | undefined =>
  cookies[hostCookie('device', isSecure(deps))]

/** Whether the browser says that somebody has logged in with it before. */
export const claimsDevice = (deps: DeviceDeps, request: FastifyRequest): boolean =>
  readCookie(deps, request) !== undefined

/** The browser, where the member has logged in with it before; null for any other. */
export function knownDevice(deps: DeviceDeps, request: FastifyRequest, userId: string): string | null {
  const [device = '', mark = ''] = (readCookie(deps, request) ?? '').split('.')
  const expected = markOf(deps, userId, device)
  const given = Buffer.from(mark, 'base64url')
  return given.length === expected.length && timingSafeEqual(given, expected) ? device : null
}

/**
 * The same where a code was right as well. With the password alone somebody could have gathered known browsers before the second
 * factor was set up, each with tries of its own.
 */
export function codedDevice(deps: DeviceDeps, request: FastifyRequest, userId: string): string | null {
  const device = knownDevice(deps, request, userId)
  return device?.startsWith(CODED) === true ? device : null
}

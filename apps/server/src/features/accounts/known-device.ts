/**
 * Browsers in which a member has logged in before. Distributed guessing of passwords uses up the
 * account's limit, which would lock out its holder too: attempts from a known browser are counted
 * separately.
 */
import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import type {} from '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Core } from '../../core.ts'
import { hostCookie } from '../../http/session.ts'

/** The maximum age of cookies in browsers. */
const MAX_AGE_S = 400 * 86_400

type DeviceDeps = Pick<Core, 'secret' | 'config'>

/** A keyed hash, which does not reveal whose browser it is. */
const markOf = ({ secret }: DeviceDeps, userId: string, device: string): Buffer =>
  createHmac('sha256', secret).update(`device ${userId} ${device}`).digest()
const isSecure = ({ config }: DeviceDeps): boolean => config.publicUrl.startsWith('https://')

/** Prefix of the id of a browser in which a code of the second factor was right. */
const CODED = 'coded-'

/**
 * Makes the browser a known one of a member. A browser stores one member, the last one.
 * @param withCode a code of the second factor was right
 */
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

/** Whether the browser presents a device cookie, of any member. */
export const claimsDevice = (deps: DeviceDeps, request: FastifyRequest): boolean =>
  readCookie(deps, request) !== undefined

/** The browser's id, where the member has logged in with it before; null for any other. */
export function knownDevice(deps: DeviceDeps, request: FastifyRequest, userId: string): string | null {
  const [device = '', mark = ''] = (readCookie(deps, request) ?? '').split('.')
  const expected = markOf(deps, userId, device)
  const given = Buffer.from(mark, 'base64url')
  return given.length === expected.length && timingSafeEqual(given, expected) ? device : null
}

/**
 * The same for a browser in which a code was right as well. With the password alone, an attacker
 * could have collected known browsers before the second factor was set up, each with its own
 * attempts.
 */
export function codedDevice(deps: DeviceDeps, request: FastifyRequest, userId: string): string | null {
  const device = knownDevice(deps, request, userId)
  return device?.startsWith(CODED) === true ? device : null
}

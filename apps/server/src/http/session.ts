/**
 * Sessions. A 15-minute access JWT and a rotating 30-day refresh token are in httpOnly cookies; a
 * third cookie, readable by scripts, only shows that there is a session, so that a page without one
 * never requests a renewal. An access token is valid only while its session is in the database:
 * ending a session ends it everywhere at once.
 */
import { createHmac } from 'node:crypto'
import type {} from '@fastify/cookie'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { jwtVerify, SignJWT } from 'jose'
import type { Actor } from '@shinobi/contract/permissions'
import { refuse } from '../lib/api-error.ts'
import type { StoredImage } from '../db/tables.ts'
import { UUID } from '../lib/uuid.ts'

/** The user of a session, read from the database for every request. */
export interface Member extends Actor {
  readonly id: string
  readonly name: string
  readonly picture: StoredImage | null
  readonly sessionId: string
}

const BEARER = 'Bearer '

/**
 * Whether a request has a bearer token. The cookies of such a request are ignored, because its
 * origin was not checked.
 */
export const hasBearer = ({ authorization }: FastifyRequest['headers']): boolean =>
  authorization?.startsWith(BEARER) === true

/** Whether the browser has the cookie that shows a session; the session may have ended since. */
export const hasSessionHint = ({ cookies }: Pick<FastifyRequest, 'cookies'>): boolean =>
  cookies[HINT_COOKIE] !== undefined

/** The tokens that a browser gets at log-in and at each renewal. */
export interface SessionTokens {
  readonly sessionId: string
  readonly userId: string
  readonly refreshToken: string
}

export interface Sessions {
  /**
   * The member who sends the request, or null for a visitor.
   * @throws ApiError unauthorized for a session that has expired, has ended or is forged
   */
  identify(request: Pick<FastifyRequest, 'headers' | 'cookies'>): Promise<Member | null>
  /**
   * Reads the member of a session from the database.
   * @throws ApiError unauthorized when the session has ended or expired
   */
  loadMember(sessionId: string): Promise<Member>
  /** Sets the cookies of a session. */
  issue(reply: FastifyReply, tokens: SessionTokens): Promise<void>
  /** Deletes the cookies of a session. */
  clear(reply: FastifyReply): void
  /**
   * Session id and refresh token of the cookie; null without one, when its signature is invalid, or
   * when the request has a bearer token.
   */
  readRefresh(request: FastifyRequest): { readonly sessionId: string; readonly refreshToken: string } | null
}

export const ACCESS_SECONDS = 15 * 60
export const REFRESH_DAYS = 30
const REFRESH_SECONDS = REFRESH_DAYS * 86_400

/**
 * Readable by scripts and without a secret: it shows that this browser has a session. Without it
 * the other cookies are ignored.
 */
const HINT_COOKIE = 'session'
/**
 * Only calls about the session get the refresh token, where a cookie may have a path (see
 * hostCookie).
 */
const REFRESH_PATH = '/auth'
const ISSUER = 'shinobi-ita'

export interface SessionOptions {
  readonly secret: string
  readonly secure: boolean
  readonly now: () => number
  /** The member of a session that has neither ended nor expired. */
  readonly findMember: (sessionId: string) => Promise<Member | undefined>
}

const expired = () => refuse('unauthorized', 'session_expired')

/**
 * The name of a cookie that only this host can set. On https browsers enforce this for the prefix,
 * if the cookie is secure and its path is /. Otherwise a page of a neighbouring host, or one
 * without https, could make a visitor act in another user's session.
 */
export const hostCookie = (name: string, secure: boolean): string => (secure ? `__Host-${name}` : name)

export function createSessions(app: FastifyInstance, { secret, secure, now, findMember }: SessionOptions): Sessions {
  const key = createHmac('sha256', secret).update('access token').digest()
  const accessCookie = hostCookie('access', secure)
  const refreshCookie = hostCookie('refresh', secure)
  const shared = { httpOnly: true, sameSite: 'lax', secure, path: '/' } as const
  const ofRefresh = { ...shared, path: secure ? '/' : REFRESH_PATH }
  const ofHint = { ...shared, httpOnly: false }

  async function readToken(token: string): Promise<string> {
    try {
      const currentDate = new Date(now())
      const { payload } = await jwtVerify(token, key, { algorithms: ['HS256'], issuer: ISSUER, currentDate })
      return String(payload['sid'])
    } catch {
      throw expired()
    }
  }

  async function loadMember(sessionId: string): Promise<Member> {
    const member = UUID.test(sessionId) ? await findMember(sessionId) : undefined
    if (member === undefined) throw expired()
    return member
  }

  return {
    loadMember,
    async identify({ headers, cookies }) {
      if (hasBearer(headers)) return loadMember(await readToken(headers.authorization!.slice(BEARER.length)))
      // A browser that logged out while the server was unreachable has deleted this cookie, the
      // only one that its scripts can delete.
      if (!hasSessionHint({ cookies })) return null
      const access = cookies[accessCookie]
      // A client that presents a session without an access token gets 401, never an anonymous
      // answer.
      if (access === undefined) throw expired()
      return loadMember(await readToken(access))
    },
    async issue(reply, { sessionId, userId, refreshToken }) {
      const at = Math.floor(now() / 1_000)
      const access = await new SignJWT({ sid: sessionId })
        .setProtectedHeader({ alg: 'HS256' })
        .setIssuer(ISSUER)
        .setSubject(userId)
        .setIssuedAt(at)
        .setExpirationTime(at + ACCESS_SECONDS)
        .sign(key)
      reply.setCookie(accessCookie, access, { ...shared, maxAge: ACCESS_SECONDS })
      reply.setCookie(refreshCookie, `${sessionId}.${refreshToken}`, {
        ...ofRefresh,
        signed: true,
        maxAge: REFRESH_SECONDS,
      })
      reply.setCookie(HINT_COOKIE, '1', { ...ofHint, maxAge: REFRESH_SECONDS })
    },
    clear(reply) {
      reply.clearCookie(accessCookie, shared)
      reply.clearCookie(refreshCookie, ofRefresh)
      reply.clearCookie(HINT_COOKIE, ofHint)
    },
    readRefresh(request) {
      const cookie = hasBearer(request.headers) ? undefined : request.cookies[refreshCookie]
      const unsigned = cookie === undefined ? null : app.unsignCookie(cookie)
      const parts = unsigned?.valid === true ? unsigned.value.split('.') : []
      const [sessionId, refreshToken] = parts
      if (sessionId === undefined || refreshToken === undefined || !UUID.test(sessionId)) return null
      return { sessionId, refreshToken }
    },
  }
}

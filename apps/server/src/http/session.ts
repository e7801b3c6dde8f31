/**
 * Who is logged in. A 15-minute access JWT and a rotating 30-day refresh token travel in httpOnly cookies; a third cookie that
 * scripts may read says only that there is a session, so that nobody without one is ever asked to renew it.
 * An access token counts only while its session is in the database: ending a session ends it everywhere at once.
 */
import { createHmac } from 'node:crypto'
import type {} from '@fastify/cookie'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { jwtVerify, SignJWT } from 'jose'
import type { Access } from '@shinobi/contract/common'
import { refuse } from '../lib/api-error.ts'
import type { StoredImage } from '../lib/image-store.ts'
import { UUID } from '../lib/uuid.ts'

/** A user as the session finds them, fresh from the database at every request. */
export interface Member {
  readonly id: string
  readonly name: string
  readonly email: string | null
  readonly picture: StoredImage | null
  readonly isAdmin: boolean
  /** Categories moderated: all, some by id, or null for a member who moderates none. Ask `scopeOf`, which knows administrators too. */
  readonly moderates: Scope | null
  /** Runs the board, but has to set up a second factor before anything of the administration opens. */
  readonly secondFactorMissing: boolean
  readonly sessionId: string
}

/** What part of the board somebody moderates: all of it, or categories by id. */
export type Scope = 'all' | readonly string[]

/** Without a mail address nobody runs the board (docs/product.md#people). */
export const runsBoard = ({ isAdmin, email }: Pick<Member, 'isAdmin' | 'email'>): boolean => isAdmin && email !== null

/** Null for who moderates nothing. */
export function scopeOf(member: Pick<Member, 'isAdmin' | 'email' | 'moderates'>): Scope | null {
  if (runsBoard(member)) return 'all'
  return member.email === null || member.moderates?.length === 0 ? null : member.moderates
}

/** Whether somebody moderates a place; the whole board where no category is given. */
export function moderatesIn(member: Parameters<typeof scopeOf>[0], categoryId: string | null): boolean {
  const scope = scopeOf(member)
  return scope === 'all' || (scope !== null && categoryId !== null && scope.includes(categoryId))
}

/** Whom nobody acts on but who stands above them: members, moderators of some categories, of the whole board, administrators. */
export function rankOf(member: Parameters<typeof scopeOf>[0]): number {
  if (member.isAdmin) return 3
  const scope = scopeOf(member)
  return scope === null ? 0 : scope === 'all' ? 2 : 1
}

/** A member on a route with `access: 'moderator'` or `'admin'`. */
export interface Moderator extends Member {
  /** @see requireScope for the one place where it is enforced */
  readonly scope: Scope
}

/** The one place where a moderator's categories are enforced. @throws ApiError forbidden */
export function requireScope({ scope }: Pick<Moderator, 'scope'>, categoryId: string): void {
  if (scope !== 'all' && !scope.includes(categoryId)) throw refuse('forbidden', 'out_of_scope')
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Who may call; checked here, before the body is read. */
    access?: Access
  }
  interface FastifyRequest {
    /** The member who asks, on routes with `access`; null elsewhere. */
    member: Member | null
  }
}

const BEARER = 'Bearer '

/** Whether a request brings a token of its own. Such a token stands alone: the cookies beside it were not checked for their origin. */
export const hasBearer = ({ authorization }: FastifyRequest['headers']): boolean =>
  authorization?.startsWith(BEARER) === true

/** Whether the browser says that it has a session; it may have ended since. */
export const hasSessionHint = ({ cookies }: Pick<FastifyRequest, 'cookies'>): boolean =>
  cookies[HINT_COOKIE] !== undefined

/** What a browser gets at log-in and at each renewal. */
export interface SessionTokens {
  readonly sessionId: string
  readonly userId: string
  readonly refreshToken: string
}

export interface Sessions {
  /** Whoever asks: a member, or null for a visitor. @throws ApiError unauthorized for a session that has expired, ended or is forged */
  identify(request: Pick<FastifyRequest, 'headers' | 'cookies'>): Promise<Member | null>
  /** The member of a session that was identified before. @throws ApiError unauthorized when the session has ended since */
  recall(sessionId: string): Promise<Member>
  /** Gives the browser its cookies. */
  issue(reply: FastifyReply, tokens: SessionTokens): Promise<void>
  /** Takes them away. */
  clear(reply: FastifyReply): void
  /** Session and refresh token of the cookie; null without one, when we never issued it, or beside a bearer token. */
  readRefresh(request: FastifyRequest): { readonly sessionId: string; readonly refreshToken: string } | null
}

export const ACCESS_SECONDS = 15 * 60
export const REFRESH_DAYS = 30
const REFRESH_SECONDS = REFRESH_DAYS * 86_400

/** Readable by scripts, and worth nothing by itself: "this browser has a session". Without it the others do not count. */
const HINT_COOKIE = 'session'
/** Only the session's own calls are sent the refresh token, where a cookie may be bound to a path (see hostCookie). */
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
 * The name of a cookie that nobody but this very host can have set. On https the prefix makes browsers see to that, if the cookie
 * is secure and its path is /; else a page of a neighbouring host, or one without https, could have a visitor act in somebody
 * else's session.
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

  async function recall(sessionId: string): Promise<Member> {
    const member = UUID.test(sessionId) ? await findMember(sessionId) : undefined
    if (member === undefined) throw expired()
    return member
  }

  return {
    recall,
    async identify({ headers, cookies }) {
      if (hasBearer(headers)) return recall(await readToken(headers.authorization!.slice(BEARER.length)))
      // A browser that logged out while we could not be reached has taken the hint away, and nothing else was in its power.
      if (!hasSessionHint({ cookies })) return null
      const access = cookies[accessCookie]
      // Nobody who believes to be logged in shall act as a stranger.
      if (access === undefined) throw expired()
      return recall(await readToken(access))
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

/** The one place where a route's `access` is enforced: before the body is read, and before any handler runs. */
export function guardAccess(app: FastifyInstance, sessions: Sessions): void {
  app.decorateRequest('member', null)
  app.addHook('onRequest', async (request, reply) => {
    const { access } = request.routeOptions.config
    if (access === undefined) return
    reply.header('cache-control', 'no-store')
    const member = await sessions.identify(request)
    if (member === null) throw refuse('unauthorized', 'unauthorized')
    if (access === 'admin' && !runsBoard(member)) throw refuse('forbidden', 'forbidden')
    if (access === 'moderator' && scopeOf(member) === null) throw refuse('forbidden', 'forbidden')
    if (access !== 'member' && member.secondFactorMissing)
      throw refuse('second_factor_missing', 'second_factor_missing')
    request.member = member
  })
}

/** The member of a route whose `access` lets nobody else through. */
export function memberOf(request: FastifyRequest): Member {
  if (request.member === null) throw new Error('memberOf() needs a route with config.access')
  return request.member
}

/** The same on a route for moderators, with the part of the board that is theirs. */
export function moderatorOf(request: FastifyRequest): Moderator {
  const member = memberOf(request)
  const scope = scopeOf(member)
  if (scope === null) throw new Error("moderatorOf() needs a route with access: 'moderator'")
  return { ...member, scope }
}

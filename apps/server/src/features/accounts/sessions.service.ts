/**
 * A session is a family of refresh tokens of which only the newest is valid. Reuse of an earlier
 * token ends the family, as one of its two holders has stolen it. The only exception is a
 * repetition of the same attempt, whose answer was lost.
 */
import { createHmac } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Core } from '../../core.ts'
import { hasSessionHint, REFRESH_DAYS, type Member } from '../../http/session.ts'
import { ApiError, refuse } from '../../lib/api-error.ts'
import { createToken, hashToken } from '../../lib/secret-token.ts'
import { uuidv7 } from '../../lib/uuid.ts'
import type { AccountsDeps } from './accounts.deps.ts'
import { describeDevice } from './describe-device.ts'
import { rememberDevice } from './known-device.ts'
import { selectSecondFactor } from './second-factor.queries.ts'
import {
  deleteSession,
  deleteSessions,
  deleteSurplusSessions,
  insertSession,
  rotateSession,
  selectSession,
  type WhichSessions,
} from './sessions.queries.ts'

const expiry = (now: number): Date => new Date(now + REFRESH_DAYS * 86_400_000)

/**
 * Logs a user in: creates a session, and sets its cookies. The browser's earlier session ends, and
 * beyond the maximum the least recently used one.
 * @param user `passwordHash` is the one that the password was compared with, null after another
 * kind of log-in; `withCode`: whether a code of the second factor was right
 * @throws ApiError bad_credentials when the user is gone, or the password was changed meanwhile;
 * code_required when a second factor was set up meanwhile
 */
export async function openSession(
  deps: AccountsDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  user: { readonly id: string; readonly passwordHash: string | null; readonly withCode: boolean },
): Promise<Member> {
  const { db, now, sessions, live } = deps
  const id = uuidv7(now())
  const refreshToken = createToken()
  const isOpen = await insertSession(db, {
    id,
    userId: user.id,
    tokenHash: hashToken(refreshToken),
    device: describeDevice(request.headers['user-agent']),
    at: new Date(now()),
    expiresAt: expiry(now()),
    passwordHash: user.passwordHash,
  })
  if (!isOpen) throw refuse('bad_credentials', 'login_failed')
  if (!user.withCode && (await selectSecondFactor(db, user.id))?.confirmedAt != null) {
    await deleteSession(db, id)
    throw refuse('code_required', 'code_required')
  }
  live.endSessions(await deleteSurplusSessions(db, user.id))
  const before = sessions.readRefresh(request)
  if (before !== null) {
    await deleteSession(db, before.sessionId)
    live.endSessions([before.sessionId])
  }
  await sessions.issue(reply, { sessionId: id, userId: user.id, refreshToken })
  rememberDevice(deps, reply, { userId: user.id, withCode: user.withCode })
  return sessions.loadMember(id)
}

/**
 * Renews the session of the refresh cookie.
 * @throws ApiError unauthorized without one, and for a token that is not the newest: then the
 * session ends; too_many_requests
 */
export async function renewSession(deps: AccountsDeps, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { db, now, sessions, live, secret, accountLimits } = deps
  const presented = hasSessionHint(request) ? sessions.readRefresh(request) : null
  const session = presented === null ? undefined : await selectSession(db, presented.sessionId, new Date(now()))
  if (presented === null || session === undefined) throw refuse('unauthorized', 'session_expired')
  const { id, userId } = session
  await accountLimits.renewals.take(id)
  const from = hashToken(presented.refreshToken)
  const key = request.headers['idempotency-key']
  const attempt = typeof key === 'string' && key.length <= 100 ? key : null
  // The next token is derived from the token and the attempt, so a repetition gets the same one
  // without it being stored.
  const next =
    attempt === null
      ? createToken()
      : createHmac('sha256', secret).update(`refresh ${id} ${presented.refreshToken} ${attempt}`).digest('base64url')
  const at = new Date(now())
  const rotated = await rotateSession(db, { id, from, to: hashToken(next), attempt, at, expiresAt: expiry(now()) })
  if (!rotated) {
    const current = await selectSession(db, id, at)
    const isRepeated = attempt !== null && current?.previousHash === from && current.tokenHash === hashToken(next)
    if (!isRepeated) {
      await deleteSession(db, id)
      live.endSessions([id])
      throw refuse('unauthorized', 'session_expired')
    }
  }
  await sessions.issue(reply, { sessionId: id, userId, refreshToken: next })
}

/**
 * Logs the browser out, if its session can be determined. The browser keeps its cookies until the
 * session has ended: a log-out that failed because the database was unreachable is repeated later,
 * which needs the token.
 */
export async function closeSession(deps: AccountsDeps, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { db, live, sessions } = deps
  const id = sessions.readRefresh(request)?.sessionId ?? (await findSession(sessions, request))
  if (id !== null) {
    await deleteSession(db, id)
    live.endSessions([id])
  }
  sessions.clear(reply)
}

/**
 * The session of a request without a refresh token, such as a program with a bearer token; null
 * when it has ended.
 */
async function findSession(sessions: Core['sessions'], request: FastifyRequest): Promise<string | null> {
  try {
    return (await sessions.identify(request))?.sessionId ?? null
  } catch (error) {
    if (error instanceof ApiError && error.code === 'unauthorized') return null
    throw error
  }
}

/** Ends sessions of a user, and closes their sockets. @returns how many were open */
export async function endSessions(
  { db, live }: Pick<Core, 'db' | 'live'>,
  userId: string,
  which: WhichSessions = {},
): Promise<number> {
  const ended = await deleteSessions(db, userId, which)
  live.endSessions(ended)
  return ended.length
}

/**
 * Who may make a call: a route names its action, and members without the right to it are refused
 * before the body is read. Who has which right is one table, in
 * packages/contract/src/permissions.ts.
 */
import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify'
import { may, objectionTo, scopeOf, type Action, type Scope } from '@shinobi/contract/permissions'
import { refuse } from '../lib/api-error.ts'
import { SAFE_METHODS } from './origins.ts'
import type { Member, Sessions } from './session.ts'

/** A member on a route whose action is for moderators or administrators. */
export interface Moderator extends Member {
  /** The part of the board that lists are narrowed to. */
  readonly scope: Scope
}

/**
 * Services call it to check that a moderator may act in a category. The route has checked the
 * moderator's rank, so only the category can be a reason to refuse.
 * @param categoryId null for the whole board
 * @throws ApiError forbidden
 */
export function requirePermission(moderator: Moderator, action: Action, categoryId: string | null = null): void {
  if (!may(moderator, action, categoryId)) throw refuse('forbidden', 'out_of_scope')
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The action of the call; the member's right to it is checked before the body is read. */
    action?: Action
  }
  interface FastifyRequest {
    /** The member who sends the request, on routes with an `action`; null elsewhere. */
    member: Member | null
  }
}

/**
 * Calls that change something and need no action, each with its reason. Any other route that
 * changes something, or is under /api/admin, must name one.
 */
export const OPEN_TO_ALL: Readonly<Record<string, string>> = {
  'POST /auth/register': 'makes the account',
  'POST /auth/login': 'begins the session',
  'POST /auth/google/nonce': 'the same with a Google account',
  'POST /auth/google': 'the second half of it',
  'POST /auth/refresh': 'reads the refresh token itself, as the session has expired',
  'POST /auth/logout': 'must succeed without a session, too',
  'POST /auth/password/forgot': 'for members who cannot log in',
  'POST /auth/password/reset': 'the token of the mail identifies the member',
  'POST /auth/email/verify': 'the token of the mail identifies the member',
  'POST /api/threads': 'visitors write without an account',
  'POST /api/threads/:threadId/posts': 'the same',
  'DELETE /api/threads/:threadId/posts/:postId': 'a visitor deletes an own post',
  'POST /api/threads/:threadId/owner-actions': 'a visitor looks after an own thread',
  'DELETE /api/threads/:threadId/owner-actions/:actionId': 'the same, taken back',
  'DELETE /api/held/:heldId': 'the same, while it waits for a moderator',
  'POST /api/threads/:threadId/checkNickname': 'a visitor chooses a name before writing',
  'POST /api/threads/:threadId/posts/:postId/report': 'visitors report without an account',
  'POST /api/proofs/challenge': 'the automatic check before the first post of a visitor',
  'POST /api/proofs': 'the second half of it',
  'PUT /api/push/registration': 'a browser registers for notices, under a token of its own',
  'POST /api/push/drop': 'the token identifies the registration',
  'POST /api/push/test': 'the same',
  'POST /api/scroll/phrase': 'the level of a browser needs no account',
  'DELETE /api/scroll/phrase': 'the same',
  'POST /api/scroll/claim': 'the same, on the other browser',
  'POST /api/proofs/code': 'takes the proof of a browser to a browser of 2ch',
  'POST /test/bbs.cgi': 'visitors write with browsers of 2ch',
}

/** @throws Error for a route that would be open to everybody by mistake */
function requireAction({ method, url, config }: RouteOptions): void {
  if (config?.action !== undefined) return
  const isAdministration = url === '/api/admin' || url.startsWith('/api/admin/')
  for (const one of [method].flat()) {
    const name = `${one} ${url}`
    const isOpen = !isAdministration && (SAFE_METHODS.has(one) || name in OPEN_TO_ALL)
    if (!isOpen) throw new Error(`${name} needs an action: add requires(…) to its call, or a reason to OPEN_TO_ALL`)
  }
}

/**
 * Refuses members who may not perform a route's action in any category, before the body is read.
 * The service checks the category. A route that needs an action but names none ends the start.
 */
export function guardAccess(app: FastifyInstance, sessions: Pick<Sessions, 'identify'>): void {
  app.addHook('onRoute', requireAction)
  app.decorateRequest('member', null)
  app.addHook('onRequest', async (request, reply) => {
    const { action } = request.routeOptions.config
    if (action === undefined) return
    reply.header('cache-control', 'no-store')
    const member = await sessions.identify(request)
    const objection = objectionTo(member, action)
    if (objection !== null) throw refuse(objection, objection)
    request.member = member
  })
}

/** The member who sends the request, on a route whose action is not open to everybody. */
export function memberOf(request: FastifyRequest): Member {
  if (request.member === null) throw new Error('memberOf() needs a route with config.action')
  return request.member
}

/**
 * The moderator who sends the request, with the moderator's part of the board, on a route for
 * moderators.
 */
export function moderatorOf(request: FastifyRequest): Moderator {
  const member = memberOf(request)
  const scope = scopeOf(member)
  if (scope === null) throw new Error('moderatorOf() needs a route whose action is for moderators')
  return { ...member, scope }
}

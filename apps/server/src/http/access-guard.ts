/**
 * Who may make a call: a route names its action, and members without the right to it are refused
 * before the body is read. Who has which right is one table, in
 * packages/contract/src/permissions.ts.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { may, objectionTo, scopeOf, type Action, type Scope } from '@shinobi/contract/permissions'
import { refuse } from '../lib/api-error.ts'
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
 * Refuses members who may not perform a route's action in any category, before the body is read.
 * The service checks the category.
 */
export function guardAccess(app: FastifyInstance, sessions: Sessions): void {
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

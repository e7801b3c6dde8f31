import type { FastifyRequest } from 'fastify'
import { memberOf } from '../../http/access-guard.ts'
import type { Member } from '../../http/session.ts'
import { refuse } from '../../lib/api-error.ts'

/**
 * The member who sends the request, if the page means that one: a tab may not know yet that
 * somebody else has logged in, and what one keeps must not get into the account of another.
 * @throws ApiError forbidden
 */
export function meantMember(request: FastifyRequest, meant: string | undefined): Member {
  const member = memberOf(request)
  if (meant !== undefined && meant !== member.id) throw refuse('forbidden', 'forbidden')
  return member
}

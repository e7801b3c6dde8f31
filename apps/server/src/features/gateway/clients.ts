/**
 * Who writes with a browser of 2ch. Some of them send cookies over plain http, so the gateway has a
 * cookie of its own, which opens nothing else: neither a session nor the visitor of the web.
 */
import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Visitor, Visitors } from '../../http/visitor.ts'

export interface Clients {
  /** The visitor of a client that has its cookie; null for a client that has none yet. */
  recognise(request: FastifyRequest): Visitor | null
  /** Sets the cookie of a client, a new one for one that has none. */
  remember(reply: FastifyReply, visitor: Visitor | null): void
}

const COOKIE = 'client'
const MAX_AGE_S = 400 * 86_400
/** A UUID without its hyphens, and its signature: clients cut values at = and ". */
const VALUE = /^([0-9a-f]{32})([0-9a-f]{32})$/

export function createClients(secret: string, visitors: Pick<Visitors, 'hashAddress'>): Clients {
  const key = createHmac('sha256', secret).update('clients of the gateway').digest()
  const sign = (id: string): string => createHmac('sha256', key).update(id).digest('hex').slice(0, 32)

  function readId(value: string | undefined): string | null {
    const [, id, signature] = VALUE.exec(value ?? '') ?? []
    if (id === undefined || signature === undefined) return null
    if (!timingSafeEqual(Buffer.from(sign(id)), Buffer.from(signature))) return null
    return `${id.slice(0, 8)}-${id.slice(8, 12)}-${id.slice(12, 16)}-${id.slice(16, 20)}-${id.slice(20)}`
  }

  return {
    recognise(request) {
      const visitorId = readId(request.cookies[COOKIE])
      if (visitorId === null) return null
      const origin = { address: request.ip, agent: request.headers['user-agent'] ?? '' }
      return { member: null, visitorId, ...visitors.hashAddress(request), origin }
    },
    remember(reply, visitor) {
      const id = (visitor?.visitorId ?? randomUUID()).replaceAll('-', '')
      // Neither Secure nor SameSite: clients on plain http drop such cookies.
      reply.header('set-cookie', `${COOKIE}=${id}${sign(id)}; Path=/; HttpOnly; Max-Age=${MAX_AGE_S}`)
    },
  }
}

import type { FastifyInstance } from 'fastify'
import { refuse } from '../lib/api-error.ts'
import { createLru } from '../lib/lru.ts'
import { SAFE_METHODS } from './origins.ts'
import { isLoopback, sourceOf } from './visitor.ts'

/**
 * Writes of one source a second, and reads that no kept answer serves; and how many of each may come at once: the hundreds behind a
 * carrier's address after a pause of the line.
 */
const PER_SECOND = 200
const BURST = 1_500
const SOURCES_MAX = 20_000

/**
 * Turns a flood away before anything of it is read or looked up: each try that a later limit refuses has cost a hundred times as much by
 * then. Kept answers do not come here. Whoever is turned away has to connect anew.
 * @param now milliseconds of a clock that only goes forward
 */
export function guardFloods(app: FastifyInstance, now: () => number = () => performance.now()): void {
  const buckets = createLru<string, { left: number; filledAt: number }>(SOURCES_MAX)

  app.addHook('onRequest', async (request, reply) => {
    // From loopback comes the operator, or everybody, where a proxy was not made known (TRUST_PROXY). Pictures are files, fifty a page.
    if (isLoopback(request.ip) || request.url.startsWith('/images/')) return
    const source = `${SAFE_METHODS.has(request.method) ? 'reads' : 'writes'} ${sourceOf(request.ip)}`
    const at = now()
    const { left, filledAt } = buckets.get(source) ?? { left: BURST, filledAt: at }
    const filled = Math.min(BURST, left + ((at - filledAt) / 1_000) * PER_SECOND)
    buckets.set(source, { left: Math.max(0, filled - 1), filledAt: at })
    if (filled >= 1) return
    reply.header('connection', 'close')
    throw refuse('too_many_requests', 'too_many_requests')
  })
}

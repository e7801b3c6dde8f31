import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { Database } from '../db/client.ts'
import { VERSION } from '../version.ts'

/** Time-out of the database in /readyz. */
const READY_WITHIN_MS = 2_000

/**
 * /healthz: the process is alive, and its version. /readyz: it can serve, because the database
 * answers; `degraded` while workers of a cluster do not, whose threads get 503.
 */
export function registerHealth(
  app: FastifyInstance,
  { checking, workers }: Pick<Database, 'checking' | 'workers'>,
): void {
  const hide = { schema: { hide: true }, logLevel: 'warn' as const }
  app.get('/healthz', hide, async (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ status: 'ok', version: VERSION }),
  )
  app.get('/readyz', hide, async (_request, reply) => {
    reply.header('cache-control', 'no-store')
    const late = Promise.withResolvers<never>()
    const timer = setTimeout(() => late.reject(new Error('the database did not answer in time')), READY_WITHIN_MS)
    try {
      await Promise.race([sql`select 1`.execute(checking.db), late.promise])
      return workers.away === 0 ? { status: 'ready' } : { status: 'degraded', workersAway: workers.away }
    } catch {
      return reply.code(503).send({ status: 'database away' })
    } finally {
      clearTimeout(timer)
    }
  })
}

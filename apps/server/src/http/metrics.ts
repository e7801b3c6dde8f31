/**
 * /metrics: metrics in the text format of Prometheus, for clients with METRICS_TOKEN. Without a
 * configured token the address does not exist.
 */
import cluster from 'node:cluster'
import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics } from 'prom-client'
import { refuse } from '../lib/api-error.ts'
import { hashToken } from '../lib/secret-token.ts'
import type { Metrics } from '../telemetry/figures.ts'
import { addWorkerFigures, askForSum } from '../telemetry/workers.ts'

/**
 * Of several processes the worst counts. prom-client takes the average, or the sum: one process
 * that is blocked for seconds would disappear behind three that are idle.
 */
const IS_OF_WORST = /^(nodejs_eventloop_lag_(?!min)|process_(open|max)_fds$)/

export function registerMetrics(app: FastifyInstance, metrics: Metrics, token: string | null): void {
  if (token === null) return
  // Memory, processor, event loop and garbage collection, under the names that dashboards for
  // Node.js use.
  collectDefaultMetrics({ register: metrics })
  for (const metric of metrics.getMetricsAsArray()) if (IS_OF_WORST.test(metric.name)) metric.aggregator = 'max'
  addWorkerFigures(metrics, () => ({ answering: 1, silent: 0, replaced: { ended: 0, hung: 0, reload: 0 } }))
  const collect = cluster.isWorker ? askForSum(metrics) : () => metrics.metrics()
  const expected = Buffer.from(hashToken(`Bearer ${token}`))
  app.get('/metrics', { schema: { hide: true }, logLevel: 'warn' }, async ({ headers }, reply) => {
    reply.header('cache-control', 'no-store')
    // Hashes have one length, so the comparison does not reveal how much of the token was right.
    if (!timingSafeEqual(Buffer.from(hashToken(headers.authorization ?? '')), expected)) {
      throw refuse('not_found', 'not_found')
    }
    return reply.type(metrics.contentType).send(await collect())
  })
}

import { endTracing, listTracing, readTraces, startTracing } from '@shinobi/contract/moderation'
import type { App } from '../../http/fastify.ts'
import { memberOf } from '../../http/access-guard.ts'
import { selectIpLogging } from './ip-logging.queries.ts'
import { toIpLogEntry, toIpLoggingOrder } from './ip-logging.view.ts'
import { endIpLogging, readIpLog, startIpLogging, type IpLoggingDeps } from './orders.service.ts'

/** The API calls an order "tracing" and its entries "traces". */
export function registerIpLogging(app: App, deps: IpLoggingDeps): void {
  const { db, now } = deps

  app.route({
    ...listTracing,
    handler: async () => ({ orders: (await selectIpLogging(db, new Date(now()))).map(toIpLoggingOrder) }),
  })

  app.route({
    ...startTracing,
    handler: async (request) =>
      toIpLoggingOrder(await startIpLogging(deps, memberOf(request), request.params.id, request.body)),
  })

  app.route({
    ...endTracing,
    handler: async (request) => {
      await endIpLogging(deps, memberOf(request), request.params.id)
      return {}
    },
  })

  app.route({
    ...readTraces,
    handler: async (request) => {
      const entries = await readIpLog(deps, memberOf(request), request.params.id, request.body.reason)
      return { traces: entries.map(toIpLogEntry) }
    },
  })
}

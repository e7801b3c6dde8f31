import { endTracing, listTracing, readTraces, startTracing } from '@shinobi/contract/moderation'
import type { App, Deps } from '../../deps.ts'
import { memberOf } from '../../http/session.ts'
import { selectIpLogging } from './ip-logging.queries.ts'
import { toIpLogEntry, toIpLoggingOrder } from './ip-logging.view.ts'
import { endIpLogging, readIpLog, startIpLogging } from './orders.service.ts'

/** On the wire an order is called tracing, and what it gathered traces. */
export function registerIpLogging(app: App, deps: Deps): void {
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

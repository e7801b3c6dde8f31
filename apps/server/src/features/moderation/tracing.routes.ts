import {
  endTracing as endTracingCall,
  listTracing,
  readTraces as readTracesCall,
  startTracing as startTracingCall,
} from '@shinobi/contract/moderation'
import type { App, Deps } from '../../deps.ts'
import { memberOf } from '../../http/session.ts'
import { endTracing, readTraces, startTracing } from './trace-orders.service.ts'
import { selectOrders } from './tracing.queries.ts'
import { toTrace, toTraceOrder } from './tracing.view.ts'

export function registerTracing(app: App, deps: Deps): void {
  const { db, now } = deps

  app.route({
    ...listTracing,
    handler: async () => ({ orders: (await selectOrders(db, new Date(now()))).map(toTraceOrder) }),
  })

  app.route({
    ...startTracingCall,
    handler: async (request) =>
      toTraceOrder(await startTracing(deps, memberOf(request), request.params.id, request.body)),
  })

  app.route({
    ...endTracingCall,
    handler: async (request) => {
      await endTracing(deps, memberOf(request), request.params.id)
      return {}
    },
  })

  app.route({
    ...readTracesCall,
    handler: async (request) => {
      const traces = await readTraces(deps, memberOf(request), request.params.id, request.body.reason)
      return { traces: traces.map(toTrace) }
    },
  })
}

import { messages } from '@shinobi/contract/messages'
import { reportPost as reportPostCall } from '@shinobi/contract/reports'
import type { App } from '../../http/fastify.ts'
import type { ReportsDeps } from './reports.deps.ts'
import { reportPost } from './reports.service.ts'

export function registerReports(app: App, deps: ReportsDeps): void {
  app.route({
    ...reportPostCall,
    handler: async (request, reply) => {
      const visitor = await deps.visitors.meet(request, reply)
      await reportPost(deps, visitor, { ...request.params, ...request.body })
      return { message: messages.report_received }
    },
  })
}

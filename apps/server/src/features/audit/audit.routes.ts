import { listAudit, listPublicLog } from '@shinobi/contract/moderation'
import type { Core } from '../../core.ts'
import type { App } from '../../http/fastify.ts'
import { MAX_STALE_MS } from '../../http/response-cache.ts'
import { toPage } from '../../lib/page.ts'
import { selectAudit, selectPublicAudit } from './audit.queries.ts'
import { PUBLIC_LOG_TAG } from './audit.tags.ts'
import { toAuditEntry, toPublicLogEntry } from './audit.view.ts'

export function registerAudit(app: App, { db, now }: Core): void {
  app.route({
    ...listAudit,
    handler: async (request) => {
      const { cursor = null, limit } = request.query
      const rows = await selectAudit(db, cursor, limit + 1)
      const { page, next } = toPage(rows, limit)
      return { entries: page.map((row) => toAuditEntry(row, now())), next }
    },
  })

  app.route({
    ...listPublicLog,
    config: { cache: { maxStaleMs: MAX_STALE_MS } },
    handler: async (request, reply) => {
      request.tagAnswer(PUBLIC_LOG_TAG)
      const { cursor = null, limit } = request.query
      const rows = await selectPublicAudit(db, cursor, limit + 1)
      const { page, next } = toPage(rows, limit)
      if (next !== null) {
        const rest = new URLSearchParams({ limit: String(limit), cursor: next })
        reply.header('link', `</api/moderation-log?${rest}>; rel="next"`)
      }
      return page.map(toPublicLogEntry)
    },
  })
}

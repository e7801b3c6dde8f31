/** `/api/threads/:threadId/log.…`: a thread as a file, from its menu. */
import { getThreadLog, type LogForm } from '@shinobi/contract/logs'
import type { App } from '../../http/fastify.ts'
import { askerOf } from '../../http/visitor.ts'
import { refuse } from '../../lib/api-error.ts'
import { inSlices } from '../../lib/in-slices.ts'
import { selectThreadKeys } from '../threads/thread-keys.queries.ts'
import { threadTags } from '../threads/threads.tags.ts'
import { selectDatPosts, selectLoggedThread } from './dats.queries.ts'
import type { GatewayDeps } from './gateway.deps.ts'
import { LOG_WRITERS } from './thread-logs.ts'

const TYPES: Readonly<Record<LogForm, string>> = {
  dat: 'text/plain; charset=Shift_JIS',
  txt: 'text/plain; charset=utf-8',
  json: 'application/json; charset=utf-8',
}

export function registerThreadLogs(app: App, { dbFor, dats, config: { publicUrl } }: GatewayDeps): void {
  app.route({
    ...getThreadLog,
    config: { cache: { maxStaleMs: 0 } },
    handler: async (request, reply) => {
      const { threadId, form } = request.params
      request.tagAnswer(threadTags.thread(threadId), threadTags.tail(threadId))
      const source = dbFor(request)
      const thread = await selectLoggedThread(source, threadId)
      if (thread === undefined) throw refuse('not_found', 'thread_not_found')
      const key = (await selectThreadKeys(source, [threadId], thread.categoryId)).get(threadId) ?? null
      const parts = await dats.inTurn(async () => {
        const rows = await selectDatPosts(source, threadId, 0, thread.postCount)
        return inSlices(LOG_WRITERS[form](thread, rows, { key, publicUrl }))
      }, askerOf(request.ip))
      return reply
        .type(TYPES[form])
        .header('content-disposition', asFile(thread.title, `${key ?? threadId}.${form}`))
        .send(Buffer.concat(parts))
    },
  })
}

/** Characters that no system takes in the name of a file. */
const FORBIDDEN = /[\p{Cc}\p{Cf}/\\:*?"<>|]/gu
const NAME_MAX = 60

/**
 * The title as the name of the file (RFC 6266), and a name for programs that know no Japanese, and
 * for a title without a character that it may hold.
 * @param plain ends with a dot and the form
 */
function asFile(title: string, plain: string): string {
  const name = Array.from(title.replaceAll(FORBIDDEN, ' ').trim()).slice(0, NAME_MAX).join('')
  const encoded = encodeURIComponent(name === '' ? plain : name + plain.slice(plain.lastIndexOf('.'))).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16)}`,
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`
}

/** `/api/threads/:threadId/log.…`: a thread as a file, from its menu. */
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { getThreadLog, type LogForm } from '@shinobi/contract/logs'
import type { App } from '../../http/fastify.ts'
import { isHead, isNotModified } from '../../http/response-cache.ts'
import { askerOf } from '../../http/visitor.ts'
import { refuse } from '../../lib/api-error.ts'
import { VERSION } from '../../version.ts'
import { selectThreadKeys } from '../threads/thread-keys.queries.ts'
import { selectLogExtent, selectLoggedThread } from './dats.queries.ts'
import type { GatewayDeps } from './gateway.deps.ts'
import { createLogSender } from './thread-logs.service.ts'

const TYPES: Readonly<Record<LogForm, string>> = {
  dat: 'text/plain; charset=Shift_JIS',
  txt: 'text/plain; charset=utf-8',
  json: 'application/json; charset=utf-8',
}

/** Neither the board nor a shared cache stores one: it may have a hundred megabytes. */
const CACHING = { 'cache-control': 'private, no-cache' }

export function registerThreadLogs(app: App, { db, config: { publicUrl } }: GatewayDeps): void {
  const sender = createLogSender()

  app.route({
    ...getThreadLog,
    handler: async (request, reply) => {
      const { threadId, form } = request.params
      const thread = await selectLoggedThread(db, threadId)
      if (thread === undefined) throw refuse('not_found', 'thread_not_found')
      const key = (await selectThreadKeys(db, [threadId], thread.categoryId)).get(threadId) ?? null
      const context = { key, publicUrl }
      const extent = await selectLogExtent(db, threadId, thread.postCount)
      const etag = etagOf([VERSION, form, thread, context, extent])
      const headers = { ...CACHING, etag: `W/${etag}` }
      if (isNotModified(request.headers['if-none-match'], etag)) return reply.code(304).headers(headers).send()
      const named = {
        ...headers,
        'content-type': TYPES[form],
        'content-disposition': asFile(thread.title, `${key ?? threadId}.${form}`),
      }
      // Its length is unknown to HEAD as well.
      if (isHead(request.raw))
        return reply.headers({ ...named, 'transfer-encoding': 'chunked' }).send(Readable.from([]))
      const log = { source: db, thread, form, context }
      // Before the header fields, which a refusal must not have.
      const body = await sender.open(log, extent.bytes, askerOf(request.ip))
      return reply.headers(named).send(body)
    },
  })
}

/** Of what the file shows: its bytes are unknown before it is sent. */
const etagOf = (shown: unknown): string =>
  `"${createHash('sha256').update(JSON.stringify(shown)).digest('base64url').slice(0, 27)}"`

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

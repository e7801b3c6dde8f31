/**
 * /test/bbs.cgi: posts and threads written with browsers of 2ch, by the same services as the web's.
 */
import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { messages } from '@shinobi/contract/messages'
import { NAMELESS } from '@shinobi/contract/nameless'
import { postInput } from '@shinobi/contract/posts'
import { threadInput } from '@shinobi/contract/threads'
import { encodeCp932 } from '@shinobi/dat/cp932'
import type { App } from '../../http/fastify.ts'
import { refusalOf } from '../../http/errors.ts'
import type { Visitor } from '../../http/visitor.ts'
import { ApiError, refuse } from '../../lib/api-error.ts'
import { parseInput } from '../../lib/parse-input.ts'
import { selectCategory } from '../categories/categories.queries.ts'
import { writePost } from '../posts/posts.service.ts'
import { selectThreadOfKey } from '../threads/thread-keys.queries.ts'
import { openThread } from '../threads/threads.service.ts'
import { confirmPage, errorPage, writtenPage } from './client-answers.ts'
import { readClientForm } from './client-form.ts'
import { createClients } from './clients.ts'
import type { GatewayDeps } from './gateway.deps.ts'
import { BOARD_NAME } from './menus.ts'

const URL = '/test/bbs.cgi'
/** Beyond any post: 48,000 bytes of text with every byte escaped have 144,000. */
const BODY_LIMIT = 160 * 1024

type Fields = ReadonlyMap<string, string>

export function registerBbsCgi(app: App, deps: GatewayDeps): void {
  const { settings, db, shields, limits } = deps
  const clients = createClients(deps.secret, deps.visitors)

  const send = (reply: FastifyReply, html: string): FastifyReply =>
    reply.header('cache-control', 'no-store').type('text/html; charset=Shift_JIS').send(encodeCp932(html))

  // In a scope of its own: no other route reads such forms.
  void app.register(async (scope) => {
    const types = ['application/x-www-form-urlencoded', 'text/plain']
    scope.addContentTypeParser(types, { parseAs: 'buffer', bodyLimit: BODY_LIMIT }, (_request, body, done) =>
      done(null, body),
    )
    scope.route({
      method: 'POST',
      url: URL,
      config: { isForPrograms: true },
      schema: { hide: true },
      errorHandler: (error, request, reply) => {
        const { code, message } = refusalOf(error, request)
        const hint = code === 'proof_required' ? messages.client_proof(`${deps.config.publicUrl}/senbura`) : message
        void send(reply.code(200), errorPage(hint))
      },
      handler: answer,
    })
  })

  async function answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    if (!settings.current.gateway) throw refuse('not_found', 'not_found')
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
    const fields = readClientForm(body, request.headers['content-type'] ?? '')
    const visitor = clients.recognise(request)
    if (visitor === null) {
      // Clients take an answer with their first cookie for a question, and send the same again.
      clients.remember(reply, null)
      return send(reply, confirmPage(URL, fields))
    }
    const { mail, code } = splitMail(fields.get('mail') ?? '')
    const refusal = code === null ? null : await redeem(visitor, code)
    const note = await write(visitor, fields, mail).catch((error: unknown) => {
      throw refusal !== null && error instanceof ApiError && error.code === 'proof_required' ? refusal : error
    })
    clients.remember(reply, visitor)
    return send(reply, writtenPage(note))
  }

  /** @returns why the code is worth nothing, which matters only to a post that needs a proof */
  async function redeem(visitor: Visitor, code: string): Promise<ApiError | null> {
    // The code is in the form that is sent again, too: after an answer that was lost, or a refusal.
    if (await shields.proofs.hasProven(visitor.visitorId)) return null
    try {
      await limits.proofs.take(visitor)
      await shields.proofs.redeem(code, visitor.visitorId)
      return null
    } catch (error) {
      if (error instanceof ApiError) return error
      throw error
    }
  }

  /** @returns what its writer is told; '' for nothing */
  async function write(visitor: Visitor, fields: Fields, mail: string): Promise<string> {
    const board = fields.get('bbs') ?? ''
    const category = BOARD_NAME.test(board) ? await selectCategory(db, board) : undefined
    if (category === undefined || category.name !== board) throw refuse('bad_category', 'category_not_found')
    const name = (fields.get('FROM') ?? '').trim() || NAMELESS
    const content = fields.get('MESSAGE') ?? ''
    const key = fields.get('key') ?? ''
    if (key === '') {
      const input = parseInput(threadInput, {
        ...{ title: fields.get('subject') ?? '', content, category: category.id, nickname: name },
        clientThreadId: requestId(visitor, fields),
      })
      const outcome = await openThread(deps, visitor, input, null)
      return 'held' in outcome ? outcome.held.message : ''
    }
    const threadId = /^\d{1,10}$/.test(key) ? await selectThreadOfKey(db, category.id, Number(key)) : undefined
    if (threadId === undefined) throw refuse('not_found', 'thread_not_found')
    const input = parseInput(postInput, {
      ...{ content, name, sage: /sage/i.test(mail) },
      clientPostId: requestId(visitor, fields),
    })
    const outcome = await writePost(deps, visitor, threadId, input, null)
    return 'held' in outcome ? outcome.held.message : ''
  }
}

/** The mail field carries the code of a proof of work behind a #; it is never shown. */
function splitMail(mail: string): { mail: string; code: string | null } {
  const [before = '', code = ''] = mail.split(/[#＃]/, 2)
  return { mail: before.trim(), code: code.trim() === '' ? null : code.trim() }
}

/**
 * The id of a request, the same for the same form: clients send it again after a question, and
 * after an answer that was lost. `time` is that of the dat that they know, so what is written again
 * after reading on is another post.
 */
function requestId({ visitorId }: Visitor, fields: Fields): string | undefined {
  if (!fields.has('time')) return undefined
  const names = ['bbs', 'key', 'time', 'FROM', 'mail', 'subject', 'MESSAGE']
  const what = JSON.stringify([visitorId, ...names.map((name) => fields.get(name) ?? '')])
  const hex = createHash('sha256').update(what).digest('hex')
  // A UUID of version 8 (RFC 9562).
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

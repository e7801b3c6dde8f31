/**
 * What browsers of 2ch (専ブラ) read: menus, lists of threads, and threads as dats
 * (docs/product.md#browsers-of-2ch-専ブラ).
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { encodeCp932 } from '@shinobi/dat/cp932'
import { answerError, refusalOf } from '../../http/errors.ts'
import type { App } from '../../http/fastify.ts'
import { MAX_STALE_MS } from '../../http/response-cache.ts'
import { askerOf } from '../../http/visitor.ts'
import { refuse } from '../../lib/api-error.ts'
import { selectCategories, selectCategory, type CategoryRow } from '../categories/categories.queries.ts'
import { CATEGORIES_TAG } from '../categories/categories.tags.ts'
import { selectThreadKeys, selectThreadOfKey } from '../threads/thread-keys.queries.ts'
import { threadTags } from '../threads/threads.tags.ts'
import { subjectLine } from './dat-lines.ts'
import { selectDatThread, selectSubjects, type DatThread } from './dats.queries.ts'
import type { GatewayDeps } from './gateway.deps.ts'
import { BOARD_NAME, frontHtml, headTxt, menuHtml, menuJson, settingTxt } from './menus.ts'

/** All answers of the gateway: they end when it is switched off. */
const GATEWAY_TAG = 'gateway'

const TEXT = 'text/plain; charset=Shift_JIS'
const HTML = 'text/html; charset=Shift_JIS'

/** JDim takes an empty file for that of a board that has moved, and skips an empty line. */
const NO_SUBJECTS = Buffer.from('\n')

/**
 * Shared caches answer ranges by dates alone, and dates count seconds: a post that was written
 * within the second of the one before would be missed.
 */
const DAT_CACHING = { 'cache-control': 'private, no-cache' }

const boardParams = z.object({ board: z.string().regex(BOARD_NAME) })
/** A thread's key in the one way it is written: each address is an entry in the cache. */
const key = z
  .string()
  .regex(/^[1-9]\d{0,9}$/)
  .transform(Number)
const fileParams = boardParams.extend({ file: z.string().regex(/^[1-9]\d{0,9}\.dat$/) })
/** Past logs are in folders of the first four and five digits. */
const pastParams = fileParams
  .extend({ four: z.string(), five: z.string().optional() })
  .refine(({ file, four, five = file.slice(0, 5) }) => file.slice(0, 4) === four && file.slice(0, 5) === five)
const readParams = boardParams.extend({ key })

/**
 * The posts that read.cgi names: `5`, `5-`, `5-9`, `l50`, and the same with `n`, without post 1;
 * with other ones the thread is shown.
 */
const PLACES = /^(?:l[1-9]\d{0,8}|[1-9]\d{0,8}(?:-(?:[1-9]\d{0,8})?)?)n?$/

/** An address without a page: people are shown that, not the error of a call. */
const NO_PAGE = '/test/read.cgi'

/** Whether an address is a name with a slash behind it, which the router ignores otherwise. */
const FOLDER: Parameters<App['addConstraintStrategy']>[0] = {
  name: 'folder',
  storage: () => new Map(),
  deriveConstraint: ({ url }) => /^\/[^/?]+\/(?:\?|$)/.test(url ?? ''),
  validate: () => {},
  mustMatchWhenDerived: false,
}

export function registerGateway(app: App, deps: GatewayDeps): void {
  const { dbFor, settings, cache, dats } = deps
  const { publicUrl } = deps.config

  let isOn = settings.current.gateway
  settings.onChange(() => {
    if (settings.current.gateway === isOn) return
    isOn = settings.current.gateway
    cache.drop([GATEWAY_TAG], 'at once')
  })

  function requireGateway(request: FastifyRequest): void {
    request.tagAnswer(GATEWAY_TAG, CATEGORIES_TAG)
    if (!settings.current.gateway) throw refuse('not_found', 'not_found')
  }

  async function boardOf(request: FastifyRequest<{ Params: { board: string } }>): Promise<CategoryRow> {
    requireGateway(request)
    const category = await selectCategory(dbFor(request), request.params.board)
    if (category === undefined || category.name !== request.params.board) throw refuse('not_found', 'not_found')
    return category
  }

  async function boards(request: FastifyRequest): Promise<CategoryRow[]> {
    requireGateway(request)
    return (await selectCategories(dbFor(request))).filter(({ name }) => BOARD_NAME.test(name))
  }

  const send = (reply: FastifyReply, type: string, text: string): FastifyReply =>
    reply.type(type).send(encodeCp932(text))

  const get = { method: 'GET', schema: { hide: true } } as const
  const cached = { config: { cache: { maxStaleMs: MAX_STALE_MS } } } as const
  const ofBoard = { ...get, ...cached, schema: { hide: true, params: boardParams } } as const

  app.route({
    ...get,
    ...cached,
    url: '/bbsmenu.html',
    handler: async (request, reply) => send(reply, HTML, menuHtml(publicUrl, await boards(request))),
  })

  app.route({
    ...get,
    ...cached,
    url: '/bbsmenu.json',
    handler: async (request) => menuJson(publicUrl, await boards(request)),
  })

  app.route({
    ...ofBoard,
    url: '/:board/SETTING.TXT',
    handler: async (request, reply) => {
      request.tagAnswer(threadTags.limits)
      const category = await boardOf(request)
      return send(reply, TEXT, settingTxt(category, category.postLimit ?? settings.current.postLimit))
    },
  })

  app.route({
    ...ofBoard,
    url: '/:board/head.txt',
    handler: async (request, reply) => {
      await boardOf(request)
      return send(reply, HTML, headTxt(publicUrl))
    },
  })

  app.route({
    ...ofBoard,
    url: '/:board/subject.txt',
    handler: async (request, reply) => {
      const { id } = await boardOf(request)
      request.tagAnswer(threadTags.category(id))
      const threads = await selectSubjects(dbFor(request), id)
      const ids = threads.map((thread) => thread.id)
      const keys = await selectThreadKeys(dbFor(request), ids, id)
      const lines = threads.flatMap((thread) => {
        const key = keys.get(thread.id)
        return key === undefined ? [] : [subjectLine(thread, key)]
      })
      return reply.type(TEXT).send(lines.length === 0 ? NO_SUBJECTS : Buffer.concat(lines))
    },
  })

  /**
   * The thread of a key. Where there is none, that holds until the category gets a new thread.
   */
  async function threadOf(
    request: FastifyRequest<{ Params: { board: string } }>,
    key: number,
  ): Promise<{ thread: DatThread; category: CategoryRow }> {
    const category = await boardOf(request)
    request.tagAnswer(threadTags.category(category.id))
    const threadId = await selectThreadOfKey(dbFor(request), category.id, key)
    if (threadId === undefined) throw refuse('not_found', 'thread_not_found')
    request.tagAnswer(threadTags.thread(threadId), threadTags.tail(threadId))
    const thread = await selectDatThread(dbFor(request), threadId)
    if (thread === undefined) throw refuse('not_found', 'thread_not_found')
    request.untagAnswer(threadTags.category(category.id))
    return { thread, category }
  }

  async function answerDat(
    request: FastifyRequest<{ Params: { board: string; file: string } }>,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    const { thread, category } = await threadOf(request, Number.parseInt(request.params.file, 10))
    // It was moved: newer clients follow it, older ones take it for a past log.
    if (thread.categoryId !== category.id) return moved(request, reply, thread)
    const { body, lastModified } = await dats.inTurn(() => dats.read(dbFor(request), thread), askerOf(request.ip))
    return reply
      .type(TEXT)
      .headers({ ...DAT_CACHING, 'accept-ranges': 'bytes', 'last-modified': lastModified.toUTCString() })
      .send(body)
  }

  async function moved(request: FastifyRequest, reply: FastifyReply, thread: DatThread): Promise<FastifyReply> {
    const category = await selectCategory(dbFor(request), thread.categoryId)
    const keys = await selectThreadKeys(dbFor(request), [thread.id], thread.categoryId)
    const key = keys.get(thread.id)
    if (category === undefined || key === undefined || !BOARD_NAME.test(category.name))
      throw refuse('not_found', 'thread_not_found')
    return reply.redirect(`/${category.name}/dat/${key}.dat`)
  }

  for (const [url, params] of [
    ['/:board/dat/:file', fileParams],
    ['/:board/kako/:four/:file', pastParams],
    ['/:board/kako/:four/:five/:file', pastParams],
  ] as const) {
    app.route({
      ...get,
      url,
      // Each post is in it at once.
      config: { cache: { maxStaleMs: 0 } },
      schema: { hide: true, params },
      handler: answerDat,
    })
  }

  // Clients make the address of the dat of it; people are led to the page of the thread.
  for (const url of ['/test/read.cgi/:board/:key', '/test/read.cgi/:board/:key/:places']) {
    app.route({
      ...get,
      url,
      schema: { hide: true, params: readParams.extend({ places: z.string().optional() }) },
      handler: async (request, reply) => {
        const { id } = await boardOf(request)
        const { key, places = '' } = request.params
        const threadId = await selectThreadOfKey(dbFor(request), id, key)
        if (threadId === undefined) throw refuse('not_found', 'thread_not_found')
        // The page says what became of a removed one.
        return reply.redirect(`/thread/${threadId}${PLACES.test(places) ? `/${places}` : ''}`)
      },
      errorHandler: (error, request, reply) => {
        const refusal = refusalOf(error, request)
        void (refusal.status === 404 ? reply.redirect(NO_PAGE) : answerError(reply, refusal))
      },
    })
  }

  // Only with a slash at its end: /about and the like are pages.
  app.addConstraintStrategy(FOLDER)
  app.route({
    ...get,
    schema: { hide: true, params: z.object({ board: z.string() }) },
    // Not cached: the cache knows no slash at the end either.
    url: '/:board',
    constraints: { folder: true },
    handler: async (request, reply) => {
      // A page, whether or not there is a gateway.
      const categories = settings.current.gateway ? await boards(request) : []
      const { board } = request.params
      const category = categories.find(({ name }) => name === board)
      // Encoded, or a backslash would begin the address of another site.
      if (category === undefined)
        return reply.redirect(`/${encodeURIComponent(board)}${request.url.slice(request.url.indexOf('/', 1) + 1)}`)
      return send(reply, HTML, frontHtml(publicUrl, category))
    },
  })
}

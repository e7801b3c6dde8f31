import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  checkNickname,
  createThread,
  getThread,
  listCategoryThreads,
  listCategoryTrending,
  listThreads,
  listTrending,
  threadInput,
  type ThreadItem,
  type ThreadSort,
  type TrendingItem,
} from '@shinobi/contract/threads'
import { messages } from '@shinobi/contract/messages'
import type { App, Deps } from '../../deps.ts'
import { PATIENCE_MS } from '../../http/response-cache.ts'
import { withForm } from '../../http/uploads.ts'
import { askerOf } from '../../http/visitor.ts'
import { refuse } from '../../lib/api-error.ts'
import { parseInput } from '../../lib/parse-input.ts'
import { foldName } from '../../lib/fold.ts'
import { isReservedName } from '../accounts/reserved-names.ts'
import { isNameHeld } from '../accounts/user-names.queries.ts'
import { selectCategory } from '../categories/categories.queries.ts'
import { CATEGORIES_TAG } from '../categories/categories.tags.ts'
import { SEARCH_TAG } from '../search/search.indexer.ts'
import { readSearch } from '../search/search.terms.ts'
import { selectNicknameOwner } from './nicknames.queries.ts'
import { NEWEST, readCursor, writeCursor } from './threads.cursor.ts'
import { selectThreads, selectThreadState, selectThreadWithOpening, selectTrending } from './threads.queries.ts'
import { openThread } from './threads.service.ts'
import { threadTags } from './threads.tags.ts'
import { toThread, toThreadItem, toTrendingItem } from './threads.view.ts'
import { isNameless } from './writer-name.ts'

interface ListQuery {
  readonly limit: number
  readonly sort: ThreadSort
  readonly cursor?: string | undefined
  readonly search?: string | undefined
}

export function registerThreads(app: App, deps: Deps): void {
  const { db, dbFor, searchDbFor, searches } = deps

  async function answerList(
    request: FastifyRequest,
    reply: FastifyReply,
    categoryId: string | null,
    query: ListQuery,
  ): Promise<ThreadItem[]> {
    request.tagAnswer(categoryId === null ? threadTags.lists : threadTags.category(categoryId))
    const { limit, sort, search = '' } = query
    const cursor = query.cursor === undefined ? null : readCursor(query.cursor, sort)
    const terms = search === '' ? null : readSearch(search)
    if (terms !== null) request.tagAnswer(SEARCH_TAG)
    const pinnedFirst = sort === 'newest' && terms === null
    const listing = { categoryId, sort, terms, cursor, limit: limit + 1, pinnedFirst }
    const rows =
      terms === null
        ? await selectThreads(dbFor(request), listing)
        : await searches.run(askerOf(request.ip), () => selectThreads(searchDbFor(request), listing))
    if (rows.length > limit) {
      const last = rows[limit - 1]!
      const value = sort === 'popular' ? last.rankedPosts : sort === 'liked' ? last.rankedLikes : 0
      const next = new URLSearchParams({
        limit: String(limit),
        sort,
        // Pinned threads alone have filled the page: the list itself begins with the next one.
        cursor: writeCursor({ sort, value, id: last.isAbove === true ? NEWEST : last.id }),
      })
      if (search !== '') next.set('search', search)
      reply.header('link', `<${request.url.split('?')[0]}?${next}>; rel="next"`)
    }
    return rows.slice(0, limit).map(toThreadItem)
  }

  async function answerTrending(
    request: FastifyRequest,
    categoryId: string | null,
    { windowHours, limit }: { windowHours: number; limit: number },
  ): Promise<TrendingItem[]> {
    request.tagAnswer(categoryId === null ? threadTags.lists : threadTags.category(categoryId))
    const now = deps.now()
    const rows = await selectTrending(dbFor(request), { categoryId, since: now - windowHours * 3_600_000, limit })
    return rows.map((row) => toTrendingItem(row, now))
  }

  async function categoryIdOf(request: FastifyRequest, ref: string): Promise<string> {
    request.tagAnswer(CATEGORIES_TAG)
    const category = await selectCategory(dbFor(request), ref)
    if (category === undefined) throw refuse('not_found', 'category_not_found')
    return category.id
  }

  app.route({
    ...listThreads,
    config: { cache: { patience: PATIENCE_MS } },
    handler: async (request, reply) => answerList(request, reply, null, request.query),
  })

  app.route({
    ...listCategoryThreads,
    config: { cache: { patience: PATIENCE_MS } },
    handler: async (request, reply) =>
      answerList(request, reply, await categoryIdOf(request, request.params.categoryId), request.query),
  })

  app.route({
    ...listTrending,
    config: { cache: { patience: PATIENCE_MS } },
    handler: async (request) => answerTrending(request, null, request.query),
  })

  app.route({
    ...listCategoryTrending,
    config: { cache: { patience: PATIENCE_MS } },
    handler: async (request) =>
      answerTrending(request, await categoryIdOf(request, request.params.categoryId), request.query),
  })

  app.route({
    ...getThread,
    config: { cache: { patience: 0 } },
    handler: async (request) => {
      const { threadId } = request.params
      request.tagAnswer(threadTags.thread(threadId), threadTags.tail(threadId))
      const row = await selectThreadWithOpening(dbFor(request), threadId)
      if (row === undefined) throw refuse('not_found', 'thread_not_found')
      return toThread(row)
    },
  })

  app.route({
    ...createThread,
    handler: async (request, reply) => {
      const visitor = await deps.visitors.meet(request, reply)
      const outcome = await withForm(request, { file: 'image' }, async ({ fields, file }) =>
        openThread(deps, visitor, parseInput(threadInput, fields), file),
      )
      if ('held' in outcome) return reply.code(202).send(outcome)
      const id = outcome.threadId
      const row = await selectThreadWithOpening(db, id)
      if (row === undefined) throw refuse('not_found', 'thread_not_found')
      return reply.code(201).header('location', `/api/threads/${id}`).send(toThread(row))
    },
  })

  app.route({
    ...checkNickname,
    handler: async (request, reply) => {
      const { threadId } = request.params
      const { nickname } = request.body
      const visitor = await deps.visitors.meet(request, reply)
      await deps.limits.nicknameChecks.take(visitor)
      if ((await selectThreadState(db, threadId)) === undefined) throw refuse('not_found', 'thread_not_found')
      if (isNameless(nickname)) return { available: true, message: messages.nickname_available }
      if (isReservedName(nickname)) return { available: false, message: messages.nickname_taken }
      if (deps.words.isBanned(nickname)) return { available: false, message: messages.banned_word }
      const name = foldName(nickname)
      const owner = await selectNicknameOwner(db, threadId, name)
      const available =
        owner === undefined ? !(await isNameHeld(db, name, new Date(deps.now()))) : owner === visitor.visitorId
      return { available, message: available ? messages.nickname_available : messages.nickname_taken }
    },
  })
}

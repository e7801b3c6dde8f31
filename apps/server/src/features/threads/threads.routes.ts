import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  checkNickname as checkNicknameCall,
  createThread,
  getThread,
  listCategoryThreads,
  listCategoryTrending,
  listPositions,
  listThreads,
  listTrending,
  memberThreadInput,
  threadInput,
  type SearchMatch,
  type SearchPeriod,
  type ThreadItem,
  type ThreadSort,
} from '@shinobi/contract/threads'
import { messages } from '@shinobi/contract/messages'
import type { App } from '../../http/fastify.ts'
import { MAX_STALE_MS } from '../../http/response-cache.ts'
import { withForm } from '../../http/uploads.ts'
import { askerOf } from '../../http/visitor.ts'
import { refuse } from '../../lib/api-error.ts'
import { parseInput } from '../../lib/parse-input.ts'
import { selectCategory } from '../categories/categories.queries.ts'
import { CATEGORIES_TAG } from '../categories/categories.tags.ts'
import { findMatches } from '../search/matches.service.ts'
import { readFilter, type PostFilter } from '../search/search.filter.ts'
import { SEARCH_TAG } from '../search/search.indexer.ts'
import { readSearch, type SearchTerms } from '../search/search.terms.ts'
import { checkNickname } from './nicknames.service.ts'
import { selectLinks } from './next-threads.queries.ts'
import { readPastCursor, selectPastThreads, writePastCursor } from './past-threads.ts'
import { NEWEST, readCursor, writeCursor } from './threads.cursor.ts'
import type { ThreadsDeps } from './threads.deps.ts'
import {
  selectPositions,
  selectThreads,
  selectThreadWithOpening,
  selectTrending,
  speedRank,
  type ListedThreadRow,
  type ThreadListing,
  type ThreadRow,
} from './threads.queries.ts'
import { openThread } from './threads.service.ts'
import { threadTags } from './threads.tags.ts'
import { toPositions, toThread, toThreadItem } from './threads.view.ts'

interface ListQuery {
  readonly limit: number
  readonly sort: ThreadSort
  readonly cursor?: string | undefined
  readonly search?: string | undefined
  readonly within?: SearchPeriod | undefined
  readonly name?: string | undefined
  readonly image?: '1' | undefined
  readonly state?: 'past' | undefined
}

/** The filter of a search as it stands in the address. */
const filterFields = ({ within, name, image }: ListQuery): [field: string, value: string][] =>
  Object.entries({ within, name, image }).filter((entry): entry is [string, string] => Boolean(entry[1]))

/** The value that a list is sorted by, for the cursor after a row. */
function rankOf(row: ThreadRow, sort: ThreadSort, moment: number): number {
  switch (sort) {
    case 'popular':
      return row.rankedPosts
    case 'liked':
      return row.rankedLikes
    case 'active':
      return row.rankedPostAt.getTime()
    case 'speed':
      return speedRank(row, moment)
    default:
      return 0
  }
}

export function registerThreads(app: App, deps: ThreadsDeps): void {
  const { db, dbFor, searchDbFor, searches, settings, cache } = deps

  let shownLimit = settings.current.postLimit
  settings.onChange(() => {
    if (settings.current.postLimit === shownLimit) return
    shownLimit = settings.current.postLimit
    cache.drop([threadTags.limits], 'at once')
  })

  const toItem = (row: ThreadRow): ThreadItem => toThreadItem(row, settings.current.postLimit)

  async function answerList(
    request: FastifyRequest,
    reply: FastifyReply,
    categoryId: string | null,
    query: ListQuery,
  ): Promise<ThreadItem[]> {
    request.tagAnswer(threadTags.limits, categoryId === null ? threadTags.lists : threadTags.category(categoryId))
    if (query.state === 'past') return answerPast(request, reply, categoryId, query)
    const { limit, sort, search = '' } = query
    const cursor = query.cursor === undefined ? null : readCursor(query.cursor, sort)
    const terms = search === '' ? null : readSearch(search)
    if (terms !== null) request.tagAnswer(SEARCH_TAG)
    const pinnedFirst = sort === 'newest' && terms === null
    const now = deps.now()
    const filter = terms === null ? null : readFilter(query, now)
    const listing = { categoryId, sort, terms, filter, cursor, limit: limit + 1, now, pinnedFirst }
    const { rows, matches } =
      terms === null
        ? { rows: await selectThreads(dbFor(request), listing), matches: null }
        : await searches.run(askerOf(request.ip), () => searchThreads(request, { ...listing, terms, filter }))
    if (rows.length > limit) {
      const last = rows[limit - 1]!
      const moment = sort === 'speed' ? (cursor?.moment ?? now) : undefined
      const next = new URLSearchParams({
        limit: String(limit),
        sort,
        // A page that is filled by pinned threads is followed by the first thread of the list
        // itself.
        cursor: writeCursor({
          sort,
          value: rankOf(last, sort, moment ?? now),
          moment,
          id: last.isAbove === true ? NEWEST : last.id,
        }),
      })
      if (search !== '') next.set('search', search)
      for (const [field, value] of filterFields(query)) next.set(field, value)
      reply.header('link', `<${request.url.split('?')[0]}?${next}>; rel="next"`)
    }
    return rows.slice(0, limit).map((row) => toThreadItem(row, settings.current.postLimit, matches?.get(row.id)))
  }

  /** Threads that match the words, and why. */
  async function searchThreads(
    request: FastifyRequest,
    listing: ThreadListing & { readonly terms: SearchTerms; readonly filter: PostFilter | null },
  ): Promise<{ rows: ListedThreadRow[]; matches: ReadonlyMap<string, SearchMatch> }> {
    const startedAt = performance.now()
    const rows = await selectThreads(searchDbFor(request), listing)
    // A change of their posts changes what is quoted.
    request.tagAnswer(...rows.map(({ id }) => threadTags.thread(id)))
    const matches = await findMatches(searchDbFor(request), listing.terms, listing.filter, rows, startedAt)
    return { rows, matches }
  }

  async function answerPast(
    request: FastifyRequest,
    reply: FastifyReply,
    categoryId: string | null,
    { limit, cursor: after }: ListQuery,
  ): Promise<ThreadItem[]> {
    const cursor = after === undefined ? null : readPastCursor(after)
    const rows = await selectPastThreads(dbFor(request), { categoryId, cursor, limit: limit + 1 })
    if (rows.length > limit) {
      const next = new URLSearchParams({
        state: 'past',
        limit: String(limit),
        cursor: writePastCursor(rows[limit - 1]!),
      })
      reply.header('link', `<${request.url.split('?')[0]}?${next}>; rel="next"`)
    }
    return rows.slice(0, limit).map(toItem)
  }

  async function answerTrending(
    request: FastifyRequest,
    categoryId: string | null,
    { windowHours, limit }: { windowHours: number; limit: number },
  ): Promise<ThreadItem[]> {
    request.tagAnswer(threadTags.limits, categoryId === null ? threadTags.lists : threadTags.category(categoryId))
    const since = deps.now() - windowHours * 3_600_000
    // Without the heat: it would tell which posts of a thread are of one writer, or of one line.
    return (await selectTrending(dbFor(request), { categoryId, since, limit })).map(toItem)
  }

  async function categoryIdOf(request: FastifyRequest, ref: string): Promise<string> {
    request.tagAnswer(CATEGORIES_TAG)
    const category = await selectCategory(dbFor(request), ref)
    if (category === undefined) throw refuse('not_found', 'category_not_found')
    return category.id
  }

  app.route({
    ...listThreads,
    config: { cache: { maxStaleMs: MAX_STALE_MS } },
    handler: async (request, reply) => answerList(request, reply, null, request.query),
  })

  app.route({
    ...listCategoryThreads,
    config: { cache: { maxStaleMs: MAX_STALE_MS } },
    handler: async (request, reply) =>
      answerList(request, reply, await categoryIdOf(request, request.params.categoryId), request.query),
  })

  app.route({
    ...listTrending,
    config: { cache: { maxStaleMs: MAX_STALE_MS } },
    handler: async (request) => answerTrending(request, null, request.query),
  })

  app.route({
    ...listCategoryTrending,
    config: { cache: { maxStaleMs: MAX_STALE_MS } },
    handler: async (request) =>
      answerTrending(request, await categoryIdOf(request, request.params.categoryId), request.query),
  })

  app.route({
    ...listPositions,
    config: { cache: { maxStaleMs: MAX_STALE_MS } },
    handler: async (request) => {
      const { ids } = request.query
      for (const id of ids) request.tagAnswer(threadTags.thread(id), threadTags.tail(id))
      return ids.length === 0 ? [] : toPositions(ids, await selectPositions(dbFor(request), ids))
    },
  })

  app.route({
    ...getThread,
    config: { cache: { maxStaleMs: 0 } },
    handler: async (request) => {
      const { threadId } = request.params
      request.tagAnswer(threadTags.limits, threadTags.thread(threadId), threadTags.tail(threadId))
      const row = await selectThreadWithOpening(dbFor(request), threadId)
      if (row === undefined) throw refuse('not_found', 'thread_not_found')
      const { previousThreadId, nextThreadId } = row
      // A neighbour that is removed disappears from this answer too.
      if (previousThreadId !== null) request.tagAnswer(threadTags.thread(previousThreadId))
      if (nextThreadId !== null) request.tagAnswer(threadTags.thread(nextThreadId))
      return toThread(row, await selectLinks(dbFor(request), row), settings.current.postLimit)
    },
  })

  app.route({
    ...createThread,
    handler: async (request, reply) => {
      const visitor = await deps.visitors.meet(request, reply)
      const outcome = await withForm(request, deps.limits, { file: 'image' }, async ({ fields, file }) =>
        openThread(deps, visitor, parseInput(visitor.member === null ? threadInput : memberThreadInput, fields), file),
      )
      if ('held' in outcome) return reply.code(202).send(outcome)
      const id = outcome.threadId
      const row = await selectThreadWithOpening(db, id)
      if (row === undefined) throw refuse('not_found', 'thread_not_found')
      return reply
        .code(201)
        .header('location', `/api/threads/${id}`)
        .send(toThread(row, await selectLinks(db, row), settings.current.postLimit))
    },
  })

  app.route({
    ...checkNicknameCall,
    handler: async (request, reply) => {
      const { threadId } = request.params
      const { nickname } = request.body
      const visitor = await deps.visitors.meet(request, reply)
      await deps.limits.nicknameChecks.take(visitor)
      const { objection, trip } = await checkNickname(deps, visitor, threadId, nickname)
      const message = messages[objection ?? 'nickname_available']
      return { available: objection === null, message, ...(trip !== null && { trip }) }
    },
  })
}

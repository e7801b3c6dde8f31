import {
  createPost,
  deleteOwnPost,
  findPosts,
  listAnswers,
  listPosts,
  memberPostInput,
  postInput,
} from '@shinobi/contract/posts'
import { threadParams } from '@shinobi/contract/threads'
import type { App } from '../../http/fastify.ts'
import { MAX_STALE_MS } from '../../http/response-cache.ts'
import { withForm } from '../../http/uploads.ts'
import { askerOf } from '../../http/visitor.ts'
import { refuse } from '../../lib/api-error.ts'
import { createFairSemaphore } from '../../lib/fair-semaphore.ts'
import { parseInput } from '../../lib/parse-input.ts'
import { findInThread } from '../search/matches.service.ts'
import { SEARCH_TAG } from '../search/search.indexer.ts'
import { readSearch } from '../search/search.terms.ts'
import { selectThreadState } from '../threads/threads.queries.ts'
import { threadTags } from '../threads/threads.tags.ts'
import { readAnswers } from './answers.service.ts'
import type { PostsDeps } from './posts.deps.ts'
import { selectPageAfter, selectPageBefore } from './posts.queries.ts'
import { writePost } from './posts.service.ts'
import { toPost } from './posts.view.ts'
import { withdrawPost } from './withdrawals.service.ts'

/**
 * Posts of threads that are read at a time, and waiting requests. Encoding a page takes up to ten
 * milliseconds. A line that returns lets hundreds of clients behind one address ask at once, so
 * many may wait: they wait for each other only.
 */
const READS_AT_ONCE = 4
const READS_OF_ONE = 1
const READS_WAITING = 2_000
const READS_WAITING_OF_ONE = 400

export function registerPosts(app: App, deps: PostsDeps): void {
  const { dbFor, searchDbFor, searches } = deps
  const inTurn = createFairSemaphore({
    places: READS_AT_ONCE,
    placesOfOne: READS_OF_ONE,
    waitingMax: READS_WAITING,
    waitingMaxOfOne: READS_WAITING_OF_ONE,
  })

  app.route({
    ...listPosts,
    config: { cache: { maxStaleMs: 0 } },
    handler: async (request, reply) => {
      const { threadId } = request.params
      const { limit, after, before } = request.query
      request.tagAnswer(threadTags.thread(threadId), threadTags.tail(threadId))
      const source = dbFor(request)
      const backwards = after === undefined && before !== undefined
      const { posts, hasNext } = await inTurn(
        () =>
          backwards
            ? selectPageBefore(source, threadId, before, limit)
            : selectPageAfter(source, threadId, after ?? 0, limit),
        askerOf(request.ip),
      )
      // Every thread has a post 1, so only for an empty page it must be checked that the thread
      // exists.
      if (posts.length === 0 && (await selectThreadState(source, threadId)) === undefined)
        throw refuse('not_found', 'thread_not_found')

      const first = posts[0]?.number
      const last = posts.at(-1)?.number
      // Later posts change only the last page; a full page with a successor stays valid.
      if (!backwards && hasNext) request.untagAnswer(threadTags.tail(threadId))
      const path = `/api/threads/${threadId}/posts?limit=${limit}`
      const links: string[] = []
      if (hasNext) links.push(`<${path}&after=${last}>; rel="next"`)
      if (first !== undefined && first > 1) links.push(`<${path}&before=${first}>; rel="prev"`)
      if (links.length > 0) reply.header('link', links.join(', '))
      return posts.map(toPost)
    },
  })

  app.route({
    ...listAnswers,
    config: { cache: { maxStaleMs: MAX_STALE_MS } },
    handler: async (request) => {
      const { threadId } = request.params
      request.tagAnswer(threadTags.answers(threadId))
      const source = dbFor(request)
      // Read before the posts, so that none up to this number is missing.
      const state = await selectThreadState(source, threadId)
      if (state === undefined) throw refuse('not_found', 'thread_not_found')
      const through = state.postCount
      const asker = askerOf(request.ip)
      const answers = await readAnswers(source, threadId, through, (readPage) => inTurn(readPage, asker))
      return { through, answers }
    },
  })

  app.route({
    ...findPosts,
    config: { cache: { maxStaleMs: MAX_STALE_MS } },
    handler: async (request) => {
      const { threadId } = request.params
      const { search, after } = request.query
      request.tagAnswer(threadTags.thread(threadId), SEARCH_TAG)
      if ((await selectThreadState(dbFor(request), threadId)) === undefined)
        throw refuse('not_found', 'thread_not_found')
      return searches.run(askerOf(request.ip), () =>
        findInThread(searchDbFor(request), readSearch(search), threadId, after),
      )
    },
  })

  app.route({
    ...deleteOwnPost,
    handler: async (request) => {
      await withdrawPost(deps, await deps.visitors.recognise(request), request.params)
      return {}
    },
  })

  app.route({
    ...createPost,
    handler: async (request, reply) => {
      const { threadId } = parseInput(threadParams, request.params)
      const visitor = await deps.visitors.meet(request, reply)
      const outcome = await withForm(request, deps.limits, { file: 'image' }, async ({ fields, file }) =>
        writePost(
          deps,
          visitor,
          threadId,
          parseInput(visitor.member === null ? postInput : memberPostInput, fields),
          file,
        ),
      )
      return 'held' in outcome ? reply.code(202).send(outcome) : reply.code(201).send(outcome.post)
    },
  })
}

import { NEWS_OPML_CHARACTERS } from '@shinobi/contract/limits'
import * as calls from '@shinobi/contract/news'
import type { NewsStatus, NewsStory } from '@shinobi/contract/news'
import type { App } from '../../http/fastify.ts'
import { memberOf } from '../../http/access-guard.ts'
import { refuse } from '../../lib/api-error.ts'
import { toPage } from '../../lib/page.ts'
import { threadTags } from '../threads/threads.tags.ts'
import { selectArticles } from './articles.queries.ts'
import type { NewsDeps } from './news.deps.ts'
import { readIdleSources } from './idle.service.ts'
import { readCost } from './model-cost.ts'
import { newsTags } from './news.tags.ts'
import { toNewsArticle, toNewsSource, toNewsStory, toThreadSummary, toWithdrawal } from './news.view.ts'
import { selectSources } from './sources.queries.ts'
import * as sources from './sources.service.ts'
import { selectStandingPublicAction } from '../audit/audit.queries.ts'
import { isRunLocked } from './run-lock.queries.ts'
import { selectFigures, selectLastRun, selectStanding } from './status.queries.ts'
import { selectStories, selectStory, selectThreadSummary, selectWithdrawnArticle } from './stories.queries.ts'
import { correctStory, decideStory, withdrawStory } from './stories.service.ts'

/** An OPML file as JSON: three bytes for most characters, and reserve for escapes. */
const IMPORT_BODY_BYTES = 4 * NEWS_OPML_CHARACTERS
const DECISIONS = [
  [calls.approveNewsStory, 'approve'],
  [calls.rejectNewsStory, 'reject'],
  [calls.restoreNewsStory, 'restore'],
  [calls.keepNewsStory, 'keep'],
  [calls.retryNewsStory, 'retry'],
] as const
/** Period of the figures in the status. */
const LATELY_MS = 86_400_000

export function registerNews(app: App, deps: NewsDeps): void {
  const { db } = deps
  registerSources(app, deps)
  registerStories(app, deps)

  app.route({
    ...calls.getThreadSummary,
    config: { cache: { maxStaleMs: 0 } },
    handler: async (request) => {
      const { threadId } = request.params
      request.tagAnswer(threadTags.thread(threadId), newsTags.summary(threadId))
      const row = await selectThreadSummary(db, threadId)
      if (row === undefined) throw refuse('not_found', 'summary_not_found')
      return toThreadSummary(row, { words: deps.words, onlySeen: deps.settings.current.newsApproval })
    },
  })

  app.route({
    ...calls.getWithdrawal,
    config: { cache: { maxStaleMs: 0 } },
    handler: async (request) => {
      const { threadId } = request.params
      request.tagAnswer(threadTags.thread(threadId))
      const article = await selectWithdrawnArticle(db, threadId)
      const entry = article && (await selectStandingPublicAction(db, threadId, 'news_withdraw'))
      if (article === undefined || entry === undefined) throw refuse('not_found', 'withdrawal_not_found')
      return toWithdrawal(article, entry, deps.words)
    },
  })

  app.route({ ...calls.getNewsStatus, handler: () => readStatus(deps) })

  app.route({
    ...calls.stopNews,
    handler: async (request) => ({ withdrawn: await sources.stopAll(deps, memberOf(request), request.body) }),
  })

  app.route({
    ...calls.resumeNews,
    handler: async (request) => {
      await sources.resumeAll(deps, memberOf(request))
      return {}
    },
  })

  app.route({
    ...calls.listNewsArticles,
    handler: async (request) => {
      const { state = null, cursor = null, limit } = request.query
      const { page, next } = toPage(await selectArticles(db, { state, cursor, limit: limit + 1 }), limit)
      return { articles: page.map(toNewsArticle), next }
    },
  })
}

function registerSources(app: App, deps: NewsDeps): void {
  const { db } = deps

  app.route({
    ...calls.listNewsSources,
    handler: async () => {
      const pause = await deps.news.summariser?.pause()
      const { sources: rows } = await readIdleSources(db, { now: deps.now(), paused: pause?.cause ?? null })
      return rows.map(({ source, idle }) => ({ ...toNewsSource(source), idle }))
    },
  })

  app.route({
    ...calls.createNewsSource,
    handler: async (request, reply) => {
      const row = await sources.createSource(deps, memberOf(request), request.body)
      return reply.code(201).send(toNewsSource(row))
    },
  })

  app.route({
    ...calls.changeNewsSource,
    handler: async (request) =>
      toNewsSource(await sources.changeSource(deps, memberOf(request), request.params.sourceId, request.body)),
  })

  app.route({
    ...calls.deleteNewsSource,
    handler: async (request) => {
      await sources.removeSource(deps, memberOf(request), request.params.sourceId)
      return {}
    },
  })

  app.route({
    ...calls.stopNewsSource,
    handler: async (request) => ({
      withdrawn: await sources.stopSource(deps, memberOf(request), request.params.sourceId, request.body),
    }),
  })

  app.route({
    ...calls.readNewsSource,
    handler: async (request) => {
      await sources.readSourceSoon(deps, request.params.sourceId)
      return {}
    },
  })

  app.route({
    ...calls.exportNewsSources,
    handler: async () => {
      const { writeOpml } = await import('@shinobi/newsroom/articles/opml')
      return { opml: writeOpml(await selectSources(db), new Date(deps.now())) }
    },
  })

  app.route({
    ...calls.importNewsSources,
    bodyLimit: IMPORT_BODY_BYTES,
    handler: (request) => sources.importSources(deps, memberOf(request), request.body),
  })
}

function registerStories(app: App, deps: NewsDeps): void {
  const { db } = deps

  /** The changed story, for the answer. */
  async function answerStory(id: string): Promise<NewsStory> {
    const row = await selectStory(db, id)
    if (row === undefined) throw refuse('not_found', 'news_story_not_found')
    return toNewsStory(row)
  }

  app.route({
    ...calls.listNewsStories,
    handler: async (request) => {
      const { state = null, threadId = null, cursor = null, limit } = request.query
      const stories = await selectStories(db, { state, threadId, cursor, limit: limit + 1 })
      const { page, next } = toPage(stories, limit)
      return { stories: page.map(toNewsStory), next }
    },
  })

  for (const [call, decision] of DECISIONS) {
    app.route({
      ...call,
      handler: async (request) => {
        await decideStory(deps, memberOf(request), request.params.storyId, decision)
        return answerStory(request.params.storyId)
      },
    })
  }

  app.route({
    ...calls.withdrawNewsStory,
    handler: async (request) => {
      await withdrawStory(deps, memberOf(request), request.params.storyId, request.body.reason)
      return answerStory(request.params.storyId)
    },
  })

  app.route({
    ...calls.correctNewsStory,
    handler: async (request) => {
      await correctStory(deps, memberOf(request), request.params.storyId, request.body)
      return answerStory(request.params.storyId)
    },
  })
}

async function readStatus({ db, now, config, settings, news }: NewsDeps): Promise<NewsStatus> {
  const { current } = settings
  const { summariser } = news
  const [running, lastRun, day, standing, spent, cost, pause] = await Promise.all([
    isRunLocked(db),
    selectLastRun(db),
    selectFigures(db, new Date(now() - LATELY_MS)),
    selectStanding(db),
    summariser?.spent() ?? { hour: 0, day: 0 },
    readCost(db, config.llmPrices, now()),
    summariser?.pause() ?? null,
  ])
  const { all: idle } = await readIdleSources(db, { now: now(), paused: pause?.cause ?? null })
  return {
    active: current.newsActive,
    scheduled: config.newsSchedule,
    ...{ running, ...lastRun, ...standing, cost, day, idle: current.newsActive ? idle : null },
    model: summariser?.model ?? null,
    paused: pause === null ? null : { until: pause.until.toISOString(), cause: pause.cause },
    tokens: {
      ...{ hour: spent.hour, hourLimit: current.newsTokensPerHour },
      ...{ day: spent.day, dayLimit: current.newsTokensPerDay },
    },
  }
}

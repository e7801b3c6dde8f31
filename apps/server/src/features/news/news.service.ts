/**
 * News: reads feeds and opens threads for their articles. Only one process of the board runs it at
 * a time.
 */
import { Cron } from 'croner'
import { createExtractor } from '@shinobi/newsroom/articles/extract'
import { createJudge } from '@shinobi/newsroom/claims/judge-thread'
import { createPublishers, type Publishers } from '@shinobi/newsroom/outbound/publishers'
import { ROBOT_TOKEN } from '@shinobi/newsroom/outbound/robots'
import { createEmbedder } from '@shinobi/newsroom/summaries/embedder'
import { createSummariser, type Summariser } from '@shinobi/newsroom/summaries/summariser'
import type { Config } from '../../config.ts'
import type { Core } from '../../core.ts'
import { isDatabaseAway } from '../../lib/api-error.ts'
import { uuidv7 } from '../../lib/uuid.ts'
import { createNewsMetrics } from './news.metrics.ts'
import { sweepNews } from './news.sweep.ts'
import { withRunLock } from './run-lock.queries.ts'
import { moveNewsOfCategory } from './sources.queries.ts'
import { noteRun } from './status.queries.ts'
import { recheckStories } from './steps/rechecking.step.ts'
import { lookAtFeeds } from './steps/feeds.step.ts'
import { gatherArticles } from './steps/gathering.step.ts'
import { publishStories } from './steps/publishing.step.ts'
import { readArticles } from './steps/reading.step.ts'
import { Stopped, type Counts, type StepDeps } from './steps/run.ts'
import { summariseStories } from './steps/summarising.step.ts'
import { createBudget } from './model-budget.ts'

/** Totals of one run. */
export type RunReport = Readonly<Counts>

export interface News {
  /** Starts a run now if this server runs the news on a schedule; otherwise does nothing. */
  wake(): void
  /** Does everything that is due, in this process. @returns null when another process is running */
  run(): Promise<RunReport | null>
  /** Of this process; `isRunLocked` covers all. */
  readonly state: { readonly running: boolean }
  /** Null without LLM_BASE_URL, where summaries are extracts. */
  readonly summariser: Summariser | null
  readonly publishers: Publishers
  /** Resolves when no run is active in this process. */
  settle(): Promise<void>
  /** Moves the sources and the stories of a category, in a transaction. @returns how many each */
  readonly moveCategory: typeof moveNewsOfCategory
  sweep(now: number): Promise<void>
  /** Stops an active run; the next run continues its work. */
  close(): Promise<void>
}

export interface NewsServiceDeps extends StepDeps, Pick<Core, 'config' | 'metrics'> {
  readonly writability: Pick<Core['writability'], 'obstacle'>
}

/** The steps of a run, in order. Each leaves its results in the database for the next one. */
const STEPS = [
  ['feeds', lookAtFeeds],
  ['reading', readArticles],
  ['gathering', gatherArticles],
  ['summarising', summariseStories],
  ['publishing', publishStories],
  ['checking', recheckStories],
] as const

/**
 * Time after which a step yields to the others, so that finished stories are published while a slow
 * model or host is busy with the next ones.
 */
const TURN_MS = 120_000

/** @param hostDelayMs delay between two requests to one host, if not the polite default */
export function createNews(deps: NewsServiceDeps, { hostDelayMs }: { hostDelayMs?: number | undefined } = {}): News {
  const { config, db, log, now, settings, writability } = deps
  const publishers = openPublishers(config, now, hostDelayMs)
  const extractor = createExtractor()
  const judge = createJudge()
  const metrics = createNewsMetrics(deps.metrics, db)
  const stop = new AbortController()
  const { llm } = config
  const shared = { now, newId: uuidv7, log, stop: stop.signal, onEnd: metrics.callEnded }
  const budgetOf = (model: string) => createBudget({ db, settings, model, now })
  const summariser =
    llm === null
      ? null
      : createSummariser({
          ...{ ...shared, llm, judge },
          budget: budgetOf(llm.model),
          verifierBudget: budgetOf(llm.verifierModel),
        })
  const embedder =
    llm === null || llm.embeddingModel === null
      ? null
      : createEmbedder({ ...shared, llm: { ...llm, model: llm.embeddingModel }, budget: budgetOf(llm.embeddingModel) })
  /** End the waits under way. One promise for all of them would keep a trace of each wait. */
  const waits = new Set<(stopped: Stopped) => void>()
  let running: Promise<RunReport | null> | null = null
  let again = false

  /**
   * News add threads and pictures, so they wait while visitors cannot write, and as soon as
   * pictures are refused.
   */
  const isOver = (): boolean => stop.signal.aborted || !settings.current.newsActive || writability.obstacle !== null

  async function wait<T>(work: Promise<T>): Promise<T> {
    // Avoids an unhandled rejection of work that is abandoned at the stop.
    work.catch(() => {})
    if (stop.signal.aborted) throw new Stopped()
    const { promise: stopped, reject } = Promise.withResolvers<never>()
    waits.add(reject)
    try {
      return await Promise.race([work, stopped])
    } finally {
      waits.delete(reject)
    }
  }

  async function runSteps(lookAtLock: () => Promise<void>): Promise<RunReport> {
    const counts: Counts = { feeds: 0, found: 0, read: 0, skipped: 0, stories: 0, published: 0, refused: 0 }
    const start = performance.now()
    const seconds = (): number => (performance.now() - start) / 1_000
    try {
      for (let isLeft = true; isLeft;) {
        isLeft = false
        for (const [step, work] of STEPS) {
          if (isOver()) break
          await lookAtLock()
          log.debug({ step }, 'news: a step begins')
          const end = now() + TURN_MS
          let isUsedUp = false
          const isStepOver = (): boolean => (isUsedUp ||= now() > end) || isOver()
          const before = totalOf(counts)
          await work(deps, { publishers, extractor, judge, embedder, summariser, counts, wait, isOver: isStepOver })
          isLeft ||= isUsedUp
          if (totalOf(counts) > before) await noteRun(db, { changedAt: new Date(now()) })
        }
      }
    } catch (error) {
      if (!(error instanceof Stopped)) {
        metrics.runEnded(seconds(), null)
        throw error
      }
    }
    metrics.runEnded(seconds(), counts)
    if (totalOf(counts) > 0) log.info({ ...counts }, 'news: a run is over')
    await noteRun(db, { endedAt: new Date(now()) })
    return counts
  }

  function run(): Promise<RunReport | null> {
    running ??= withRunLock(db, runSteps).finally(() => {
      running = null
      if (again) wake()
    })
    return running
  }

  function wake(): void {
    if (!config.newsSchedule || stop.signal.aborted) return
    // The active run may be past the step that the new work needs, so another run follows.
    again = running !== null
    if (again) return
    run().catch((error: unknown) => {
      if (isDatabaseAway(error)) log.warn({ err: error }, 'news: the database is away')
      else log.error({ err: error }, 'news: a run failed')
    })
  }

  // A random second, so that servers do not start simultaneously.
  const second = Math.floor(Math.random() * 30)
  const schedule = config.newsSchedule
    ? new Cron(`${second},${second + 30} * * * * *`, { unref: true }, () => {
        if (running === null) wake()
      })
    : null

  return {
    wake,
    run,
    get state() {
      return { running: running !== null }
    },
    summariser,
    publishers,
    moveCategory: moveNewsOfCategory,
    sweep: (at) => sweepNews(deps, at),
    async settle() {
      // The caller of the run handles its failure.
      while (running !== null) await running.catch(() => {})
    },
    async close() {
      schedule?.stop()
      for (const end of waits) end(new Stopped())
      stop.abort()
      await publishers.close()
      await running?.catch(() => {})
      await extractor.close()
      await judge.close()
    },
  }
}

/** The sum of a run's counts; 0 when nothing was due. */
const totalOf = (counts: Counts): number => Object.values(counts).reduce((total, count) => total + count, 0)

/**
 * Opens a client of publishers, whose User-Agent has the robot's name, and the board's address and
 * contact.
 */
export const openPublishers = (
  { publicUrl, contactEmail, newsPrivateAddresses: allowPrivate }: Config,
  now: () => number,
  hostDelayMs?: number,
): Publishers =>
  createPublishers({
    userAgent: `${ROBOT_TOKEN}/1.0 (+${publicUrl}${contactEmail === null ? '' : `; ${contactEmail}`})`,
    ...{ allowPrivate, now, ...(hostDelayMs === undefined ? {} : { hostDelayMs }) },
  })

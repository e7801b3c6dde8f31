/** News: looks at the feeds and makes threads of what it finds, in this process or another one, never in two at once. */
import { Cron } from 'croner'
import { createExtractor } from '@shinobi/newsroom/articles/extract'
import { createPublishers, type Publishers } from '@shinobi/newsroom/outbound/publishers'
import { ROBOT_TOKEN } from '@shinobi/newsroom/outbound/robots'
import { createSummariser, type Summariser } from '@shinobi/newsroom/summaries/summariser'
import type { Config } from '../../config.ts'
import type { Deps } from '../../deps.ts'
import { isDatabaseAway } from '../../lib/api-error.ts'
import { uuidv7 } from '../../lib/uuid.ts'
import { createNewsMetrics } from './news.metrics.ts'
import { withRunLock } from './run-lock.queries.ts'
import { noteRun } from './status.queries.ts'
import { checkStories } from './steps/checking.step.ts'
import { lookAtFeeds } from './steps/feeds.step.ts'
import { gatherArticles } from './steps/gathering.step.ts'
import { publishStories } from './steps/publishing.step.ts'
import { readArticles } from './steps/reading.step.ts'
import { Stopped, type Counts, type StepDeps } from './steps/run.ts'
import { summariseStories } from './steps/summarising.step.ts'
import { createBudget } from './model-budget.ts'

/** What one run has done. */
export interface RunReport {
  /** Feeds that were looked at. */
  readonly feeds: number
  /** Articles that were new in them. */
  readonly found: number
  readonly read: number
  readonly skipped: number
  /** Stories that were begun. */
  readonly stories: number
  readonly published: number
  readonly refused: number
}

export interface News {
  /** Something may be due: a server that looks by itself looks at once. Others do nothing. */
  wake(): void
  /** Does all that is due now, in this process. @returns null when another process is at it */
  run(): Promise<RunReport | null>
  /** Of this process; see `isRunLocked` for all. */
  readonly state: { readonly running: boolean }
  /** Null without LLM_BASE_URL: summaries are extracts then. */
  readonly summariser: Summariser | null
  readonly publishers: Publishers
  /** Resolves when no run is under way here. */
  settle(): Promise<void>
  /** Ends a run that is under way; the next one goes on where it was. */
  close(): Promise<void>
}

export interface NewsDeps extends StepDeps, Pick<Deps, 'config' | 'metrics'> {
  readonly writability: Pick<Deps['writability'], 'obstacle'>
}

export interface NewsOptions {
  /** Between two requests to one host, where another time is wanted than is polite. */
  readonly hostDelayMs?: number | undefined
}

/** In this order; each leaves its work in the database, where the next one finds it. */
const STEPS = [
  ['feeds', lookAtFeeds],
  ['reading', readArticles],
  ['gathering', gatherArticles],
  ['summarising', summariseStories],
  ['publishing', publishStories],
  ['checking', checkStories],
] as const

/** Then a step lets the others have theirs before it goes on: what was made is published while a slow model, or host, is at the next. */
const TURN_MS = 120_000

export function createNews(deps: NewsDeps, { hostDelayMs }: NewsOptions = {}): News {
  const { config, db, log, now, settings, writability } = deps
  const publishers = createPublishers({
    userAgent: newsUserAgent(config),
    allowPrivate: config.newsPrivateAddresses,
    now,
    ...(hostDelayMs === undefined ? {} : { hostDelayMs }),
  })
  const extractor = createExtractor()
  const metrics = createNewsMetrics(deps.metrics, db)
  const stop = new AbortController()
  const { llm } = config
  const summariser =
    llm === null
      ? null
      : createSummariser({
          ...{ llm, now, newId: uuidv7, log, stop: stop.signal, onEnd: metrics.callEnded },
          budget: createBudget({ db, settings, model: llm.model, now }),
        })
  const stopped = Promise.withResolvers<never>()
  // Nobody may be waiting when the server stops.
  stopped.promise.catch(() => {})
  let closed = false
  let running: Promise<RunReport | null> | null = null
  let again = false

  /**
   * News add threads and pictures: they wait while visitors can write nothing, and from the moment
   * on when pictures are refused.
   */
  const isOver = (): boolean => closed || !settings.current.newsActive || writability.obstacle !== null

  async function wait<T>(work: Promise<T>): Promise<T> {
    // What is not waited for any more may fail as it likes.
    work.catch(() => {})
    return closed ? stopped.promise : Promise.race([work, stopped.promise])
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
          const turn = beginTurn()
          const before = totalOf(counts)
          await work(deps, { publishers, extractor, summariser, counts, wait, isOver: turn.isOver })
          isLeft ||= turn.isUsedUp
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

  /** The time of one step. */
  function beginTurn() {
    const end = now() + TURN_MS
    const turn = {
      isUsedUp: false,
      isOver(): boolean {
        turn.isUsedUp ||= now() > end
        return turn.isUsedUp || isOver()
      },
    }
    return turn
  }

  function run(): Promise<RunReport | null> {
    running ??= withRunLock(db, runSteps).finally(() => {
      running = null
      if (again) wake()
    })
    return running
  }

  function wake(): void {
    if (!config.newsSchedule || closed) return
    // What came while a run was under way may have come too late for it.
    again = running !== null
    if (again) return
    run().catch((error: unknown) => {
      if (isDatabaseAway(error)) log.warn({ err: error }, 'news: the database is away')
      else log.error({ err: error }, 'news: a run failed')
    })
  }

  // Not all servers at the same second.
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
    async settle() {
      // How it ended is told to whoever has begun it.
      while (running !== null) await running.catch(() => {})
    },
    async close() {
      closed = true
      schedule?.stop()
      stopped.reject(new Stopped())
      stop.abort()
      await publishers.close()
      await running?.catch(() => {})
      await extractor.close()
    },
  }
}

/** All that a run has done; 0 where there was nothing to do. */
const totalOf = (counts: Counts): number => Object.values(counts).reduce((total, count) => total + count, 0)

/** Who comes, and where its people are to be found. */
export function newsUserAgent({ publicUrl, contactEmail }: Config): string {
  return `${ROBOT_TOKEN}/1.0 (+${publicUrl}${contactEmail === null ? '' : `; ${contactEmail}`})`
}

/**
 * Decides whether the language model may be called now: the token budget of an hour and a day, and
 * the pause after failures. Both are computed from the stored calls, so they survive restarts and
 * apply to all servers together.
 */
import { askedUntil, PAUSE_MAX, type Budget, type Wait } from '@shinobi/newsroom/summaries/budget'
import { MODEL_TIMEOUT_MS } from '@shinobi/newsroom/summaries/endpoint'
import type { Db } from '../../db/client.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { LiveSettings } from '../settings/settings.service.ts'
import { endCall, insertCall, lockCalls, selectCosts, selectLastCalls, selectTries } from './model-calls.queries.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/**
 * After this many stories in a row with which the model failed, calls pause for one minute, then
 * for two, four, … One story counts once, however often it was tried: a model that fails with one
 * article is not away.
 */
const STORIES_IN_A_ROW = 3
/** More calls than the stories that lead to the longest pause, some of them tried again. */
const CALLS_LOOKED_BACK = 24

interface BudgetOptions {
  readonly db: Db
  readonly settings: Pick<LiveSettings, 'current'>
  /** Pauses are per model, so that another model, or its corrected name, can be called at once. */
  readonly model: string
  readonly now: () => number
  /** Maximum duration of a call, as set for the summariser. */
  readonly timeoutMs?: number
}

export function createBudget({ db, settings, model, now, timeoutMs = MODEL_TIMEOUT_MS }: BudgetOptions): Budget {
  async function waitIn(tx: Db, tokens: number): Promise<Wait | null> {
    const at = now()
    return (await pauseOf(tx, model, at, timeoutMs)) ?? (await shortageOf(tx, at, tokens, settings.current))
  }

  return {
    take: (call) =>
      inTransaction(db, async (tx) => {
        await lockCalls(tx)
        const wait = await waitIn(tx, call.inputTokens + call.outputTokens)
        if (wait === null) await insertCall(tx, call)
        return wait
      }),
    end: (id, end) => endCall(db, id, end),
    tries: (storyId, promptVersion, since) => selectTries(db, storyId, promptVersion, since),
    wait: (tokens) => waitIn(db, tokens),
    async spent() {
      const at = now()
      const costs = await costsOfDay(db, at)
      return { hour: sum(costs.filter((cost) => cost.at.getTime() > at - HOUR)), day: sum(costs) }
    },
  }
}

type Cost = Awaited<ReturnType<typeof selectCosts>>[number]

const costsOfDay = (db: Db, at: number): Promise<Cost[]> =>
  selectCosts(db, { from: new Date(at - DAY), to: new Date(at) })
const sum = (costs: readonly Cost[]): number => costs.reduce((total, { tokens }) => total + tokens, 0)

async function shortageOf(
  db: Db,
  at: number,
  tokens: number,
  { newsTokensPerHour, newsTokensPerDay }: LiveSettings['current'],
): Promise<Wait | null> {
  const costs = await costsOfDay(db, at)
  const free = Math.max(
    freeAt(costs, at, HOUR, newsTokensPerHour - tokens),
    freeAt(costs, at, DAY, newsTokensPerDay - tokens),
  )
  return free <= at
    ? null
    : { until: new Date(free), cause: 'budget', reason: `the budget has no ${tokens} tokens left` }
}

/** The earliest time at which the calls within the window cost at most `limit`. */
function freeAt(costs: readonly Cost[], at: number, window: number, limit: number): number {
  // The call costs more than the whole budget, so all that helps is a raised budget: checks again
  // every hour.
  if (limit < 0) return at + HOUR
  const inWindow = costs.filter((cost) => cost.at.getTime() > at - window)
  let total = sum(inWindow)
  let free = at
  for (const cost of inWindow) {
    if (total <= limit) break
    total -= cost.tokens
    free = cost.at.getTime() + window
  }
  return free
}

/**
 * The pause after failures, counted from the last one. At its end a single call tests the endpoint.
 */
async function pauseOf(db: Db, model: string, at: number, timeoutMs: number): Promise<Wait | null> {
  const calls = await selectLastCalls(db, model, CALLS_LOOKED_BACK)
  const ends = calls.filter(({ isUnderWay }) => !isUnderWay)
  const answered = ends.findIndex(({ outcome }) => outcome !== 'failed' && outcome !== 'limited')
  const failures = answered === -1 ? ends : ends.slice(0, answered)
  const [last] = failures
  if (last === undefined) return null
  const reason = last.detail
  const stories = new Set(failures.map(({ id, storyId }) => storyId ?? id)).size
  const failedAt = last.at.getTime() + last.milliseconds
  const asked = failures.map(({ detail }) => askedUntil(detail) ?? 0)
  const until = Math.max(failedAt + pauseAfter(stories), ...asked)
  if (until > at) return { until: new Date(until), cause: 'failures', reason }
  if (stories < STORIES_IN_A_ROW) return null
  const since = Math.max(failedAt, at - timeoutMs)
  const trial = calls.find((call) => call.isUnderWay && call.at.getTime() > since)
  return trial === undefined ? null : { until: new Date(trial.at.getTime() + timeoutMs), cause: 'failures', reason }
}

const pauseAfter = (stories: number): number =>
  stories < STORIES_IN_A_ROW ? 0 : Math.min(MINUTE * 2 ** (stories - STORIES_IN_A_ROW), PAUSE_MAX)

/**
 * Summarises stories in a few sentences: by the language model, by an extract, or by the headline
 * alone.
 */
import type { ModelPause, NewsProblem } from '@shinobi/contract/news'
import type { SummaryKind } from '@shinobi/contract/threads'
import type { StorySummary } from '@shinobi/newsroom/documents'
import { isForeign } from '@shinobi/newsroom/claims/language'
import { summariseExtractively } from '@shinobi/newsroom/summaries/extractive'
import { fitSummary, type GivenSummary } from '@shinobi/newsroom/summaries/made'
import { PAUSE_MAX } from '@shinobi/newsroom/summaries/budget'
import type { ModelUse } from '@shinobi/newsroom/summaries/summariser'
import { isDatabaseAway } from '../../../lib/api-error.ts'
import { countFailures } from '../model-calls.queries.ts'
import { countReady } from './publishing.queries.ts'
import { Stopped, TOO_OLD_MS, type Run, type StepDeps } from './run.ts'
import { updateStory } from '../stories.queries.ts'
import { recordSummarised, selectNewStories, type NewStory } from './summarising.queries.ts'

const HOUR_MS = 3_600_000
/** Maximum time to wait for a failing model or a used-up budget. */
const GIVE_UP_AFTER_MS = 24 * HOUR_MS
/**
 * Summaries pause while ready stories fill the threads of this many hours, so that no tokens are
 * spent on stories that would be published too late.
 */
const AHEAD_HOURS = 6
/** Delay after an unexpected error, so that it does not block the next story. */
const TRY_AGAIN_MS = HOUR_MS
const STORIES_AT_ONCE = 20
/**
 * Delay after the first, the second and each further failure of the model with one story: an
 * article on which it fails again and again steps aside for the others. The last is longer than
 * the longest pause of the model, so that at the end of one another story is tried.
 */
const STEPS_ASIDE_MS = [0, 5 * 60_000, PAUSE_MAX + HOUR_MS]

export async function summariseStories(deps: StepDeps, run: Run): Promise<void> {
  const { db, settings } = deps
  while (!run.isOver()) {
    const room = AHEAD_HOURS * settings.current.newsThreadsPerHour - (await countReady(db))
    if (room <= 0) return
    const stories = await selectNewStories(db, new Date(deps.now()), Math.min(room, STORIES_AT_ONCE))
    if (stories.length === 0) return
    for (const story of stories) {
      if (run.isOver()) return
      await summariseStory(deps, run, story)
    }
  }
}

async function summariseStory(deps: StepDeps, run: Run, story: NewStory): Promise<void> {
  try {
    const outcome = await decide(deps, run, story)
    await keep(deps, run, story, outcome)
  } catch (error) {
    if (error instanceof Stopped || isDatabaseAway(error)) throw error
    deps.log.error({ err: error, story: story.id }, 'news: a story could not be summarised')
    await keep(deps, run, story, { kind: 'later', until: new Date(deps.now() + TRY_AGAIN_MS), cause: 'failures' })
  }
}

type Outcome =
  | {
      readonly kind: 'made'
      readonly by: SummaryKind
      readonly summary: StorySummary
      /** Why an administrator must see it first. */
      readonly doubts: readonly string[]
      readonly use: ModelUse | null
    }
  | {
      readonly kind: 'refused'
      readonly problem: NewsProblem
      readonly findings?: readonly string[]
      readonly use?: ModelUse | null
    }
  | { readonly kind: 'later'; readonly until: Date; readonly cause: ModelPause }

async function decide({ now, settings }: StepDeps, run: Run, story: NewStory): Promise<Outcome> {
  const { document, permission } = story
  if (permission === null || permission === 'blocked') return { kind: 'refused', problem: 'blocked' }
  if (story.begunAt.getTime() < now() - TOO_OLD_MS) return { kind: 'refused', problem: 'too_old' }
  if (story.kind === 'headline' || permission === 'headline') return madeOf(story, 'headline', { sentences: [] })
  if (document === null) return { kind: 'refused', problem: 'no_text' }
  if (run.summariser === null) {
    const extracted = summariseExtractively(document)
    if ('problem' in extracted) return { kind: 'refused', problem: extracted.problem }
    return madeOf(story, 'extractive', extracted.summary)
  }
  const outcome = await run.wait(run.summariser.summarise(story.id, document))
  if (outcome.kind === 'made') {
    const { summary, use, unverified, risks } = outcome
    const doubts = [
      // Words of two languages cannot be compared.
      ...(isForeign(document.text) ? ['外国語の記事の要約です。'] : []),
      ...(unverified === null ? [] : [`検証できませんでした（${unverified}）。`]),
      ...(risks.length > 0 && settings.current.newsRiskApproval
        ? [`名前のある人の重大な事柄を伝えています（「${risks.join('」「')}」）。`]
        : []),
    ]
    return madeOf(story, 'ai', summary, { use, doubts })
  }
  if (outcome.kind === 'refused') return { ...outcome, problem: 'ungrounded' }
  return outcome
}

function madeOf(
  story: NewStory,
  by: SummaryKind,
  given: GivenSummary,
  { use, doubts }: { readonly use: ModelUse | null; readonly doubts: readonly string[] } = { use: null, doubts: [] },
): Outcome {
  const summary = fitSummary(story, given)
  if (summary === null) return { kind: 'refused', problem: 'no_text', use }
  const isSuspicious = by !== 'headline' && (story.document?.suspicious.length ?? 0) > 0
  const all = [...(isSuspicious ? ['記事に、機械への指示があります。'] : []), ...doubts]
  return { kind: 'made', by, summary, use, doubts: all }
}

async function keep(
  { db, now, settings, live }: StepDeps,
  run: Run,
  { id, begunAt }: NewStory,
  outcome: Outcome,
): Promise<void> {
  const at = new Date(now())
  const refuse = async (problem: NewsProblem, findings: readonly string[] = [], use: ModelUse | null = null) => {
    const by = use === null ? {} : { model: use.model, promptVersion: use.promptVersion }
    const told = JSON.stringify(findings)
    await recordSummarised(db, id, use, { state: 'refused', problem, findings: told, nextTryAt: null, ...by })
    run.counts.refused += 1
  }
  if (outcome.kind === 'made') {
    const { by: kind, summary, doubts, use } = outcome
    const waits = doubts.length > 0 || settings.current.newsApproval
    await recordSummarised(db, id, use, {
      ...{ state: waits ? 'waiting' : 'ready', nextTryAt: waits ? null : at, madeAt: at },
      ...{ kind, summary: JSON.stringify(summary), problem: null, findings: JSON.stringify(doubts) },
      ...{ model: use?.model ?? null, promptVersion: use?.promptVersion ?? null },
    })
    if (waits) live.queueChanged()
  } else if (outcome.kind === 'refused') {
    await refuse(outcome.problem, outcome.findings, outcome.use)
  } else if (begunAt.getTime() < at.getTime() - GIVE_UP_AFTER_MS) {
    await refuse(outcome.cause === 'budget' ? 'no_budget' : 'model_failed')
  } else {
    const failures = outcome.cause === 'failures' ? await countFailures(db, id, begunAt) : 0
    const aside = STEPS_ASIDE_MS[Math.min(failures, STEPS_ASIDE_MS.length) - 1] ?? 0
    // Not in the past, so that one run does not try it twice.
    const until = Math.max(outcome.until.getTime(), at.getTime() + Math.max(aside, 1_000))
    await updateStory(db, { id, state: 'new' }, { nextTryAt: new Date(until) })
  }
}

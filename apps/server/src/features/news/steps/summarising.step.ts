/**
 * Summarises stories in a few sentences: by the language model, by an extract, or by the headline
 * alone.
 */
import type { ModelPause, NewsProblem } from '@shinobi/contract/news'
import type { ArticleDocument } from '@shinobi/newsroom/documents'
import { isForeign } from '@shinobi/newsroom/claims/language'
import { summariseExtractively } from '@shinobi/newsroom/summaries/extractive'
import { fitSummary, type GivenSummary } from '@shinobi/newsroom/summaries/made'
import type { ModelUse } from '@shinobi/newsroom/summaries/summariser'
import { isDatabaseAway } from '../../../lib/api-error.ts'
import { countReady } from './publishing.queries.ts'
import { Stopped, TOO_OLD_MS, type Run, type StepDeps } from './run.ts'
import {
  putStoryOff,
  recordRefused,
  recordSummary,
  selectNewStories,
  type NewStory,
  type NewSummary,
} from './summarising.queries.ts'

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
  | { readonly kind: 'made'; readonly made: NewSummary; readonly needsEyes: boolean }
  | {
      readonly kind: 'refused'
      readonly problem: NewsProblem
      readonly findings?: readonly string[]
      readonly use?: ModelUse
    }
  | { readonly kind: 'later'; readonly until: Date; readonly cause: ModelPause }

async function decide({ now }: StepDeps, run: Run, story: NewStory): Promise<Outcome> {
  const { document, permission } = story
  if (permission === null || permission === 'blocked') return { kind: 'refused', problem: 'blocked' }
  if (story.begunAt.getTime() < now() - TOO_OLD_MS) return { kind: 'refused', problem: 'too_old' }
  if (story.kind === 'headline' || permission === 'headline') return madeOf(story, 'headline', { sentences: [] }, null)
  if (document === null) return { kind: 'refused', problem: 'no_text' }
  if (run.summariser === null) return extract(story, document)
  const outcome = await run.wait(run.summariser.summarise(story.id, document))
  if (outcome.kind === 'made') return madeOf(story, 'ai', outcome.summary, outcome.use)
  if (outcome.kind === 'refused') return { ...outcome, problem: 'ungrounded' }
  return outcome
}

function extract(story: NewStory, document: ArticleDocument): Outcome {
  const extracted = summariseExtractively(document)
  if ('problem' in extracted) return { kind: 'refused', problem: extracted.problem }
  return madeOf(story, 'extractive', extracted.summary, null)
}

function madeOf(story: NewStory, kind: NewSummary['kind'], given: GivenSummary, use: ModelUse | null): Outcome {
  const summary = fitSummary(story, given)
  if (summary === null) return { kind: 'refused', problem: 'no_text', ...(use === null ? {} : { use }) }
  return {
    kind: 'made',
    made: { kind, summary, use },
    needsEyes: needsEyes(kind, story.document),
  }
}

/**
 * Whether an administrator must see a summary before it is published: its article contains
 * instructions to machines, or a model summarised an article in another language, whose words
 * cannot be compared.
 */
function needsEyes(kind: NewSummary['kind'], document: ArticleDocument | null): boolean {
  if (kind === 'headline' || document === null) return false
  return document.suspicious.length > 0 || (kind === 'ai' && isForeign(document.text))
}

async function keep(
  { db, now, settings, live }: StepDeps,
  run: Run,
  { id, begunAt }: NewStory,
  outcome: Outcome,
): Promise<void> {
  const at = new Date(now())
  if (outcome.kind === 'made') {
    const waits = outcome.needsEyes || settings.current.newsApproval
    await recordSummary(db, id, { ...outcome.made, state: waits ? 'waiting' : 'ready', at })
    if (waits) live.queueChanged()
  } else if (outcome.kind === 'refused') {
    const { problem, findings = [], use = null } = outcome
    await recordRefused(db, id, { problem, findings, use })
    run.counts.refused += 1
  } else if (begunAt.getTime() < at.getTime() - GIVE_UP_AFTER_MS) {
    const problem = outcome.cause === 'budget' ? 'no_budget' : 'model_failed'
    await recordRefused(db, id, { problem, findings: [], use: null })
    run.counts.refused += 1
  } else {
    // Not in the past, so that one run does not try it twice.
    await putStoryOff(db, id, new Date(Math.max(outcome.until.getTime(), at.getTime() + 1_000)))
  }
}

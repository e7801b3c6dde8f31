/** Says in a few sentences what a story tells: by the language model, by an extract, or by its headline alone. */
import { NEWS_SENTENCE, POST, TITLE } from '@shinobi/contract/limits'
import type { NewsProblem } from '@shinobi/contract/news'
import { findProblem, truncateGraphemes } from '@shinobi/contract/text'
import type { ArticleDocument, StorySummary } from '../../../db/tables.ts'
import { isDatabaseAway } from '../../../lib/api-error.ts'
import { summariseExtractively } from '../summaries/extractive.ts'
import type { ModelUse } from '../summaries/summariser.ts'
import { Stopped, type Run, type StepDeps } from './run.ts'
import {
  putStoryOff,
  recordRefused,
  recordSummary,
  selectNewStories,
  type NewStory,
  type NewSummary,
} from './summarising.queries.ts'

const HOUR_MS = 3_600_000
/** What could not be summarised for so long is no news any more. */
const TOO_OLD_MS = 24 * HOUR_MS
/** After a mistake of ours: the next one shall have its turn. */
const TRY_AGAIN_MS = HOUR_MS
const STORIES_AT_ONCE = 20
/** Kana among the letters of a text, from which on it is Japanese. Headlines of officialese have the fewest. */
const KANA_SHARE = 0.1

export async function summariseStories(deps: StepDeps, run: Run): Promise<void> {
  while (!run.isOver()) {
    const stories = await selectNewStories(deps.db, new Date(deps.now()), STORIES_AT_ONCE)
    if (stories.length === 0) return
    for (const story of stories) {
      if (run.isOver()) return
      await summariseStory(deps, run, story)
    }
  }
}

async function summariseStory(deps: StepDeps, run: Run, story: NewStory): Promise<void> {
  try {
    const outcome = await decide(run, story)
    await keep(deps, run, story, outcome)
  } catch (error) {
    if (error instanceof Stopped || isDatabaseAway(error)) throw error
    deps.log.error({ err: error, story: story.id }, 'news: a story could not be summarised')
    await keep(deps, run, story, { kind: 'later', until: new Date(deps.now() + TRY_AGAIN_MS) })
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
  | { readonly kind: 'later'; readonly until: Date }

async function decide(run: Run, story: NewStory): Promise<Outcome> {
  const { document, permission } = story
  if (permission === null || permission === 'blocked') return { kind: 'refused', problem: 'blocked' }
  if (story.kind === 'headline' || permission === 'headline') return madeOf(story, 'headline', { sentences: [] }, null)
  if (document === null) return { kind: 'refused', problem: 'no_text' }
  if (run.summariser === null) return extract(story, document)
  const outcome = await run.wait(run.summariser.summarise(story.id, document))
  if (outcome.kind === 'made') return madeOf(story, 'ai', outcome.summary, outcome.use)
  if (outcome.kind === 'refused') return { ...outcome, problem: 'ungrounded' }
  return outcome
}

function extract(story: NewStory, document: ArticleDocument): Outcome {
  if (!isJapanese(document.text)) return { kind: 'refused', problem: 'language' }
  const summary = summariseExtractively(document)
  if (summary === null) return { kind: 'refused', problem: 'no_text' }
  return madeOf(story, 'extractive', summary, null)
}

function madeOf(
  story: NewStory,
  kind: NewSummary['kind'],
  given: Pick<StorySummary, 'sentences'> & Partial<StorySummary>,
  use: ModelUse | null,
): Outcome {
  const title = fitTitle(given.title ?? '') ?? fitTitle(story.title) ?? fitTitle(`${story.title} - ${story.site}`)
  const content = given.sentences.map(({ text }) => text).join('\n')
  const fits =
    given.sentences.every(({ text }) => findProblem(text, NEWS_SENTENCE, 'line') === null) &&
    (kind === 'headline' || findProblem(content, POST, 'body') === null)
  if (title === null || !fits) return { kind: 'refused', problem: 'no_text', ...(use === null ? {} : { use }) }
  return {
    kind: 'made',
    made: { kind, summary: { title, sentences: given.sentences }, use },
    // Who speaks to machines in an article wants something of them: a person looks at what came of it.
    needsEyes: kind !== 'headline' && (story.document?.suspicious.length ?? 0) > 0,
  }
}

/** A title as the board takes it; null when nothing can be made of it. */
function fitTitle(text: string): string | null {
  const line = text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '')
    .trim()
  // Room for the … that tells of the cut.
  const title = findProblem(line, TITLE, 'line') === 'too_long' ? truncateGraphemes(line, TITLE.max - 1) : line
  return findProblem(title, TITLE, 'line') === null ? title : null
}

/** Whether a text is Japanese, whatever its page says of itself: no other language is written with kana. */
export function isJapanese(text: string): boolean {
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  const kana = text.match(/[\p{Script=Hiragana}\p{Script=Katakana}]/gu)?.length ?? 0
  return kana > letters * KANA_SHARE
}

async function keep(
  { db, now, settings }: StepDeps,
  run: Run,
  { id, createdAt }: NewStory,
  outcome: Outcome,
): Promise<void> {
  const at = new Date(now())
  if (outcome.kind === 'made') {
    const waits = outcome.needsEyes || settings.current.newsApproval
    await recordSummary(db, id, { ...outcome.made, state: waits ? 'waiting' : 'ready', at })
  } else if (outcome.kind === 'refused') {
    const { problem, findings = [], use = null } = outcome
    await recordRefused(db, id, { problem, findings, use })
    run.counts.refused += 1
  } else if (createdAt.getTime() < at.getTime() - TOO_OLD_MS) {
    await recordRefused(db, id, { problem: 'model_failed', findings: [], use: null })
    run.counts.refused += 1
  } else {
    // Never in the past: it is not to be asked for twice in a run.
    await putStoryOff(db, id, new Date(Math.max(outcome.until.getTime(), at.getTime() + 1_000)))
  }
}

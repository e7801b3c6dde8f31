/**
 * Makes summaries by a language model: within the budget, with a check, a second try with the
 * findings, and a record of every call.
 */
import { NEWS_SENTENCES_MAX, NEWS_SENTENCES_MIN } from '@shinobi/contract/limits'
import type { SummarySentence } from '@shinobi/contract/news'
import type { ArticleDocument, StorySummary } from '../documents.ts'
import { FOUND } from './advice.ts'
import { readAnswer } from './answer.ts'
import { limitedDetail, type Budget, type CallEnd, type Wait } from './budget.ts'
import { checkSummary } from '../claims/checker.ts'
import { createModel, MODEL_TIMEOUT_MS, ModelFailure, type Endpoint, type ModelAnswer } from './model.ts'
import { newMark, PROMPT_VERSION, writePrompt, type PreviousTry } from './prompt.ts'
import { createPassages } from '../claims/quotes.ts'
import { believeTokens, tokensOf, tokensOfPrompt } from './tokens.ts'

/** The cost of a summary, all tries together. */
export interface ModelUse {
  readonly model: string
  readonly promptVersion: string
  readonly inputTokens: number
  readonly outputTokens: number
  readonly milliseconds: number
}

export type SummaryOutcome =
  | { readonly kind: 'made'; readonly summary: StorySummary; readonly use: ModelUse }
  /** Neither try passed the check; the findings are those of the last one. */
  | { readonly kind: 'refused'; readonly findings: readonly string[]; readonly use: ModelUse }
  /** Not possible now: the budget is used up, or the endpoint fails. */
  | ({ readonly kind: 'later' } & Wait)

export interface Summariser {
  readonly model: string
  /** Summarises an article. `storyId` is null for a preview. */
  summarise(storyId: string | null, document: ArticleDocument): Promise<SummaryOutcome>
  /**
   * Until when the endpoint is paused or the budget is used up; null when a request may be made.
   */
  pause(): Promise<Wait | null>
  /** Tokens of the last hour and the last 24. */
  spent(): Promise<{ hour: number; day: number }>
}

export interface SummariserOptions {
  readonly llm: Endpoint
  /** Asked before each call, and informed of its result. */
  readonly budget: Budget
  readonly now: () => number
  /** Makes the id of a call that begins at this time. */
  readonly newId: (at: number) => string
  readonly log: { warn(about: object, message: string): void }
  /** Time limit of an answer; two minutes by default. */
  readonly timeoutMs?: number
  /** Called at the end of each call. */
  readonly onEnd?: (end: CallEnd) => void
  /** Aborts the call under way when the server stops. */
  readonly stop?: AbortSignal
}

/** Pause after a single failure: a restarting endpoint is back by then. */
const AFTER_FAILURE_MS = 30_000
/** An older first try is not continued. */
const TRIES_KEPT_MS = 24 * 60 * 60_000
/** Statuses by which endpoints ask for a pause. */
const LIMITED: ReadonlySet<number | null> = new Set([429, 503])

const MALFORMED = `${FOUND.unreadable}。`
const CUT_OFF = `${FOUND.cutOff}。`

export function createSummariser(options: SummariserOptions): Summariser {
  const { llm, budget, now, newId, log, timeoutMs = MODEL_TIMEOUT_MS, stop, onEnd = () => {} } = options
  const model = createModel({ llm, now, timeoutMs, stop })

  return {
    model: llm.model,
    async summarise(storyId, document) {
      const begun = storyId === null ? null : await unfinishedTry(budget, storyId, now())
      const use = begun?.use ?? { inputTokens: 0, outputTokens: 0, milliseconds: 0 }
      let previous: PreviousTry | null = begun?.previous ?? null
      for (;;) {
        const tried = await tryOnce(storyId, document, previous)
        if (tried.kind === 'later') return tried
        use.inputTokens += tried.end.inputTokens
        use.outputTokens += tried.end.outputTokens
        use.milliseconds += tried.end.milliseconds
        const whole = { model: llm.model, promptVersion: PROMPT_VERSION, ...use }
        if (tried.summary !== null) return { kind: 'made', summary: tried.summary, use: whole }
        if (previous !== null) return { kind: 'refused', findings: tried.findings, use: whole }
        previous = { answer: tried.answer, findings: tried.findings }
      }
    },
    pause() {
      const least = tokensOfPrompt(writePrompt(NO_ARTICLE, null, newMark())) + model.room
      return budget.wait(least)
    },
    spent: () => budget.spent(),
  }

  async function tryOnce(storyId: string | null, document: ArticleDocument, previous: PreviousTry | null) {
    const prompt = writePrompt(document, previous, newMark())
    const id = newId(now())
    const expected = { inputTokens: tokensOfPrompt(prompt), outputTokens: model.room }
    const about = { id, at: new Date(now()), storyId, model: llm.model, promptVersion: PROMPT_VERSION }
    const wait = await budget.take({ ...about, ...expected })
    if (wait !== null) return later(wait)

    const start = now()
    let answer: ModelAnswer
    try {
      answer = await model.ask(prompt)
    } catch (error) {
      if (!(error instanceof ModelFailure)) throw error
      return failed(id, error, { ...expected, milliseconds: now() - start })
    }
    const judged = judge(document, answer)
    const end: CallEnd = {
      outcome: judged.outcome,
      detail: judged.findings.join('\n'),
      inputTokens: believeTokens(answer.inputTokens, expected.inputTokens),
      outputTokens: believeTokens(answer.outputTokens, tokensOf(answer.text), expected.outputTokens),
      milliseconds: now() - start,
    }
    await budget.end(id, end)
    onEnd(end)
    return { kind: 'answered', answer: answer.text, ...judged, end } as const
  }

  async function failed(id: string, failure: ModelFailure, cost: Omit<CallEnd, 'outcome' | 'detail'>) {
    const at = now()
    // The record stays open, and the call does not count as a failure of the endpoint.
    if (stop?.aborted ?? false) return later({ until: new Date(at), cause: 'failures', reason: 'the server stops' })
    const { message, status, retryAfterMs, mayHaveCost } = failure
    const end: CallEnd = {
      ...(mayHaveCost ? cost : { ...cost, inputTokens: 0, outputTokens: 0 }),
      outcome: LIMITED.has(status) ? 'limited' : 'failed',
      detail: limitedDetail(message, at, retryAfterMs),
    }
    await budget.end(id, end)
    onEnd(end)
    log.warn({ model: llm.model, status }, `news: the language model gave no answer: ${message}`)
    const pause = await budget.wait(0)
    const until = new Date(Math.max(at + AFTER_FAILURE_MS, pause?.until.getTime() ?? 0))
    return later({ until, cause: 'failures', reason: message })
  }
}

const later = (wait: Wait) => ({ kind: 'later', ...wait }) as const

const NO_ARTICLE: ArticleDocument = {
  url: '',
  canonicalUrl: '',
  title: '',
  site: null,
  publishedAt: null,
  language: null,
  imageUrl: null,
  text: '',
  suspicious: [],
}

/**
 * The first try of a story whose second try is missing because the budget was used up or the server
 * stopped in between. Tries come in pairs, so an odd one is such a first try; a story that an
 * administrator restarts begins anew.
 */
async function unfinishedTry(budget: Budget, storyId: string, at: number) {
  const answered = await budget.tries(storyId, new Date(at - TRIES_KEPT_MS))
  const made = answered.findIndex(({ outcome }) => outcome === 'ok')
  const tries = made === -1 ? answered : answered.slice(0, made)
  const [last] = tries
  if (last === undefined || tries.length % 2 === 0) return null
  const { detail, inputTokens, outputTokens, milliseconds } = last
  return {
    previous: { answer: null, findings: detail.split('\n') },
    use: { inputTokens, outputTokens, milliseconds },
  }
}

interface Judgement {
  readonly outcome: 'ok' | 'ungrounded' | 'malformed'
  readonly summary: StorySummary | null
  readonly findings: readonly string[]
}

function judge(document: ArticleDocument, { text, isCut }: ModelAnswer): Judgement {
  const answered = readAnswer(text)
  if (answered === null) return { outcome: 'malformed', summary: null, findings: [isCut ? CUT_OFF : MALFORMED] }
  const summary = withPassages(document, answered)
  const findings = checkSummary(document, summary)
  const standing = findings.length === 0 ? summary : withoutFailing(document, summary)
  return standing === null
    ? { outcome: 'ungrounded', summary: null, findings }
    : { outcome: 'ok', summary: standing, findings: [] }
}

/**
 * Replaces quotes by the article's own spelling, so that its page can show them. A quote that is
 * not found stays, and the checker reports it.
 */
function withPassages({ text }: ArticleDocument, { title, sentences }: StorySummary): StorySummary {
  const passages = createPassages(text)
  return {
    title,
    sentences: sentences.map((sentence) => ({ ...sentence, quote: passages.find(sentence.quote) ?? sentence.quote })),
  }
}

/** The summary without its failing sentences, if enough are left; else null. */
function withoutFailing(document: ArticleDocument, { title, sentences }: StorySummary): StorySummary | null {
  let choices: SummarySentence[][] = [sentences.slice(0, NEWS_SENTENCES_MAX)]
  for (let left = choices[0]!.length; left >= NEWS_SENTENCES_MIN; left -= 1) {
    const standing = choices.find((choice) => checkSummary(document, { title, sentences: choice }).length === 0)
    if (standing !== undefined) return { title, sentences: standing }
    choices = choices.flatMap((choice) => choice.map((_, index) => choice.toSpliced(index, 1)))
  }
  return null
}

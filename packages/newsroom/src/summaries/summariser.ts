/**
 * Makes summaries by a language model: within the budget, judged by rules and by a verifier, with a
 * second try after the findings.
 */
import { NEWS_VERIFIED_MIN } from '@shinobi/contract/limits'
import type { Judge } from '../claims/judge-thread.ts'
import type { Judgement } from '../claims/judge.ts'
import type { ArticleDocument, StorySummary } from '../documents.ts'
import { FOUND } from '../claims/advice.ts'
import { readAnswer, SUMMARY_FORM } from './answer.ts'
import type { Budget, CallEnd, Wait } from './budget.ts'
import { createCall, type CallsOptions, type Worth } from './calls.ts'
import { MODEL_TIMEOUT_MS, type Endpoint } from './endpoint.ts'
import { createModel, type ModelAnswer } from './model.ts'
import { newMark, PROMPT_VERSION, writePrompt, type PreviousTry, type Prompt } from './prompt.ts'
import { tokensOfPrompt } from './tokens.ts'
import { createVerifier, VERDICT_FORM, VERIFIER_PROMPT_VERSION } from './verifier.ts'

/** The cost of a summary, all tries and verdicts together. */
export interface ModelUse extends Pick<CallEnd, 'inputTokens' | 'outputTokens' | 'milliseconds'> {
  readonly model: string
  readonly promptVersion: string
}

export type SummaryOutcome =
  | {
      readonly kind: 'made'
      readonly summary: StorySummary
      readonly use: ModelUse
      /** Why the verifier did not judge it; null when it did, and bore it out. */
      readonly unverified: string | null
      /** Grave words of sentences that name somebody. */
      readonly risks: readonly string[]
    }
  /** Neither try stood; the findings are those of the last one. */
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

/** Address of the models: `model` writes, `verifierModel` judges; they may be the same. */
export interface ModelEndpoint extends Endpoint {
  readonly verifierModel: string
}

type Calling = CallsOptions<Prompt, ModelAnswer>

export interface SummariserOptions
  extends Pick<Calling, 'budget' | 'now' | 'newId' | 'log'>, Partial<Pick<Calling, 'onEnd' | 'stop'>> {
  readonly llm: ModelEndpoint
  readonly judge: Pick<Judge, 'judge'>
  /** As `budget` is of the writing model. */
  readonly verifierBudget: Budget
  /** Time limit of an answer; two minutes by default. */
  readonly timeoutMs?: number
}

/** An older first try is not continued. */
const TRIES_KEPT_MS = 24 * 60 * 60_000

export function createSummariser(options: SummariserOptions): Summariser {
  const { llm, judge, budget, verifierBudget, timeoutMs = MODEL_TIMEOUT_MS, stop, onEnd = () => {} } = options
  const { now, newId, log } = options
  const shared = { now, newId, log, onEnd, stop }
  const model = createModel({ llm, form: SUMMARY_FORM, now, timeoutMs, stop })
  const call = createCall({ ...shared, model, name: llm.model, promptVersion: PROMPT_VERSION, budget })
  const verify = createVerifier(
    createCall({
      ...shared,
      model: createModel({ llm: { ...llm, model: llm.verifierModel }, form: VERDICT_FORM, now, timeoutMs, stop }),
      ...{ name: llm.verifierModel, promptVersion: VERIFIER_PROMPT_VERSION, budget: verifierBudget },
    }),
    now,
  )

  return {
    model: llm.model,
    async summarise(storyId, document) {
      const begun = storyId === null ? null : await unfinishedTry(budget, storyId, now())
      const cost = begun?.use ?? { inputTokens: 0, outputTokens: 0, milliseconds: 0 }
      const total = (): ModelUse => ({ model: llm.model, promptVersion: PROMPT_VERSION, ...cost })
      const add = (end: CallEnd): void => {
        cost.inputTokens += end.inputTokens
        cost.outputTokens += end.outputTokens
        cost.milliseconds += end.milliseconds
      }
      let previous: PreviousTry | null = begun?.previous ?? null
      for (;;) {
        const prompt = writePrompt(document, previous, newMark())
        const tried = await call(storyId, prompt, (answer) => judgeAnswer(judge, document, answer))
        if (tried.kind === 'later') return tried
        add(tried.end)
        const verified = await verifyAll(storyId, document, tried.read, add)
        if (verified.summary !== null) {
          return { kind: 'made', use: total(), ...verified, risks: tried.read.summary?.risks ?? [] }
        }
        if (previous !== null) return { kind: 'refused', findings: verified.findings, use: total() }
        previous = { answer: tried.answer, findings: verified.findings }
      }
    },
    pause() {
      const least = tokensOfPrompt(writePrompt({ title: '', text: '' }, null, newMark())) + model.room
      return budget.wait(least)
    },
    spent: () => budget.spent(),
  }

  /** Keeps what the verifier bears out of a summary that stands by the rules. */
  async function verifyAll(
    storyId: string | null,
    document: ArticleDocument,
    { summary, findings: broken }: Judgement,
    add: (end: CallEnd) => void,
  ) {
    if (summary === null) return { summary: null, findings: broken }
    const { title, sentences, titleClaim, claims } = summary
    const findings: string[] = []
    const refused = new Set<number>()
    let unverified: string | null = null
    for (const [index, claim] of [titleClaim, ...claims].entries()) {
      const verified = await verify(storyId, claim, document.title)
      if (verified.kind === 'later') {
        unverified = verified.reason
        break
      }
      if (verified.end !== null) add(verified.end)
      const { verdict, reason } = verified.verdict
      if (verdict === 'supported') continue
      const place = index === 0 ? '見出し' : `${index}文目`
      findings.push(`${place}: ${FOUND[verdict === 'contradicted' ? 'contradicted' : 'notStated']}（${reason}）。`)
      // Without its title there is no story, so nothing more is asked.
      if (index === 0) return { summary: null, findings }
      refused.add(index - 1)
    }
    const standing = sentences.filter((_, index) => !refused.has(index))
    return standing.length < NEWS_VERIFIED_MIN
      ? { summary: null, findings }
      : { summary: { title, sentences: standing }, unverified }
  }
}

async function judgeAnswer(
  judge: Pick<Judge, 'judge'>,
  document: ArticleDocument,
  { text, isCut }: ModelAnswer,
): Promise<Judgement & Worth> {
  const answered = readAnswer(text)
  if (answered === null) {
    return { outcome: 'malformed', summary: null, findings: [`${isCut ? FOUND.cutOff : FOUND.unreadable}。`] }
  }
  const judged = await judge.judge(document, answered)
  return { ...judged, outcome: judged.summary === null ? 'ungrounded' : 'ok' }
}

/**
 * The first try of a story whose second try is missing because the budget was used up or the server
 * stopped in between. Tries come in pairs, so an odd one is such a first try; a story that an
 * administrator restarts begins anew. So does one whose last try stood by the rules: why the
 * verifier refused it is not recorded.
 */
async function unfinishedTry(budget: Budget, storyId: string, at: number) {
  const tries = await budget.tries(storyId, PROMPT_VERSION, new Date(at - TRIES_KEPT_MS))
  const [last] = tries
  if (last === undefined || last.outcome === 'ok' || tries.length % 2 === 0) return null
  const { detail, inputTokens, outputTokens, milliseconds } = last
  return {
    previous: { answer: null, findings: detail.split('\n') },
    use: { inputTokens, outputTokens, milliseconds },
  }
}

/** Calls of a model: within the budget, and each with its record. */
import { believeTokens, tokensOf } from './tokens.ts'
import { limitedDetail, type Budget, type CallEnd, type Wait } from './budget.ts'
import { ModelFailure, type AskedModel } from './endpoint.ts'

/** What each answer tells for the record of its call. */
export interface Answered {
  /** Empty where the answer is no text. */
  readonly text: string
  /** Null when the endpoint does not report it. */
  readonly inputTokens: number | null
  readonly outputTokens: number | null
}

export interface CallsOptions<Question, Answer> {
  readonly model: AskedModel<Question, Answer>
  /** Name of the model, and version of the prompts, for the record. */
  readonly name: string
  readonly promptVersion: string
  /** Asked before each call, and informed of its result. */
  readonly budget: Budget
  readonly now: () => number
  /** Makes the id of a call that begins at this time. */
  readonly newId: (at: number) => string
  readonly log: { warn(about: object, message: string): void }
  /** Called at the end of each call. */
  readonly onEnd: (end: CallEnd) => void
  /** Aborts the call under way when the server stops. */
  readonly stop: AbortSignal | undefined
}

/** What an answer is worth, for the record of its call. */
export interface Worth {
  readonly outcome: 'ok' | 'ungrounded' | 'malformed'
  readonly findings: readonly string[]
}

/** Pause after a single failure: a restarting endpoint is back by then. */
const AFTER_FAILURE_MS = 30_000

export type Call<Question, Answer extends Answered> = ReturnType<typeof createCall<Question, Answer>>

/** Returns what asks a model within its budget. */
export function createCall<Question, Answer extends Answered>(options: CallsOptions<Question, Answer>) {
  const { model, name, promptVersion, budget, now, newId, log, onEnd, stop } = options

  async function failed(id: string, failure: ModelFailure, cost: Omit<CallEnd, 'outcome' | 'detail'>) {
    const at = now()
    // The record stays open, and the call does not count as a failure of the endpoint.
    if (stop?.aborted ?? false) return later({ until: new Date(at), cause: 'failures', reason: 'the server stops' })
    const { message, status, retryAfterMs, mayHaveCost } = failure
    const end: CallEnd = {
      ...(mayHaveCost ? cost : { ...cost, inputTokens: 0, outputTokens: 0 }),
      // By these statuses endpoints ask for a pause.
      outcome: status === 429 || status === 503 ? 'limited' : 'failed',
      detail: limitedDetail(message, at, retryAfterMs),
    }
    await budget.end(id, end)
    onEnd(end)
    log.warn({ model: name, status }, `news: the model gave no answer: ${message}`)
    const pause = await budget.wait(0)
    const until = new Date(Math.max(at + AFTER_FAILURE_MS, pause?.until.getTime() ?? 0))
    return later({ until, cause: 'failures', reason: message })
  }

  /**
   * Asks for a story.
   * @param read what the answer says, and what it is worth
   */
  return async <T extends Worth>(
    storyId: string | null,
    question: Question,
    read: (answer: Answer) => T | Promise<T>,
  ) => {
    const id = newId(now())
    const expected = { inputTokens: model.tokensOf(question), outputTokens: model.room }
    const about = { id, at: new Date(now()), storyId, model: name, promptVersion }
    const wait = await budget.take({ ...about, ...expected })
    if (wait !== null) return later(wait)

    const start = now()
    let answer: Answer
    try {
      answer = await model.ask(question)
    } catch (error) {
      if (!(error instanceof ModelFailure)) throw error
      return failed(id, error, { ...expected, milliseconds: now() - start })
    }
    const milliseconds = now() - start
    const worth = await read(answer)
    const end: CallEnd = {
      outcome: worth.outcome,
      detail: worth.findings.join('\n'),
      inputTokens: believeTokens(answer.inputTokens, expected.inputTokens),
      outputTokens: believeTokens(answer.outputTokens, tokensOf(answer.text), expected.outputTokens),
      milliseconds,
    }
    await budget.end(id, end)
    onEnd(end)
    return { kind: 'answered', answer: answer.text, read: worth, end } as const
  }
}

/** The answer that none can be had now. */
export const later = (wait: Wait) => ({ kind: 'later', ...wait }) as const

import type { NewsProblem } from '@shinobi/contract/news'

/** Problems that may be over at the next try; all others stay. */
const PASSING: ReadonlySet<NewsProblem> = new Set(['unreachable', 'timeout', 'http_error', 'model_failed'])

/** Something from outside that cannot or may not be used. The message is for the log; `problem` has words in the web app. */
export class NewsRefusal extends Error {
  readonly problem: NewsProblem
  /** How long the other side asks to be left alone (Retry-After); null when it does not say. */
  readonly retryAfterMs: number | null

  constructor(problem: NewsProblem, message: string = problem, retryAfterMs: number | null = null) {
    super(message)
    this.problem = problem
    this.retryAfterMs = retryAfterMs
  }

  /** Whether trying again later may help. */
  get passes(): boolean {
    return PASSING.has(this.problem)
  }
}

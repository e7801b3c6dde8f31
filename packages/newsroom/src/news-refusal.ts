import type { NewsProblem } from '@shinobi/contract/news'

/** Problems that a retry may solve; all others are final. */
const PASSING: ReadonlySet<NewsProblem> = new Set([
  'unreachable',
  'timeout',
  'http_error',
  'unavailable',
  'model_failed',
])

/**
 * An external resource that cannot or may not be used. The message is for the log; the web app has
 * a label for `problem`.
 */
export class NewsRefusal extends Error {
  readonly problem: NewsProblem
  /** How long to wait before the next request (Retry-After); null when the server does not say. */
  readonly retryAfterMs: number | null

  constructor(problem: NewsProblem, message: string = problem, retryAfterMs: number | null = null) {
    super(message)
    this.problem = problem
    this.retryAfterMs = retryAfterMs
  }

  /** Whether a later retry may succeed. */
  get passes(): boolean {
    return PASSING.has(this.problem)
  }
}

/** Retry-After in milliseconds, from seconds or a date; null without a wait. */
export function readRetryAfter(value: string | null | undefined, now: number): number | null {
  const wait = /^\d+(\.\d+)?$/u.test(value ?? '') ? Number(value) * 1_000 : Date.parse(value ?? '') - now
  return Number.isFinite(wait) && wait > 0 ? wait : null
}

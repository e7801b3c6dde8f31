/** The summariser's view of the budget, whose records the caller stores. */
import type { ModelPause } from '@shinobi/contract/news'

export interface NewCall {
  readonly id: string
  readonly at: Date
  readonly storyId: string | null
  readonly model: string
  readonly promptVersion: string
  /** Upper bounds of its cost. */
  readonly inputTokens: number
  readonly outputTokens: number
}

/** The result of a call. */
export interface CallEnd {
  readonly outcome: 'ok' | 'ungrounded' | 'malformed' | 'limited' | 'failed'
  readonly detail: string
  readonly inputTokens: number
  readonly outputTokens: number
  readonly milliseconds: number
}

export interface Wait {
  readonly until: Date
  readonly cause: ModelPause
  readonly reason: string
}

export interface Budget {
  /** Records a call with its maximum cost; or answers until when no call may be made, and why. */
  take(call: NewCall): Promise<Wait | null>
  /** Replaces the maximum cost of a call by its actual one. */
  end(id: string, end: CallEnd): Promise<void>
  /**
   * The finished calls of a story since a time, with prompts of this version, that were answered,
   * whether usefully or not; newest first.
   */
  tries(storyId: string, promptVersion: string, since: Date): Promise<readonly CallEnd[]>
  /** Until when no call of this cost may be made; null when one may. */
  wait(tokens: number): Promise<Wait | null>
  /** Tokens of the last hour and of the last 24. */
  spent(): Promise<{ hour: number; day: number }>
}

/** Admits all calls and records none, where nobody counts them. */
export const UNLIMITED: Budget = {
  take: async () => null,
  end: async () => {},
  tries: async () => [],
  wait: async () => null,
  spent: async () => ({ hour: 0, day: 0 }),
}

/** Longest pause for an endpoint, whatever it asks for. */
export const PAUSE_MAX = 60 * 60_000

/** The record of a call whose endpoint asks for a pause, cut to the longest pause. */
export const limitedDetail = (message: string, at: number, waitMs: number | null): CallEnd['detail'] =>
  waitMs === null ? message : `until ${new Date(at + Math.min(waitMs, PAUSE_MAX)).toISOString()}: ${message}`

/** Until when the endpoint asked for a pause, by the record of a call; null when it did not. */
export const askedUntil = (detail: string): number | null => {
  const time = /^until (\S+Z): /u.exec(detail)?.[1]
  return time === undefined ? null : Date.parse(time)
}

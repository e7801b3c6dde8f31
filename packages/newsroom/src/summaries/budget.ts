/** What the summariser knows of the account that somebody keeps of its calls. */
import type { ModelPause } from '@shinobi/contract/news'

export interface NewCall {
  readonly id: string
  readonly at: Date
  readonly storyId: string | null
  readonly model: string
  readonly promptVersion: string
  /** What it will cost at most. */
  readonly inputTokens: number
  readonly outputTokens: number
}

/** How a call ended. */
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
  /** Puts a call on record with what it may cost; or tells until when none may be made, and why. */
  take(call: NewCall): Promise<Wait | null>
  /** Sets a call right that came to its end. */
  end(id: string, end: CallEnd): Promise<void>
  /** A story's calls since then that were answered, usefully or not, the newest first. */
  tries(storyId: string, since: Date): Promise<readonly CallEnd[]>
  /** Until when no call may be made that costs so much; null when one may. */
  wait(tokens: number): Promise<Wait | null>
  /** Tokens of the last hour and the last 24. */
  spent(): Promise<{ hour: number; day: number }>
}

/** No endpoint is left alone for longer, whatever it asks for. */
export const PAUSE_MAX = 60 * 60_000

/** How the record tells of an endpoint that wants to be left alone for a while. Nobody is obeyed for longer than the longest pause. */
export const limitedDetail = (message: string, at: number, waitMs: number | null): CallEnd['detail'] =>
  waitMs === null ? message : `until ${new Date(at + Math.min(waitMs, PAUSE_MAX)).toISOString()}: ${message}`

/** Until when the endpoint asked to be left alone, by the record of a call; null when it did not. */
export const askedUntil = (detail: string): number | null => {
  const time = /^until (\S+Z): /u.exec(detail)?.[1]
  return time === undefined ? null : Date.parse(time)
}

import { setTimeout as sleep } from 'node:timers/promises'

export interface RetryOptions {
  /** Whether a retry may solve the error. */
  readonly isAway: (error: unknown) => boolean
  /** Called once, with the first such error, before the wait begins. */
  readonly onAway: (error: unknown) => void | Promise<void>
}

/** A compromise between a short wait and the load on a server that is just starting. */
const RETRY_MS = 1_000

/** Retries once a second until it succeeds. @throws any error that is not `isAway` */
export async function retryWhileAway<T>(attempt: () => Promise<T>, { isAway, onAway }: RetryOptions): Promise<T> {
  for (let isFirst = true; ; isFirst = false) {
    try {
      return await attempt()
    } catch (error) {
      if (!isAway(error)) throw error
      if (isFirst) await onAway(error)
    }
    await sleep(RETRY_MS)
  }
}

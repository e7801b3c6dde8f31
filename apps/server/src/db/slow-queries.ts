import type { FastifyBaseLogger } from 'fastify'
import type { Statement } from './activity.ts'

/** A statement of many rows repeats itself. */
const TEXT_MAX = 2_000

export interface SlowQueries {
  /** Looks at a statement that has ended, and logs it when it took too long. The log folds what repeats (logger.ts). */
  see(statement: Statement): void
  /** Slow ones since the start, logged or not. */
  count(): number
}

/** @param slowMs how long a statement may take; 0 never logs */
export function createSlowQueries(log: Pick<FastifyBaseLogger, 'warn'>, slowMs: number): SlowQueries {
  let count = 0
  return {
    see({ text, milliseconds, rows, error }) {
      if (slowMs === 0 || milliseconds < slowMs) return
      count += 1
      log.warn(
        {
          sql: text.replaceAll(/\s+/g, ' ').trim().slice(0, TEXT_MAX),
          ms: Math.round(milliseconds),
          rows,
          ...(error !== null && { failed: true }),
        },
        'slow query',
      )
    },
    count: () => count,
  }
}

import type { FastifyBaseLogger } from 'fastify'
import type { Statement } from './activity.ts'

/** Characters of a logged statement: the rest of longer ones repeats the same for more rows. */
const TEXT_MAX = 2_000

export interface SlowQueries {
  /**
   * Counts a finished statement, and logs it, if it was slow. The logger summarises repeated lines
   * (logger.ts).
   */
  see(statement: Statement): void
  /** Slow statements since the start, logged or not. */
  count(): number
}

/** @param slowMs threshold in milliseconds; 0 disables the log */
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

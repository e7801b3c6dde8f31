import type { FastifyBaseLogger } from 'fastify'
import type { Statement } from './activity.ts'

/** Statements of many rows are repetitive. */
const TEXT_MAX = 2_000

export interface SlowQueries {
  /** Logs a finished statement if it was slow. The log folds repetitions (logger.ts). */
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

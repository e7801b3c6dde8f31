import { LRUCache } from 'lru-cache'
import type { FastifyBaseLogger } from 'fastify'
import type { Statement } from './activity.ts'

/** A text that is slow again within this time is only counted: a board that is slow everywhere must not drown in its own log. */
const QUIET_MS = 1_000
/** Texts whose last line is remembered. */
const TEXTS_MAX = 1_000
/** A statement of many rows repeats itself. */
const TEXT_MAX = 2_000

export interface SlowQueries {
  /** Looks at a statement that has ended, and logs it when it took too long. */
  see(statement: Statement): void
  /** Slow ones since the start, logged or not. */
  count(): number
}

/** @param slowMs how long a statement may take; 0 never logs */
export function createSlowQueries(
  log: Pick<FastifyBaseLogger, 'warn'>,
  slowMs: number,
  now: () => number = () => performance.now(),
): SlowQueries {
  const told = new LRUCache<string, { at: number; leftOut: number }>({ max: TEXTS_MAX })
  let count = 0
  return {
    see({ text, milliseconds, rows, error }) {
      if (slowMs === 0 || milliseconds < slowMs) return
      count += 1
      const at = now()
      const before = told.get(text)
      if (before !== undefined && at - before.at < QUIET_MS) {
        before.leftOut += 1
        return
      }
      told.set(text, { at, leftOut: 0 })
      log.warn(
        {
          sql: text.replaceAll(/\s+/g, ' ').trim().slice(0, TEXT_MAX),
          ms: Math.round(milliseconds),
          rows,
          ...(error !== null && { failed: true }),
          ...(before !== undefined && before.leftOut > 0 && { leftOut: before.leftOut }),
        },
        'slow query',
      )
    },
    count: () => count,
  }
}

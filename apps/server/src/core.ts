import type { FastifyBaseLogger } from 'fastify'
import type { Config } from './config.ts'
import type { Db } from './db/client.ts'
import type { Revisions } from './db/revisions.ts'
import type { Limits } from './http/limits.ts'
import type { Metrics } from './telemetry/figures.ts'
import type { DbFor } from './http/read-from.ts'
import type { ResponseCache } from './http/response-cache.ts'
import type { Sessions } from './http/session.ts'
import type { Visitors } from './http/visitor.ts'
import type { Writability } from './http/writability.ts'
import type { Background } from './lib/background.ts'
import type { KeyLimits } from './lib/key-limit.ts'
import type { Live } from './realtime/live.ts'
import type { Bus } from './redis/bus.ts'

/**
 * The infrastructure below all features. A feature declares the parts that it needs, and the
 * services of earlier features; `board-services.ts` and `app.ts` pass them.
 */
export interface Core {
  readonly config: Config
  readonly db: Db
  /**
   * The database for reading a public answer, once it is tagged: a replica if it has all data of
   * the answer.
   */
  readonly dbFor: DbFor
  /** The same with the connections for searches; for work that `searches` runs. */
  readonly searchDbFor: DbFor
  /** Whether a part of the threads cannot be read or written now (db/workers.ts). */
  readonly isPartlyAway: () => boolean
  readonly log: FastifyBaseLogger
  /** Milliseconds since 1970; tests set their own clock. */
  readonly now: () => number
  /** Secret for hashes and tokens. */
  readonly secret: string
  /** The metrics of /metrics. */
  readonly metrics: Metrics
  /** Connection to the other servers of the board; null where there are none. */
  readonly bus: Bus | null
  readonly cache: ResponseCache
  readonly revisions: Revisions
  readonly writability: Writability
  readonly keyLimit: KeyLimits
  readonly limits: Limits
  readonly sessions: Sessions
  readonly visitors: Visitors
  readonly live: Live
  readonly background: Background
}

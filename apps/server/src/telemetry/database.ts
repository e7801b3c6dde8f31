/** Durations and errors of the database: for /metrics, and for the log of slow queries. */
import type { FastifyBaseLogger } from 'fastify'
import type { DatabaseActivity, Statement } from '../db/activity.ts'
import type { Workers } from '../db/workers.ts'
import { createSlowQueries } from '../db/slow-queries.ts'
import { isPassing } from '../lib/api-error.ts'
import { addCounters, addGauges, addHistogram, type Metrics } from './figures.ts'

export interface WatchDatabaseOptions {
  readonly activity: DatabaseActivity
  readonly workers: Pick<Workers, 'away'>
  readonly metrics: Metrics
  readonly log: FastifyBaseLogger
  /** Threshold in milliseconds for logging a query; 0 disables the log. */
  readonly slowMs: number
}

export function watchDatabase({ activity, workers, metrics, log, slowMs }: WatchDatabaseOptions): { close(): void } {
  const slow = createSlowQueries(log, slowMs)
  const errors = { away: 0, cut_off: 0, rule: 0, other: 0 }
  const observe = addHistogram(metrics, {
    name: 'shinobi_database_query_seconds',
    help: 'Time that queries took, without the wait for a connection',
    buckets: [0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 2.5],
  })
  addCounters(metrics, [
    {
      name: 'shinobi_database_errors_total',
      help: 'Queries that failed: away (no connection, overloaded, disk full, taking too long), cut_off (a search that took too long), rule (a constraint refused it, which is foreseen), other (a bug)',
      label: 'kind',
      read: () => errors,
    },
    {
      name: 'shinobi_database_slow_queries_total',
      help: 'Queries that took longer than SLOW_QUERY_MS',
      read: () => slow.count(),
    },
  ])
  addGauges(metrics, 'sum', [
    {
      name: 'shinobi_database_connections',
      help: 'Connections to PostgreSQL by state (busy, idle), and waiting: queries that wait for one',
      label: 'state',
      read: () => activity.connections() as unknown as Record<string, number>,
    },
  ])
  addGauges(metrics, 'max', [
    {
      name: 'shinobi_database_workers_away',
      help: 'Workers of a Citus cluster that do not answer; 0 on one PostgreSQL',
      read: () => workers.away,
    },
  ])
  const close = activity.watch((statement) => {
    observe(statement.milliseconds / 1_000)
    if (statement.error !== null) errors[kindOf(statement)] += 1
    slow.see(statement)
  })
  return { close }
}

function kindOf({ error, isSearch }: Statement): 'away' | 'cut_off' | 'rule' | 'other' {
  const code = String((error as { code?: unknown }).code)
  // A search for words that are everywhere says nothing about the database.
  if (isSearch && code === '57014') return 'cut_off'
  if (isPassing(error)) return 'away'
  // Class 23 of PostgreSQL's error codes: integrity constraints, on which rules rely.
  return code.startsWith('23') ? 'rule' : 'other'
}

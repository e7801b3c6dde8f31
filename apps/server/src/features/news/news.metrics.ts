/** Metrics of the news. */
import { Counter, Gauge, Histogram } from 'prom-client'
import type { CallEnd } from '@shinobi/newsroom/summaries/budget'
import type { Db } from '../../db/client.ts'
import type { Metrics } from '../../telemetry/figures.ts'
import { selectStanding } from './status.queries.ts'
import type { Counts } from './steps/run.ts'

export interface NewsMetrics {
  /** Records the end of a run in this process; null for a failed one. */
  runEnded(seconds: number, report: Readonly<Counts> | null): void
  /** Records the end of a call of the language model. */
  callEnded(end: CallEnd): void
}

/**
 * Work is counted by the process that does it; the gauge reads the database, so it is the same in
 * all.
 */
export function createNewsMetrics(metrics: Metrics, db: Db): NewsMetrics {
  const registers = [metrics]
  const runs = new Histogram({
    ...{ registers, name: 'shinobi_news_run_seconds', labelNames: ['outcome'] as const },
    help: 'Time that runs of the news took, by outcome (done, failed)',
    buckets: [0.1, 1, 5, 15, 60, 300, 900],
  })
  const items = new Counter({
    ...{ registers, name: 'shinobi_news_items_total', labelNames: ['what'] as const },
    help: 'What runs of the news have done: feeds looked at, articles found, read and skipped, stories begun, published and refused',
  })
  const calls = new Histogram({
    ...{ registers, name: 'shinobi_news_model_call_seconds', labelNames: ['outcome'] as const },
    help: 'Time that calls of the language model took, by outcome (ok, ungrounded, malformed, limited, failed)',
    buckets: [0.5, 1, 2, 5, 10, 30, 60, 120],
  })
  const tokens = new Counter({
    ...{ registers, name: 'shinobi_news_model_tokens_total', labelNames: ['direction'] as const },
    help: 'Tokens that calls of the language model have cost, by direction (input, output)',
  })
  metrics.registerMetric(waitingGauge(db))

  return {
    runEnded(seconds, report) {
      runs.observe({ outcome: report === null ? 'failed' : 'done' }, seconds)
      for (const [what, count] of Object.entries(report ?? {})) items.inc({ what }, count)
    },
    callEnded({ outcome, milliseconds, inputTokens, outputTokens }) {
      calls.observe({ outcome }, milliseconds / 1_000)
      tokens.inc({ direction: 'input' }, inputTokens)
      tokens.inc({ direction: 'output' }, outputTokens)
    },
  }
}

const waitingGauge = (db: Db) =>
  new Gauge({
    ...{ registers: [], name: 'shinobi_news_waiting', labelNames: ['what'] as const, aggregator: 'first' as const },
    help: 'What waits now: stories for an administrator, articles and stories for the next run, sources that failed at their last look',
    async collect() {
      // Without the database this gauge is empty, and /readyz reports the failure. The other
      // metrics are needed then most.
      const standing = await selectStanding(db).catch(() => null)
      if (standing === null) return this.reset()
      this.set({ what: 'approval' }, standing.waiting)
      this.set({ what: 'run' }, standing.pending)
      this.set({ what: 'failing_sources' }, standing.failingSources)
    },
  })

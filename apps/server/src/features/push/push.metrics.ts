/** Results of notices, counted for /metrics. */
import { Counter } from 'prom-client'
import type { Metrics } from '../../telemetry/figures.ts'

export type PushEvent = 'sent' | 'failed_try' | 'refused' | 'gone' | 'given_up'

export interface PushMetrics {
  count(event: PushEvent): void
}

export function createPushMetrics(metrics: Metrics): PushMetrics {
  const events = new Counter({
    ...{ registers: [metrics], name: 'shinobi_push_events_total', labelNames: ['event'] as const },
    help: 'What became of notices by Web Push, by event (sent, failed_try, refused, gone, given_up)',
  })
  return { count: (event) => events.inc({ event }) }
}

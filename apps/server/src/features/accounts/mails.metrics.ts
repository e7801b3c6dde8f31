/** Results of mails, counted for /metrics. */
import { Counter, Gauge } from 'prom-client'
import type { Db } from '../../db/client.ts'
import type { Metrics } from '../../telemetry/figures.ts'
import { countMails } from './mails.queries.ts'

type MailEvent = 'queued' | 'sent' | 'failed_try' | 'given_up'

export interface MailMetrics {
  count(event: MailEvent): void
}

/**
 * Each process counts its own attempts; figures from the database are the same in all processes.
 */
export function createMailMetrics(metrics: Metrics, db: Db): MailMetrics {
  const events = new Counter({
    ...{ registers: [metrics], name: 'shinobi_mail_events_total', labelNames: ['event'] as const },
    help: 'What became of mails, by event (queued, sent, failed_try, given_up)',
  })
  metrics.registerMetric(
    new Gauge({
      ...{ registers: [], name: 'shinobi_mails', labelNames: ['state'] as const, aggregator: 'first' as const },
      help: 'Mails that wait to be sent, and those that were given up in the last days',
      async collect() {
        // /readyz reports a database that is unreachable.
        const counts = await countMails(db).catch(() => null)
        if (counts === null) return this.reset()
        this.set({ state: 'waiting' }, counts.waiting)
        this.set({ state: 'given_up' }, counts.givenUp)
      },
    }),
  )
  return { count: (event) => events.inc({ event }) }
}

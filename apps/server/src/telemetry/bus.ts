/** Metrics of the bus between several servers. Without REDIS_URL they are empty. */
import type { Bus } from '../redis/bus.ts'
import { addCounters, addGauges, type Metrics } from './figures.ts'

export function addBusFigures(metrics: Metrics, bus: Pick<Bus, 'stats'> | null): void {
  const stats = () => bus?.stats() ?? null
  addGauges(metrics, 'sum', [
    {
      name: 'shinobi_redis_links',
      help: 'Processes by their link through Redis: whole (all servers receive the messages of the others), partial (Redis answers, a server is missing), down (Redis does not answer)',
      label: 'state',
      read: () => {
        const now = stats()
        return now === null ? null : { whole: 0, partial: 0, down: 0, [now.state]: 1 }
      },
    },
  ])
  addGauges(metrics, 'max', [
    {
      name: 'shinobi_redis_servers',
      help: 'Processes of the board that are heard through Redis',
      read: () => stats()?.servers ?? null,
    },
    {
      name: 'shinobi_redis_lag_seconds',
      help: 'Time that the last message took to Redis and back',
      read: () => stats()?.lag ?? null,
    },
  ])
  addCounters(metrics, [
    {
      name: 'shinobi_redis_reconnects_total',
      help: 'Connections to Redis that were made again',
      read: () => stats()?.reconnects ?? null,
    },
    {
      name: 'shinobi_redis_messages_total',
      help: 'Messages between servers (dropped answers, tries, heartbeats); live events are not among them',
      label: 'direction',
      read: () => {
        const now = stats()
        return now === null ? null : { sent: now.sent, received: now.received }
      },
    },
  ])
}

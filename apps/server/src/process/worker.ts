/** What a worker does beside serving: it tells the primary that it runs and that it is open, and retires when it is told to. */
import type { Server } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { drainConnections } from '../http/server.ts'
import type { GracefulStop } from './graceful-stop.ts'
import { beatEveryMs } from './heartbeats.ts'
import { isRetire, tellPrimary } from './messages.ts'

/**
 * A retiring worker waits so long for the next request of each connection that is kept open, which it answers with "Connection: close".
 * Whoever has said nothing for so long is unlikely to do so in the moment in which the connection is closed.
 */
const DRAIN_MS = 5_000

/** To be called at the start, so that a worker that never opens is noticed too. */
export function sendHeartbeats(timeoutMs: number): void {
  const timer = setInterval(() => tellPrimary({ type: 'shinobi:alive' }), beatEveryMs(timeoutMs))
  timer.unref()
}

export function retireWhenTold(server: Server, stop: GracefulStop): void {
  process.on('message', (message) => {
    if (isRetire(message)) void retire(server, stop)
  })
}

async function retire(server: Server, stop: GracefulStop): Promise<void> {
  drainConnections(server)
  await sleep(DRAIN_MS)
  server.closeIdleConnections()
  await stop.now('replaced by a new process')
}

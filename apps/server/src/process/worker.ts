/**
 * The worker's side of its supervision: it sends heartbeats, reports when it is open, and retires
 * on request.
 */
import type { Server } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { drainConnections } from '../http/server.ts'
import type { GracefulStop } from './graceful-stop.ts'
import { beatEveryMs } from './heartbeats.ts'
import { isRetire, tellPrimary } from './messages.ts'

/**
 * A retiring worker waits this long for another request on each kept-alive connection, which it
 * answers with "Connection: close". A client that was silent for so long is unlikely to send a
 * request in the moment in which the connection is closed.
 */
const DRAIN_MS = 5_000

/** Call it at the start, so that a worker that never opens is detected too. */
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

/**
 * Signals that the queue of reports or of held posts may have changed. The server adds moderators
 * to their room by the handshake's cookies.
 */
import { connection } from '../../lib/connection.ts'

/** Poll interval without a connection. */
const POLL_MS = 30_000

/**
 * Calls back on the server's event, after a reconnection, and regularly without a connection.
 * @returns unsubscribes
 */
export function onQueueChanged(listener: () => void): () => void {
  const stop = connection.listen({
    queueChanged: listener,
    // Events from before the connection are not repeated.
    onConnect: listener,
    onDisconnect: (final) => {
      // The server has closed the connection: the next API answer gives the reason.
      if (final) listener()
    },
  })
  const poll = setInterval(() => {
    if (!connection.connected && document.visibilityState === 'visible') listener()
  }, POLL_MS)
  return () => {
    clearInterval(poll)
    stop()
  }
}

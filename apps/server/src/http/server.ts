/**
 * The HTTP server of a process. It is created before the app, so that it can listen and answer 503
 * while the database is away (waiting.ts).
 */
import { createServer, type Server } from 'node:http'
import { Server as NetServer } from 'node:net'
import type { FastifyBaseLogger } from 'fastify'
import { SOCKET_PATH } from '@shinobi/contract/events'
import { WatchedResponse } from './unread-answers.ts'

/** A client that takes longer to send its request only occupies a socket. */
export const REQUEST_TIMEOUT_MS = 120_000
/**
 * Headers are a kilobyte, and sent at once. A new connection that sends nothing is closed as well;
 * browsers that opened it in advance open another one.
 */
const HEADERS_MS = 10_000
/**
 * Longer than proxies keep connections (60 to 75 s): if the server closed first, a proxy could just
 * be sending the next request.
 */
const KEEP_ALIVE_MS = 80_000
/**
 * A connection on which no byte is sent or received for so long is closed, also while an answer
 * waits to be read: it would stay in memory until then. Open websockets are not concerned.
 */
const STALLED_AFTER_MS = 120_000
/**
 * Backlog of connections: Node's 511 overflows when all readers of a busy thread reconnect at once.
 */
const BACKLOG = 4_096

export function createHttpServer({ stalledAfterMs = STALLED_AFTER_MS, headersMs = HEADERS_MS } = {}): Server {
  const server: Server = createServer({
    // Programs may offer another protocol besides (Java: h2c), and expect the answer by this one.
    // Nor is there a websocket elsewhere: a connection that is upgraded leaves the limits of time.
    shouldUpgradeCallback: ({ url = '', headers: { upgrade = '' } }) =>
      upgrade.toLowerCase() === 'websocket' && url.startsWith(`${SOCKET_PATH}/`) && server.listenerCount('upgrade') > 0,
    requestTimeout: REQUEST_TIMEOUT_MS,
    headersTimeout: headersMs,
    connectionsCheckingInterval: headersMs / 2,
    keepAliveTimeout: KEEP_ALIVE_MS,
    ServerResponse: WatchedResponse,
  })
  server.timeout = stalledAfterMs
  // Node would answer other expectations than of 100-continue itself, unseen by any limit. A server
  // may ignore them.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  return server
}

export type ListenError = NodeJS.ErrnoException & { readonly port?: number; readonly address?: string }

/** @returns the port. @throws ListenError */
export async function listen(
  server: Server,
  { host, port }: { readonly host: string; readonly port: number },
  log: Pick<FastifyBaseLogger, 'warn'>,
): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  server.once('listening', resolve).once('error', reject)
  server.listen({ host, port, backlog: BACKLOG })
  try {
    await promise
  } catch (error) {
    // An unknown host name fails in another call.
    throw Object.assign(error as Error, { syscall: 'listen' })
  }
  // Without a listener, a connection that cannot be accepted (no free descriptors) would end the
  // process.
  server.off('error', reject).on('error', (error) => log.warn({ err: error }, 'could not accept a connection'))
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : port
}

/**
 * Stops accepting connections. Open ones serve one more request each, whose answer closes them, so
 * that no request is lost to a connection that closes while it is being sent.
 */
export function drainConnections(server: Server): void {
  // The `close` of http.Server would also close idle connections now.
  NetServer.prototype.close.call(server)
  server.maxRequestsPerSocket = 1
}

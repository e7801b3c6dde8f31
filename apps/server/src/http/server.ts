/** The HTTP server of a process: made before the app, so that it may listen and answer 503 while the database is awaited (waiting.ts). */
import { createServer, type Server } from 'node:http'
import { Server as NetServer } from 'node:net'
import type { FastifyBaseLogger } from 'fastify'

/** A client that is slower than this in sending its request only holds a socket. */
export const REQUEST_TIMEOUT_MS = 120_000
/** Longer than proxies keep theirs (60 to 75 s): who closes first must not be the one who may be sent the next request at that moment. */
const KEEP_ALIVE_MS = 80_000
/** Connections that may wait to be taken: Node's 511 overflow when a busy thread's readers all come back at once. */
const BACKLOG = 4_096

export const createHttpServer = (): Server =>
  createServer({ requestTimeout: REQUEST_TIMEOUT_MS, keepAliveTimeout: KEEP_ALIVE_MS })

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
    // A name that leads nowhere fails in another call.
    throw Object.assign(error as Error, { syscall: 'listen' })
  }
  // Without a listener a connection that cannot be taken (no more files) would end the process.
  server.off('error', reject).on('error', (error) => log.warn({ err: error }, 'could not take a connection'))
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : port
}

/**
 * Takes no more connections. Those that are open serve one more request each, whose answer says that they end, so that no
 * request is lost to a connection that closes while it is being sent.
 */
export function drainConnections(server: Server): void {
  // http.Server's own `close` would also close the idle connections now.
  NetServer.prototype.close.call(server)
  server.maxRequestsPerSocket = 1
}

import type { IncomingMessage, Server as HttpServer } from 'node:http'
import type { FastifyBaseLogger } from 'fastify'
import { Server } from 'socket.io'
import { SOCKET_PATH } from '@shinobi/contract/events'
import { SOCKET_MAX_BYTES } from '@shinobi/contract/limits'
import type { Visitor } from '../http/visitor.ts'
import type { LiveServer } from './live.ts'

export interface SocketServerOptions {
  readonly http: HttpServer
  readonly log: FastifyBaseLogger
  /** Whether a page of this origin may connect. */
  readonly isAllowedOrigin: (origin: string, host: string | undefined) => boolean
  /** The client's address, as far as proxies in front are trusted. */
  readonly addressOf: (request: IncomingMessage) => string
  readonly meet: (cookieHeader: string | undefined, address: string) => Visitor
  readonly socketsPerAddress: number
}

/** The realtime socket: websocket transport only (SPEC §7). */
export function createSocketServer(options: SocketServerOptions): LiveServer {
  const { http, log, isAllowedOrigin, addressOf, meet, socketsPerAddress } = options
  const perAddress = new Map<string, number>()

  const io: LiveServer = new Server(http, {
    path: SOCKET_PATH,
    transports: ['websocket'],
    serveClient: false,
    // A 10 MB image as a data URL has 13.98 MB; the default of 1 MB would end the connection instead of answering.
    maxHttpBufferSize: SOCKET_MAX_BYTES,
    // Posts are short and sent to many: compressing each for each costs more than it saves.
    perMessageDeflate: false,
    pingInterval: 25_000,
    pingTimeout: 20_000,
    connectTimeout: 20_000,
    allowRequest: (request, decide) => {
      const { origin, host } = request.headers
      // Browsers always name their origin; programs have no visitor's cookies to misuse.
      decide(null, origin === undefined || isAllowedOrigin(origin, host))
    },
  })

  io.use((socket, next) => {
    const visitor = meet(socket.request.headers.cookie, addressOf(socket.request))
    const open = perAddress.get(visitor.addressHash) ?? 0
    if (open >= socketsPerAddress) return next(new Error('too_many_requests'))
    socket.data.visitor = visitor
    next()
  })

  io.on('connection', (socket) => {
    const { addressHash } = socket.data.visitor
    perAddress.set(addressHash, (perAddress.get(addressHash) ?? 0) + 1)
    socket.on('disconnect', () => {
      const open = perAddress.get(addressHash)! - 1
      if (open === 0) perAddress.delete(addressHash)
      else perAddress.set(addressHash, open)
    })
    // An invalid packet ends in Socket.IO as an error event; without a listener it would be thrown.
    socket.on('error', (error) => log.debug({ err: error }, 'socket error'))
  })
  return io
}

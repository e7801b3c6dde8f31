import type { IncomingMessage, Server as HttpServer } from 'node:http'
import type { FastifyBaseLogger } from 'fastify'
import { Server } from 'socket.io'
import { Encoder } from 'socket.io-parser'
import { SOCKET_PATH } from '@shinobi/contract/events'
import { SOCKET_MAX_BYTES } from '@shinobi/contract/limits'
import { bytesInFlight } from '../http/bytes-in-flight.ts'
import { scopeOf } from '../http/session.ts'
import { addressPrefix, askerOf, type Visitors } from '../http/visitor.ts'
import { toApiError } from '../lib/api-error.ts'
import { makeRequestId, unexpected } from '../lib/request-id.ts'
import { boundFrames } from './bound-frames.ts'
import { CarefulDecoder } from './careful-decoder.ts'
import type { LiveCounts } from './counts.ts'
import { gatherPackets } from './gather-packets.ts'
import { limitEvents } from './limit-events.ts'
import type { Link } from '../redis/link.ts'
import { MODERATORS_ROOM, sessionRoom, type LiveServer, type LiveSocket } from './live.ts'

type EngineSocket = LiveSocket['conn']

export interface SocketServerOptions {
  readonly log: FastifyBaseLogger
  /** Whether a page of this origin may connect. */
  readonly isAllowedOrigin: (origin: string, host: string | undefined) => boolean
  /** The client's address, as far as proxies in front are trusted. */
  readonly addressOf: (request: IncomingMessage) => string
  readonly meet: Visitors['meetSocket']
  readonly meetAgain: Visitors['meetAgain']
  readonly socketsPerAddress: number
  readonly eventsPerSecond: number
  /** Reaches the sockets of other servers. */
  readonly adapter?: Link['socketAdapter'] | undefined
  readonly counts: LiveCounts
  readonly now: () => number
}

export interface SocketServer {
  readonly io: LiveServer
  /** Takes connections from now on. To be called when every listener for them is there. */
  attach(http: HttpServer): void
}

/** The realtime socket: websocket transport only (docs/product.md#realtime). */
export function createSocketServer(options: SocketServerOptions): SocketServer {
  const { log, isAllowedOrigin, addressOf, meet, meetAgain, socketsPerAddress, eventsPerSecond, now } = options
  const { counts } = options
  const perAddress = new Map<string, number>()
  const prefixOf = (request: IncomingMessage): string => addressPrefix(addressOf(request))

  const io: LiveServer = new Server({
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
    parser: { Encoder, Decoder: CarefulDecoder },
    ...(options.adapter !== undefined && { adapter: options.adapter }),
    allowRequest: (request, decide) => {
      const { origin, host } = request.headers
      // Browsers always name their origin; programs have no visitor's cookies to misuse.
      const isKnown = origin === undefined || isAllowedOrigin(origin, host)
      const hasRoom = (perAddress.get(prefixOf(request)) ?? 0) < socketsPerAddress
      if (!isKnown) counts.turnedAway.origin += 1
      else if (!hasRoom) counts.turnedAway.address += 1
      decide(null, isKnown && hasRoom)
    },
  })

  io.use((socket, next) => {
    const { request } = socket
    const identify = async (): Promise<void> => {
      const { cookie, 'user-agent': agent = '' } = request.headers
      const { visitor, recognised } = await meet({ cookieHeader: cookie, address: addressOf(request), agent })
      socket.data = { visitor, recognised }
      if (visitor.member === null) return
      await socket.join(sessionRoom(visitor.member.sessionId))
      if (scopeOf(visitor.member) !== null) await socket.join(MODERATORS_ROOM)
      // A session that ended before the socket was in its room told nobody here.
      await meetAgain(visitor)
    }
    // oxlint-disable promise/no-callback-in-promise -- Socket.IO's middleware is told by a callback
    identify().then(
      () => next(),
      (error: unknown) => {
        counts.turnedAway.identity += 1
        let refusal = toApiError(error)
        if (refusal.code === 'unexpected') {
          const requestId = makeRequestId()
          log.error({ requestId, err: error }, 'a handshake failed')
          refusal = unexpected(requestId)
        }
        // The client reads the code in connect_error: an expired session is renewed before the next try.
        next(Object.assign(new Error(refusal.message), { data: refusal.toAnswer() }))
      },
    )
    // oxlint-enable promise/no-callback-in-promise
  })

  io.on('connection', (socket) => {
    limitEvents(socket, eventsPerSecond, now, counts)
    // Who leaves the namespace but keeps the connection only holds a place.
    socket.on('disconnect', () => socket.conn.close())
    // An invalid packet ends in Socket.IO as an error event; without a listener it would be thrown.
    socket.on('error', (error) => log.debug({ err: error }, 'socket error'))
  })

  function attach(http: HttpServer): void {
    io.attach(http)
    gatherPackets(io)
    const frames = boundFrames(io, {
      budget: bytesInFlight,
      senderOf: (request) => askerOf(addressOf(request)),
      now: () => performance.now(),
    })
    http.once('close', frames.stop)
    // Connections are counted where they are opened and closed, whether or not they ever join a namespace.
    io.engine.on('connection', (connection: EngineSocket) => {
      const address = prefixOf(connection.request)
      perAddress.set(address, (perAddress.get(address) ?? 0) + 1)
      connection.once('close', () => {
        const open = perAddress.get(address)! - 1
        if (open === 0) perAddress.delete(address)
        else perAddress.set(address, open)
      })
    })
  }
  return { io, attach }
}

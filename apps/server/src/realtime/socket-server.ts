import type { IncomingMessage, RequestListener, Server as HttpServer } from 'node:http'
import proxyAddr from '@fastify/proxy-addr'
import type { FastifyBaseLogger } from 'fastify'
import { Server } from 'socket.io'
import { Encoder } from 'socket.io-parser'
import { SOCKET_PATH } from '@shinobi/contract/events'
import { SOCKET_MAX_BYTES } from '@shinobi/contract/limits'
import type { Config } from '../config.ts'
import { bytesInFlight } from '../http/bytes-in-flight.ts'
import { createSourceBuckets } from '../http/floods.ts'
import type { OriginCheck } from '../http/origins.ts'
import type { ProxyTrust } from '../http/proxies.ts'
import { isStaff } from '@shinobi/contract/permissions'
import { addressPrefix, askerOf, sitePrefix, type Visitors } from '../http/visitor.ts'
import { toApiError } from '../lib/api-error.ts'
import { makeRequestId, unexpected } from '../lib/request-id.ts'
import { boundFrames } from './bound-frames.ts'
import { CarefulDecoder } from './careful-decoder.ts'
import { countLive, type LiveCounts } from './counts.ts'
import { batchPackets } from './batch-packets.ts'
import { bucketOfSocket, limitEvents } from './limit-events.ts'
import type { Bus } from '../redis/bus.ts'
import { createLive, MODERATORS_ROOM, sessionRoom, type Live, type LiveServer, type LiveSocket } from './live.ts'

type EngineSocket = LiveSocket['conn']
interface UpgradeRequest extends IncomingMessage {
  /** Engine.IO's reading of the query. */
  readonly _query: Readonly<Record<string, string>>
}

export interface SocketServerOptions {
  readonly config: Pick<Config, 'socketsPerAddress' | 'socketEventsPerSecond'>
  readonly log: FastifyBaseLogger
  readonly now: () => number
  readonly server: HttpServer
  readonly isAllowedOrigin: OriginCheck
  readonly trustsProxy: ProxyTrust
  readonly visitors: Pick<Visitors, 'meetSocket' | 'meetAgain'>
  /** Reaches the sockets of other servers. */
  readonly bus: Pick<Bus, 'socketAdapter'> | null
}

export interface SocketServer {
  readonly io: LiveServer
  readonly live: Live
  readonly counts: LiveCounts
  /** Accepts connections from now on. Call it after all listeners are registered. */
  start(): void
  /** Closes all connections: their clients reconnect to the next server. */
  close(): Promise<void>
}

/**
 * Events of all sockets of a source, as for its requests (http/floods.ts): a bucket that is new
 * with each connection limits nobody who reconnects. Further ones are refused with an answer.
 */
const EVENTS_PER_SECOND = 200
const EVENTS_BURST = 1_500
/**
 * Its messages of any kind, refused events and pings included. Each costs about as much as a cached
 * answer, so there may be as many; two thousand readers send a hundred a second. A connection that
 * sends one too many is closed.
 */
const MESSAGES_PER_SECOND = 2_000
const MESSAGES_BURST = 20_000
/**
 * Its handshakes, which cost half a millisecond each; and how many may come as a burst: the readers
 * behind a carrier's address, who all reconnect when the server has started anew. Refused clients
 * try again, after longer and longer pauses.
 */
const HANDSHAKES_PER_SECOND = 100
const HANDSHAKES_BURST = 1_500
/** An IPv6 /48 may open the sockets of so many addresses. */
const NETWORK_FACTOR = 4

/** The realtime socket: websocket transport only (docs/product.md#realtime). */
export function createSocketServer(options: SocketServerOptions): SocketServer {
  const { config, log, now, server, isAllowedOrigin, trustsProxy, visitors, bus } = options
  const counts = countLive()
  const addressOf = (request: IncomingMessage): string => proxyAddr(request, trustsProxy)
  const perAddress = new Map<string, number>()
  const eventsOf = createSourceBuckets(EVENTS_PER_SECOND, EVENTS_BURST, now)
  const messagesOf = createSourceBuckets(MESSAGES_PER_SECOND, MESSAGES_BURST, now)
  const handshakesOf = createSourceBuckets(HANDSHAKES_PER_SECOND, HANDSHAKES_BURST, now)

  /** The address of a request and its IPv6 network, with the sockets that each may have open. */
  function placesOf(request: IncomingMessage): [key: string, max: number][] {
    const prefix = addressPrefix(addressOf(request))
    const network = sitePrefix(prefix)
    const places: [string, number][] = [[prefix, config.socketsPerAddress]]
    if (network !== null) places.push([network, NETWORK_FACTOR * config.socketsPerAddress])
    return places
  }

  const hasRoom = (request: IncomingMessage): boolean =>
    placesOf(request).every(([key, max]) => (perAddress.get(key) ?? 0) < max)

  /** A source without messages left gets no connection: its first message would close it. */
  function mayShakeHands(request: IncomingMessage): boolean {
    const address = addressOf(request)
    return handshakesOf(address)() && messagesOf(address)()
  }

  const io: LiveServer = new Server({
    path: SOCKET_PATH,
    transports: ['websocket'],
    serveClient: false,
    // A 10 MB image as a data URL has 13.98 MB; with the default of 1 MB the connection would end
    // without an answer.
    maxHttpBufferSize: SOCKET_MAX_BYTES,
    // Posts are short and sent to many: compressing each for each costs more than it saves.
    perMessageDeflate: false,
    pingInterval: 25_000,
    pingTimeout: 20_000,
    connectTimeout: 20_000,
    parser: { Encoder, Decoder: CarefulDecoder },
    ...(bus !== null && { adapter: bus.socketAdapter }),
    allowRequest: (request, decide) => {
      const { origin, host } = request.headers
      // Browsers always send their origin; other programs have no visitor's cookies to misuse.
      const isKnown = origin === undefined || isAllowedOrigin(origin, host)
      const isAllowed = isKnown && hasRoom(request) && mayShakeHands(request)
      if (!isAllowed) counts.turnedAway[isKnown ? 'address' : 'origin'] += 1
      decide(null, isAllowed)
    },
  })

  io.use((socket, next) => {
    const { request } = socket
    const identify = async (): Promise<void> => {
      const { cookie, 'user-agent': agent = '' } = request.headers
      const { visitor, recognised } = await visitors.meetSocket({
        cookieHeader: cookie,
        address: addressOf(request),
        agent,
      })
      socket.data = { visitor, recognised }
      if (visitor.member === null) return
      await socket.join(sessionRoom(visitor.member.sessionId))
      if (isStaff(visitor.member)) await socket.join(MODERATORS_ROOM)
      // A session may have ended before the socket was in its room, where it would have been
      // closed.
      await visitors.meetAgain(visitor)
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
        // The client reads the code in connect_error: an expired session is renewed before the next
        // attempt.
        next(Object.assign(new Error(refusal.message), { data: refusal.toAnswer() }))
      },
    )
    // oxlint-enable promise/no-callback-in-promise
  })

  io.on('connection', (socket) => {
    const ofSource = eventsOf(addressOf(socket.request))
    limitEvents(socket, bucketOfSocket(config.socketEventsPerSecond, now), ofSource, counts)
    // A client that leaves the namespace but keeps the connection only occupies it.
    socket.on('disconnect', () => socket.conn.close())
    // Socket.IO emits an error event for an invalid packet; without a listener it would be thrown.
    socket.on('error', (error) => log.debug({ err: error }, 'socket error'))
  })

  function attach(): void {
    const listeners = server.listeners('request') as RequestListener[]
    io.attach(server)
    // Only upgrades are for Engine.IO: other requests at its path are counted and answered like
    // those at any address.
    server.removeAllListeners('request')
    for (const listener of listeners) server.on('request', listener)
    // A known `sid` is for changing the transport, and there is only one. Engine.IO would accept a
    // second connection for it without a handshake, so that no limit would apply. With a middleware
    // it also reads the bytes that come with a request after `connection`, when they are counted.
    io.engine.use((request: UpgradeRequest, _response: unknown, next: (error?: Error) => void) => {
      next(request._query.sid === undefined ? undefined : new Error('there is no other transport'))
    })
  }

  function start(): void {
    attach()
    batchPackets(io)
    const frames = boundFrames(io, {
      budget: bytesInFlight,
      senderOf: (request) => askerOf(addressOf(request)),
      messagesOf: (request) => messagesOf(addressOf(request)),
      now: () => performance.now(),
    })
    server.once('close', frames.stop)
    // Connections are counted when they are opened and closed, whether or not they join a
    // namespace.
    io.engine.on('connection', (connection: EngineSocket) => {
      const keys = placesOf(connection.request).map(([key]) => key)
      for (const key of keys) perAddress.set(key, (perAddress.get(key) ?? 0) + 1)
      connection.request.socket.once('close', () => {
        for (const key of keys) {
          const open = perAddress.get(key)! - 1
          if (open === 0) perAddress.delete(key)
          else perAddress.set(key, open)
        }
      })
    })
  }
  return {
    io,
    live: createLive(io, counts),
    counts,
    start,
    // Not disconnectSockets, which also reaches the sockets of the other servers.
    close: () => io.close(),
  }
}

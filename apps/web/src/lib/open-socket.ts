/**
 * Opens a socket for connection.ts. Socket.IO is loaded on the first call: reading a list does not
 * need it.
 */
import { SOCKET_RECONNECT_MAX_MS, SOCKET_RECONNECT_MS, SOCKET_TIMEOUT_MS } from '@shinobi/contract/limits'
import type { ClientToServerEvents, ServerToClientEvents } from '@shinobi/contract/events'
import type { ErrorAnswer, ErrorCode } from '@shinobi/contract/errors'
import type { Socket } from 'socket.io-client'
import { loadChunk } from './load-chunk.ts'

type ContractSocket = Socket<ServerToClientEvents, ClientToServerEvents>

/** An acknowledgement that takes longer counts as lost: the post is then sent over HTTP. */
const ACK_TIMEOUT_MS = 10_000

export interface SocketEvents {
  onConnect: () => void
  /** `final`: the socket will not reconnect by itself. */
  onDisconnect: (final: boolean) => void
  /**
   * The server refused the handshake, and the socket does not retry by itself; `unauthorized`: the
   * session has to be renewed first.
   */
  onRefused: (code: ErrorCode | undefined) => void
  onEvent: <Name extends keyof ServerToClientEvents>(
    name: Name,
    ...values: Parameters<ServerToClientEvents[Name]>
  ) => void
}

export interface LiveSocket {
  readonly connected: boolean
  connect: () => void
  disconnect: () => void
  /** Rejects when no answer comes in time, or the connection is lost meanwhile. */
  ask: ContractSocket['emitWithAck']
}

export type OpenSocket = (events: SocketEvents) => Promise<LiveSocket>

export const openSocket: OpenSocket = async (events) => {
  const { io } = await loadChunk(() => import('socket.io-client'))
  const socket: ContractSocket = io({
    path: '/socket.io',
    transports: ['websocket'],
    reconnectionDelay: SOCKET_RECONNECT_MS,
    reconnectionDelayMax: SOCKET_RECONNECT_MAX_MS,
    timeout: SOCKET_TIMEOUT_MS,
    ackTimeout: ACK_TIMEOUT_MS,
    forceNew: true,
    autoConnect: false,
  })
  socket.on('connect', events.onConnect)
  // After "io server disconnect" socket.io does not reconnect by itself.
  socket.on('disconnect', () => events.onDisconnect(!socket.active))
  socket.on('connect_error', (error: Error & { data?: Partial<ErrorAnswer> }) => {
    if (!socket.active) events.onRefused(error.data?.code)
  })
  socket.onAny(events.onEvent)
  return {
    get connected() {
      return socket.connected
    },
    connect: () => void socket.connect(),
    disconnect: () => void socket.disconnect(),
    ask: socket.emitWithAck.bind(socket),
  }
}

/** The realtime socket of a thread page, loaded only when it is needed: reading costs no socket code. */
import { SOCKET_RECONNECT_MAX_MS, SOCKET_RECONNECT_MS, SOCKET_TIMEOUT_MS } from '@shinobi/contract/limits'
import type {
  ClientToServerEvents,
  JoinAck,
  JoinThread,
  LikesChange,
  NewPost,
  PostAck,
  ServerToClientEvents,
  ThreadState,
} from '@shinobi/contract/events'
import type { ErrorAnswer, ErrorCode } from '@shinobi/contract/errors'
import type { Post } from '@shinobi/contract/posts'
import type { Socket } from 'socket.io-client'

/** An acknowledgement that takes longer is as good as lost: the post goes over HTTP then. */
const ACK_TIMEOUT_MS = 10_000

export interface SocketEvents {
  onConnect: () => void
  /** `final`: the socket will not reconnect by itself. */
  onDisconnect: (final: boolean) => void
  /** The server let nobody in, and the socket will not try again by itself; `unauthorized`: the session has to be renewed first. */
  onRefused: (code: ErrorCode | undefined) => void
  onPost: (post: Post, state: ThreadState | undefined) => void
  onChange: (state: ThreadState) => void
  onLikes: (change: LikesChange) => void
  onNotices: () => void
  onPostError: (error: ErrorAnswer & { readonly clientPostId?: string }) => void
}

export interface LiveSocket {
  readonly connected: boolean
  connect: () => void
  disconnect: () => void
  /** Both reject when no answer comes in time, or the line breaks meanwhile. */
  join: (input: JoinThread) => Promise<JoinAck>
  post: (input: NewPost) => Promise<PostAck>
}

export type OpenSocket = (events: SocketEvents) => Promise<LiveSocket>

export const openSocket: OpenSocket = async (events) => {
  const { io } = await import('socket.io-client')
  const socket: Socket<ServerToClientEvents, ClientToServerEvents> = io({
    path: '/socket.io',
    transports: ['websocket'],
    reconnectionDelay: SOCKET_RECONNECT_MS,
    reconnectionDelayMax: SOCKET_RECONNECT_MAX_MS,
    timeout: SOCKET_TIMEOUT_MS,
    forceNew: true,
    autoConnect: false,
  })
  socket.on('connect', events.onConnect)
  // After "io server disconnect" socket.io leaves the reconnecting to us.
  socket.on('disconnect', () => events.onDisconnect(!socket.active))
  socket.on('connect_error', (error: Error & { data?: Partial<ErrorAnswer> }) => {
    if (!socket.active) events.onRefused(error.data?.code)
  })
  socket.on('newPost', (post, state: ThreadState | undefined) => events.onPost(post, state))
  socket.on('threadChanged', events.onChange)
  socket.on('likesChanged', events.onLikes)
  socket.on('noticesChanged', events.onNotices)
  socket.on('postError', events.onPostError)
  return {
    get connected() {
      return socket.connected
    },
    connect: () => void socket.connect(),
    disconnect: () => void socket.disconnect(),
    join: (input) => socket.timeout(ACK_TIMEOUT_MS).emitWithAck('joinThread', input),
    post: (input) => socket.timeout(ACK_TIMEOUT_MS).emitWithAck('newPost', input),
  }
}

import type { Server, Socket } from 'socket.io'
import type { ClientToServerEvents, LikesChange, ServerToClientEvents, ThreadState } from '@shinobi/contract/events'
import type { Post } from '@shinobi/contract/posts'
import type { SocketVisitor } from '../http/visitor.ts'
import { createThrottle } from '../lib/throttle.ts'
import type { LiveCounts } from './counts.ts'

/** Data of a connection. */
export type SocketData = SocketVisitor

export type LiveServer = Server<ClientToServerEvents, ServerToClientEvents, Record<string, never>, SocketData>
export type LiveSocket = Socket<ClientToServerEvents, ServerToClientEvents, Record<string, never>, SocketData>

/** Everybody who has a thread open. */
export const threadRoom = (threadId: string): string => `thread:${threadId}`
export const isThreadRoom = (room: string): boolean => room.startsWith('thread:')
/** The connections of everybody who moderates any category. */
export const MODERATORS_ROOM = 'moderators'
/** The connections of one session, which end with it. */
export const sessionRoom = (sessionId: string): string => `session:${sessionId}`

/**
 * Publishes events to the people in a room, after the commit. Payloads are the same for every
 * viewer and encoded once.
 */
export interface Live {
  newPost(post: Post, state: ThreadState): void
  threadChanged(state: ThreadState): void
  likesChanged(change: LikesChange): void
  /**
   * To everybody on this server: the answer of GET /api/notices has changed. Each server detects
   * that by itself.
   */
  noticesChanged(): void
  /** The threads that people on this server have open. */
  openThreads(): string[]
  /**
   * Sends the state of a thread to the people in its room on this server, so that clients fetch
   * what they missed.
   */
  remind(state: ThreadState): void
  /** To moderators: their queue has changed. At most once a second. */
  queueChanged(): void
  /** Adds the connections of these sessions to the moderators' room, or removes them. */
  setModerating(sessionIds: readonly string[], moderates: boolean): void
  /** Closes the connections of sessions that have ended. */
  endSessions(sessionIds: readonly string[]): void
}

/** Minimum interval of queueChanged: each event makes every moderator send a request. */
const QUEUE_EVERY_MS = 1_000

export function createLive(io: LiveServer, { told }: LiveCounts): Live {
  const queue = createThrottle<'queue', null>({
    everyMs: QUEUE_EVERY_MS,
    merge: () => null,
    tell: () => {
      told.queueChanged += 1
      io.to(MODERATORS_ROOM).emit('queueChanged')
    },
    max: 1_000,
  })
  return {
    newPost: (post, state) => {
      told.newPost += 1
      io.to(threadRoom(post.threadId)).emit('newPost', post, state)
    },
    threadChanged: (state) => {
      told.threadChanged += 1
      io.to(threadRoom(state.threadId)).emit('threadChanged', state)
    },
    likesChanged: (change) => {
      told.likesChanged += 1
      io.to(threadRoom(change.threadId)).emit('likesChanged', change)
    },
    noticesChanged: () => {
      told.noticesChanged += 1
      io.local.emit('noticesChanged')
    },
    openThreads: () =>
      [...io.of('/').adapter.rooms.keys()].filter(isThreadRoom).map((room) => room.slice(threadRoom('').length)),
    remind: (state) => {
      told.threadChanged += 1
      io.local.to(threadRoom(state.threadId)).emit('threadChanged', state)
    },
    queueChanged: () => queue.add('queue', null),
    setModerating: (sessionIds, moderates) => {
      if (sessionIds.length === 0) return
      const connections = io.in(sessionIds.map(sessionRoom))
      if (moderates) connections.socketsJoin(MODERATORS_ROOM)
      else connections.socketsLeave(MODERATORS_ROOM)
      // Their queue has changed or is gone; the next request tells.
      connections.emit('queueChanged')
    },
    endSessions: (sessionIds) => {
      if (sessionIds.length > 0) io.in(sessionIds.map(sessionRoom)).disconnectSockets(true)
    },
  }
}

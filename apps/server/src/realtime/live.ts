import type { Server, Socket } from 'socket.io'
import type { ClientToServerEvents, LikesChange, ServerToClientEvents, ThreadState } from '@shinobi/contract/events'
import type { Post } from '@shinobi/contract/posts'
import type { Visitor } from '../http/visitor.ts'

/** What the server knows of a connection. */
export interface SocketData {
  visitor: Visitor
}

export type LiveServer = Server<ClientToServerEvents, ServerToClientEvents, Record<string, never>, SocketData>
export type LiveSocket = Socket<ClientToServerEvents, ServerToClientEvents, Record<string, never>, SocketData>

/** Everybody who has a thread open. */
export const threadRoom = (threadId: string): string => `thread:${threadId}`
export const isThreadRoom = (room: string): boolean => room.startsWith('thread:')
/** The connections of one session, so that they end with it. */
export const sessionRoom = (sessionId: string): string => `session:${sessionId}`

/** Tells the people in a thread's room what happened, after its commit. Payloads are the same for every viewer and encoded once. */
export interface Live {
  newPost(post: Post, state: ThreadState): void
  threadChanged(state: ThreadState): void
  likesChanged(change: LikesChange): void
  /** Closes the connections of sessions that have ended. */
  endSessions(sessionIds: readonly string[]): void
}

export function createLive(io: LiveServer): Live {
  return {
    newPost: (post, state) => void io.to(threadRoom(post.threadId)).emit('newPost', post, state),
    threadChanged: (state) => void io.to(threadRoom(state.threadId)).emit('threadChanged', state),
    likesChanged: (change) => void io.to(threadRoom(change.threadId)).emit('likesChanged', change),
    endSessions: (sessionIds) => {
      if (sessionIds.length > 0) io.in(sessionIds.map(sessionRoom)).disconnectSockets(true)
    },
  }
}

/**
 * The realtime socket (docs/product.md#realtime): websocket transport only, path /socket.io.
 * Delivery is best effort; post numbers are authoritative. A client that was disconnected asks `GET
 * …/posts?after=` for the posts it missed.
 */
import { z } from 'zod'
import { id } from './common.ts'
import type { ErrorAnswer } from './errors.ts'
import type { HeldAnswer, Post } from './posts.ts'
import { memberPostInput, postInput } from './posts.ts'

export const SOCKET_PATH = '/socket.io'

/** joinThread {threadId, name, isLoggedIn}: enters the room of a thread, leaving any other. */
export const joinThread = z.object({
  threadId: id,
  name: z.unknown().optional().describe('not used: the handshake says who it is'),
  isLoggedIn: z.unknown().optional().describe('not used'),
})
export type JoinThread = z.input<typeof joinThread>

/*
 * The cookies of the handshake identify the socket. A handshake whose access token has expired is
 * refused (connect_error with data.code `unauthorized`): renew the session, then connect again. The
 * server closes a session's sockets when the session ends.
 */

const OVER_THE_SOCKET = { threadId: id, image: z.string().nullish() }
/** newPost {threadId, content, image?, name}: image is a data URL of at most 10 MB. */
export const newPost = postInput.extend(OVER_THE_SOCKET)
export const memberNewPost = memberPostInput.extend(OVER_THE_SOCKET)
export type NewPost = z.input<typeof newPost>

/** The state of a thread: the number of its newest post, and its revision. */
export interface ThreadState {
  readonly threadId: string
  readonly postCount: number
  readonly revision: number
}

/** New counts of likes, by the id of the post or of the thread. */
export interface LikesChange {
  readonly threadId: string
  readonly likes: Readonly<Record<string, number>>
}

/**
 * `recognised`: the handshake had a session or a visitor cookie. Posts on an unrecognised
 * connection cannot be tied to the browser later, so a browser posts over HTTP first, which sets
 * the cookie, and then reconnects.
 */
export type JoinAck = (ThreadState & { readonly recognised: boolean }) | { readonly error: ErrorAnswer }
/** `retryAfter`: seconds until a retry can succeed, as in the HTTP header Retry-After. */
export type PostRefusal = ErrorAnswer & { readonly retryAfter?: number }
/** `held`: the post waits for a moderator's approval. */
export type PostAck = { readonly post: Post } | HeldAnswer | { readonly error: PostRefusal }

export interface ClientToServerEvents {
  joinThread: (input: JoinThread, ack?: (answer: JoinAck) => void) => void
  newPost: (input: NewPost, ack?: (answer: PostAck) => void) => void
}

export interface ServerToClientEvents {
  /** A committed post, with the state of the thread after it. */
  newPost: (post: Post, state: ThreadState) => void
  /** The sender's own newPost was refused. */
  postError: (error: PostRefusal & { readonly clientPostId?: string }) => void
  /**
   * New counts of likes, by post id; the thread's own count is under the thread's id. At most one
   * event per second and thread.
   */
  likesChanged: (change: LikesChange) => void
  /**
   * Something visible changed other than a new post (a removal, a lock): reload what is on screen.
   */
  threadChanged: (state: ThreadState) => void
  /** The answer of `GET /api/notices` has changed. */
  noticesChanged: () => void
  /** The answer of `GET /api/admin/queue` has changed. Sent to moderators only. */
  queueChanged: () => void
}

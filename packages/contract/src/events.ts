/**
 * The realtime socket (docs/product.md#realtime): websocket transport only, path /socket.io.
 * The socket is a hint, the numbers are the truth: who was away asks `GET …/posts?after=` for what is missing.
 */
import { z } from 'zod'
import { id } from './common.ts'
import type { ErrorAnswer } from './errors.ts'
import type { HeldAnswer, Post } from './posts.ts'
import { postInput } from './posts.ts'

export const SOCKET_PATH = '/socket.io'

/** joinThread {threadId, name, isLoggedIn}: enters the room of a thread, leaving any other. */
export const joinThread = z.object({
  threadId: id,
  name: z.string().max(1_000).optional(),
  isLoggedIn: z.boolean().optional(),
})
export type JoinThread = z.input<typeof joinThread>

/*
 * Identity: the socket is who its handshake's cookies say. A handshake with a session whose access token has expired is refused
 * (connect_error with data.code `unauthorized`): renew the session, then connect again. When a session ends, its sockets are closed.
 */

/** newPost {threadId, content, image?, name}: image is a data URL of at most 10 MB. */
export const newPost = postInput.extend({ threadId: id, image: z.string().nullish() })
export type NewPost = z.input<typeof newPost>

/** Where a thread stands: number of its newest post, and its revision. */
export interface ThreadState {
  readonly threadId: string
  readonly postCount: number
  readonly revision: number
}

/** New counts of likes, by the id of the post, or of the thread itself. */
export interface LikesChange {
  readonly threadId: string
  readonly likes: Readonly<Record<string, number>>
}

/**
 * `recognised`: the handshake named a session or a browser (its visitor cookie). Else what is posted over this connection belongs to
 * nobody who comes back: a browser posts over HTTP first, which sets the cookie, and connects again.
 */
export type JoinAck = (ThreadState & { readonly recognised: boolean }) | { readonly error: ErrorAnswer }
/** `retryAfter`: seconds after which another try makes sense, as the header Retry-After says over HTTP. */
export type PostRefusal = ErrorAnswer & { readonly retryAfter?: number }
/** `held`: a moderator looks at it first. */
export type PostAck = { readonly post: Post } | HeldAnswer | { readonly error: PostRefusal }

export interface ClientToServerEvents {
  joinThread: (input: JoinThread, ack?: (answer: JoinAck) => void) => void
  newPost: (input: NewPost, ack?: (answer: PostAck) => void) => void
}

export interface ServerToClientEvents {
  /** A committed post, with the thread's revision that it brought. */
  newPost: (post: Post, state: ThreadState) => void
  /** The own newPost was refused. */
  postError: (error: ErrorAnswer & { readonly clientPostId?: string }) => void
  /** Likes have changed: the new counts by post id; the thread's own stand under its own id. At most one event a second and thread. */
  likesChanged: (change: LikesChange) => void
  /** Something visible changed other than by a new post (a removal, a lock): read again what is on screen. */
  threadChanged: (state: ThreadState) => void
  /** What `GET /api/notices` says has changed. */
  noticesChanged: () => void
  /** To moderators only: what `GET /api/admin/queue` says has changed. */
  queueChanged: () => void
}

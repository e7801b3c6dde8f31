/**
 * One post on its way: over the socket while that is up, else (or with an image) over HTTP. When the socket does not
 * answer, HTTP is tried once with the same clientPostId, so that the server takes whichever came first and only that. So it is when
 * the session behind the socket has ended: over HTTP it is renewed, if it can be.
 */
import type { NewPost, PostAck } from '@shinobi/contract/events'
import type { HeldAnswer, Post } from '@shinobi/contract/posts'
import { ApiError } from '../../lib/api-client.ts'
import type { OutgoingPost } from './api.ts'

/** What the server made of it: a post, or something that a moderator looks at first. */
export type Sent = Post | HeldAnswer

export interface SendRoutes {
  /** Rejects without a socket, or when no answer comes. */
  overSocket: (input: NewPost & { clientPostId: string }) => Promise<PostAck>
  overHttp: (post: OutgoingPost) => Promise<Sent>
}

/** Rejects with an ApiError whose message is fit to be shown. */
export async function sendPost(threadId: string, post: OutgoingPost, routes: SendRoutes): Promise<Sent> {
  if (post.image === null) {
    const { content, name, clientPostId, asStaff } = post
    const input = { threadId, content, name, clientPostId, ...(asStaff && { asStaff }) }
    const ack = await routes.overSocket(input).catch(() => null)
    if (ack !== null && 'post' in ack) return ack.post
    if (ack !== null && 'held' in ack) return ack
    if (ack !== null && 'error' in ack && ack.error.code !== 'unauthorized') {
      const { code, message, retryAfter = null } = ack.error
      throw new ApiError(0, code, message, { retryAfter, fromServer: true })
    }
  }
  return routes.overHttp(post)
}

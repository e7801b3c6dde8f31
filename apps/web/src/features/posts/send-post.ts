/**
 * One post on its way: over the socket while that is up, else (or with an image) over HTTP. When the socket does not
 * answer, HTTP is tried once with the same clientPostId, so that the server takes whichever came first and only that. So it is when
 * the session behind the socket has ended: over HTTP it is renewed, if it can be.
 */
import type { NewPost, PostAck } from '@shinobi/contract/events'
import type { Post } from '@shinobi/contract/posts'
import { ApiError } from '../../lib/api-client.ts'
import type { OutgoingPost } from './api.ts'

export interface SendRoutes {
  /** Rejects without a socket, or when no answer comes. */
  overSocket: (input: NewPost & { clientPostId: string }) => Promise<PostAck>
  overHttp: (post: OutgoingPost) => Promise<Post>
}

/** Rejects with an ApiError whose message is fit to be shown. */
export async function sendPost(threadId: string, post: OutgoingPost, routes: SendRoutes): Promise<Post> {
  if (post.image === null) {
    const { content, name, clientPostId } = post
    const ack = await routes.overSocket({ threadId, content, name, clientPostId }).catch(() => null)
    if (ack !== null && 'post' in ack) return ack.post
    if (ack !== null && ack.error.code !== 'unauthorized')
      throw new ApiError(0, ack.error.code, ack.error.message, { fromServer: true })
  }
  return routes.overHttp(post)
}

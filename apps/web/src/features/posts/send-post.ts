/**
 * Sends a post, with retries. The same text under the same name keeps its clientPostId until the
 * server has acknowledged it, across failures and reloads, so that a resend never duplicates it.
 * Another text is another post.
 */
import type { NewPost, PostAck } from '@shinobi/contract/events'
import type { HeldAnswer, Post } from '@shinobi/contract/posts'
import { ApiError } from '../../lib/api-client.ts'
import { uuidV7 } from '../../lib/uuid-v7.ts'
import type { OutgoingPost } from './api.ts'

/** Stored with the draft; flat strings, as drafts are. */
export interface PostDraft {
  content: string
  /** The id of the last unacknowledged attempt, and what was sent under it. */
  attemptId: string
  attemptOf: string
}

export const EMPTY_DRAFT: PostDraft = { content: '', attemptId: '', attemptOf: '' }

const signature = (content: string, name: string, image: File | null): string =>
  JSON.stringify([content, name, image === null ? null : [image.name, image.size, image.lastModified]])

/** The attempt for this post: the pending one if it is the same, else a new one. */
export function attemptFor(
  draft: PostDraft,
  content: string,
  name: string,
  image: File | null,
): Pick<PostDraft, 'attemptId' | 'attemptOf'> {
  const attemptOf = signature(content, name, image)
  if (draft.attemptId !== '' && draft.attemptOf === attemptOf) return { attemptId: draft.attemptId, attemptOf }
  return { attemptId: uuidV7(), attemptOf }
}

/** The server's result: a post, or one held for a moderator. */
export type Sent = Post | HeldAnswer

export interface SendRoutes {
  /** Rejects without a socket, or when no answer comes. */
  overSocket: (input: NewPost & { clientPostId: string }) => Promise<PostAck>
  overHttp: (post: OutgoingPost) => Promise<Sent>
}

/**
 * Sends over the socket while that is connected, else (or with an image) over HTTP. When the socket
 * does not answer, HTTP is tried once with the same clientPostId, so that the server stores only
 * the first one. The same happens when the socket's session has expired, because HTTP can renew it.
 * Rejects with an ApiError whose message can be displayed.
 */
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

/**
 * Sends a post by the ways that the page has. The same clientPostId is stored once, whichever way
 * it goes, and however often.
 */
import type { NewPost, PostAck, PostRefusal } from '@shinobi/contract/events'
import { messages } from '@shinobi/contract/messages'
import { ApiError } from '../../lib/api-client.ts'
import { writerNow } from '../accounts/session.ts'
import { withProof } from '../shields/with-proof.ts'
import { createPost, type OutgoingPost } from './api.ts'
import { nameAsTyped, nameWithKey } from './nickname.ts'
import { findWriterProblem, type Sent, type UnsentPost } from './unsent/delivery.ts'

export interface SendRoutes {
  /** Rejects without a socket, or when no answer comes. */
  overSocket: (input: NewPost & { clientPostId: string }) => Promise<PostAck>
  overHttp: (post: OutgoingPost) => Promise<Sent>
}

/**
 * Refusals of the socket that HTTP may not repeat: it renews an expired session, and has a limit of
 * its own. The limit of events, which all sockets of an address share, names no time.
 */
const isForHttp = ({ code, retryAfter }: PostRefusal): boolean =>
  code === 'unauthorized' || (code === 'too_many_requests' && retryAfter === undefined)

/**
 * Sends over the socket while that is connected, else (or with an image) over HTTP. When the socket
 * does not answer, HTTP is tried once with the same clientPostId, so that the server stores only
 * the first one. The same happens after a refusal of the socket, not of the post (isForHttp).
 * Rejects with an ApiError whose message can be displayed.
 */
export async function sendPost(threadId: string, post: OutgoingPost, routes: SendRoutes): Promise<Sent> {
  if (post.image === null) {
    const { content, name, clientPostId, asStaff, sage } = post
    const input = { threadId, content, name, clientPostId, ...(asStaff && { asStaff }), ...(sage && { sage }) }
    const ack = await routes.overSocket(input).catch(() => null)
    if (ack !== null && 'post' in ack) return ack.post
    if (ack !== null && 'held' in ack) return ack
    if (ack !== null && 'error' in ack && !isForHttp(ack.error)) {
      const { code, message, retryAfter = null } = ack.error
      throw new ApiError(0, code, message, { retryAfter, fromServer: true })
    }
  }
  return routes.overHttp(post)
}

/** How a composer sends: over the socket of its page, and with its progress on screen. */
export interface Transport {
  readonly overSocket: SendRoutes['overSocket']
  readonly onProgress: (share: number) => void
  readonly onProving: (proving: boolean) => void
  /** After an answer over HTTP, which may have set the visitor cookie. */
  readonly onHttp: () => void
}

/** In the background: the visitor looks at something else. */
const BACKGROUND: Transport = {
  overSocket: () => Promise.reject(new Error('no socket')),
  onProgress: () => {},
  onProving: () => {},
  onHttp: () => {},
}

/** The name with its key, which only the list of chosen names has. */
function typedName({ threadId, name, hasKey }: UnsentPost): string {
  if (!hasKey) return name
  const chosen = nameWithKey(threadId, name)
  if (chosen === undefined) throw new ApiError(0, 'bad_nickname', messages.unsent_key_lost, { fromServer: true })
  return nameAsTyped(chosen)
}

/** Sends an unsent post; `by` is null in the background. */
export async function transmit(post: UnsentPost, by: Transport | null): Promise<Sent> {
  const { overSocket, onProgress, onProving, onHttp } = by ?? BACKGROUND
  const { id: clientPostId, threadId, content, image, asStaff, sage } = post
  const outgoing = { content, name: typedName(post), clientPostId, image, asStaff, sage }
  return withProof(
    () =>
      sendPost(threadId, outgoing, {
        overSocket,
        async overHttp(input) {
          // A proof of work, or a socket that does not answer, takes seconds.
          const problem = findWriterProblem(post, writerNow())
          if (problem !== null) throw problem
          const answer = await createPost(threadId, input, onProgress)
          onHttp()
          return answer
        },
      }),
    onProving,
  )
}

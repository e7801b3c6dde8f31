import { joinThread, memberNewPost, newPost, type JoinAck, type PostAck } from '@shinobi/contract/events'
import { IMAGE_MAX_BYTES, IMAGE_TYPES } from '@shinobi/contract/limits'
import { bytesInFlight } from '../../http/bytes-in-flight.ts'
import type { RefusedPictures } from '../../http/refused-pictures.ts'
import { askerOf } from '../../http/visitor.ts'
import { ApiError, isDiskFailing, refuse, toApiError } from '../../lib/api-error.ts'
import { parseInput } from '../../lib/parse-input.ts'
import { makeRequestId, unexpected } from '../../lib/request-id.ts'
import { isThreadRoom, threadRoom, type LiveSocket } from '../../realtime/live.ts'
import { selectThreadState } from '../threads/threads.queries.ts'
import type { PostsDeps } from './posts.deps.ts'
import { writePost } from './posts.service.ts'

/**
 * Socket events for posting. Every message gets an answer, an acknowledgement or `postError`, and
 * none closes the connection.
 */
export function registerPostsSocket(socket: LiveSocket, deps: PostsDeps): void {
  socket.on('joinThread', async (input, ack) => {
    const answer = asAck<JoinAck>(ack)
    try {
      const { threadId } = parseInput(joinThread, input)
      const joined = threadRoom(threadId)
      const others = [...socket.rooms].filter((room) => isThreadRoom(room) && room !== joined)
      // Join the room before reading the state: a post in between is delivered twice rather than
      // never.
      await socket.join(joined)
      const state = await selectThreadState(deps.db, threadId)
      if (state === undefined) {
        await socket.leave(joined)
        throw refuse('not_found', 'thread_not_found')
      }
      for (const room of others) await socket.leave(room)
      const { recognised } = socket.data
      answer({ threadId, postCount: state.postCount, revision: state.revision, recognised })
    } catch (error) {
      answer({ error: report(error, deps) })
    }
  })

  socket.on('newPost', async (input, ack) => {
    const answer = asAck<PostAck>(ack)
    try {
      deps.writability.require('text')
      const isMember = socket.data.visitor.member !== null
      const { threadId, image, ...post } = parseInput(isMember ? memberNewPost : newPost, input)
      const hasImage = image != null && image !== ''
      if (hasImage) deps.writability.require('picture')
      const write = async (bytes: Buffer | null) => {
        const visitor = await deps.visitors.meetAgain(socket.data.visitor)
        answer(await writePost(deps, visitor, threadId, post, bytes))
      }
      await (hasImage
        ? holding(deps.limits.refusedPictures, askerOf(socket.data.visitor.origin.address), image, write)
        : write(null))
    } catch (error) {
      const refusal = report(error, deps)
      const clientPostId: unknown = (input as { clientPostId?: unknown } | null | undefined)?.clientPostId
      socket.emit(
        'postError',
        typeof clientPostId === 'string' ? { ...refusal, clientPostId: clientPostId.slice(0, 64) } : refusal,
      )
      answer({ error: refusal })
    }
  })
}

/**
 * Counts the bytes of a picture in memory while it is processed.
 * @throws ApiError too_many_requests
 */
async function holding(
  refusedPictures: RefusedPictures,
  source: string,
  image: string,
  work: (bytes: Buffer) => Promise<void>,
): Promise<void> {
  await refusedPictures.requireFew(source)
  if (!bytesInFlight.take(source, image.length)) throw refuse('too_many_requests', 'too_many_requests')
  try {
    await refusedPictures.count(source, async () => work(readDataUrl(image)))
  } finally {
    bytesInFlight.giveBack(source, image.length)
  }
}

/** A client may omit the acknowledgement, or send anything in its place. */
const asAck = <T>(ack: unknown): ((answer: T) => void) =>
  typeof ack === 'function' ? (ack as (answer: T) => void) : () => {}

function report(error: unknown, { log, writability }: PostsDeps) {
  let refusal = toApiError(error)
  if (refusal.code === 'disk_full') writability.noteDiskFull()
  if (refusal.code === 'disk_full' && !(error instanceof ApiError)) log.warn({ err: error }, 'disk full')
  if (isDiskFailing(error)) log.warn({ err: error }, 'disk failing')
  if (refusal.code === 'unexpected') {
    const requestId = makeRequestId()
    log.error({ requestId, err: error }, 'socket event failed')
    refusal = unexpected(requestId)
  }
  return { ...refusal.toAnswer(), ...(refusal.retryAfter !== null && { retryAfter: refusal.retryAfter }) }
}

const DATA_URL = /^data:([a-z0-9.+/-]{1,100})(?:;[a-z0-9=._-]{1,100})*;base64,/i

/** Decodes an image that was sent as a data URL. */
function readDataUrl(text: string): Buffer {
  const head = DATA_URL.exec(text.slice(0, 300))
  if (head === null) throw refuse('bad_image', 'image_broken')
  if (!(IMAGE_TYPES as readonly string[]).includes(head[1]!.toLowerCase()))
    throw refuse('unsupported_media_type', 'image_type')
  if ((text.length - head[0].length) * 0.75 > IMAGE_MAX_BYTES + 3) throw refuse('payload_too_large', 'image_too_large')
  return Buffer.from(text.slice(head[0].length), 'base64')
}

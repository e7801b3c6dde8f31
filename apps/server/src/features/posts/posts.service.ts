import type { HeldAnswer, Post, PostInput } from '@shinobi/contract/posts'
import type { Db } from '../../db/client.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Visitor } from '../../http/visitor.ts'
import { withUpload, type UploadDeps } from '../images/with-upload.ts'
import { answerOnce } from '../../lib/answer-once.ts'
import { refuse } from '../../lib/api-error.ts'
import { uuidv7 } from '../../lib/uuid.ts'
import type { Admission } from '../admission/admission.service.ts'
import type { Holding, HoldReason } from '../admission/holding.ts'
import type { IpLogging } from '../ip-logging/ip-logging.service.ts'
import { pickMarks, toHeldMarks } from '../posters/post-marks.ts'
import type { Live } from '../../realtime/live.ts'
import { claimNickname } from '../threads/nicknames.service.ts'
import { selectThreadState } from '../threads/threads.queries.ts'
import type { PostWeights } from '../threads/threads.post-weight.ts'
import type { NewPostRow } from './numbering.queries.ts'
import { selectPostByClientId } from './posts.queries.ts'
import { toPost } from './posts.view.ts'
import type { PostWriter } from './posts.writer.ts'

/** A published post, or one that is held for a moderator. */
export type PostOutcome = { readonly post: Post } | HeldAnswer

export interface WritePostDeps extends UploadDeps {
  readonly db: Db
  readonly now: () => number
  readonly admission: Pick<Admission, 'admit'>
  readonly holding: Holding
  readonly ipLogging: Pick<IpLogging, 'record'>
  readonly postWeights: PostWeights
  readonly postWriter: Pick<PostWriter, 'write' | 'announce'>
  readonly live: Pick<Live, 'threadChanged'>
}

/**
 * Writes a post to a thread; resolves once the post is committed and numbered, or held. A request
 * repeated with the same `clientPostId` returns the existing post and has no other effect.
 * @param image the bytes of the attached image, or null
 * @throws ApiError bad_nickname without a name, unauthorized (the account is gone), unavailable,
 * any refusal of `admit`, and the image errors
 */
export async function writePost(
  deps: WritePostDeps,
  visitor: Visitor,
  threadId: string,
  input: PostInput,
  image: Buffer | null,
): Promise<PostOutcome> {
  const { clientPostId = null, content, name: nickname, asStaff = false, sage = false } = input
  const { admission, holding, ipLogging, postWeights, postWriter, now } = deps
  if (visitor.member === null && nickname === undefined) throw refuse('bad_nickname', 'nickname_missing')
  // A resend is looked up first when its picture would be processed and counted twice, or when its
  // post may be held: a held post is not decided again.
  const askFirst = image !== null || holding.remembers(visitor)
  return answerOnce<PostOutcome>(
    { askFirst, find: () => findSent(deps, visitor, threadId, clientPostId) },
    async () => {
      const reservation = await admission.admit(visitor, {
        ...{ kind: 'post', threadId, content, nickname, asStaff, sage, hasImage: image !== null },
      })
      try {
        return await withUpload<PostOutcome>(deps, visitor, image, async (stored) => {
          const post = {
            ...{ threadId, id: uuidv7(now()), name: reservation.name, content: reservation.content, image: stored },
            ...{ userId: visitor.member?.id ?? null, visitorId: visitor.visitorId, clientPostId },
            ...(await reservation.marksIn(threadId)),
          }
          // Where a thread is logged, the address is recorded before the post can be read.
          await ipLogging.record(visitor, threadId, post.id)
          const { hold, categoryId } = reservation
          if (hold !== null) {
            const answer = await holdPost(deps, visitor, post, { categoryId, ...hold })
            reservation.commitHeld()
            return answer
          }
          const row = await postWriter.write({ ...post, weight: postWeights.weigh(visitor, threadId) })
          reservation.commit({ threadId, postId: row.id })
          return { post: toPost(row) }
        })
      } finally {
        await reservation.release()
      }
    },
  )
}

/** The result of an earlier request with this id: a post, or a held post. */
async function findSent(
  { db, holding, postWriter, live }: Pick<WritePostDeps, 'db' | 'holding' | 'postWriter' | 'live'>,
  visitor: Visitor,
  threadId: string,
  clientPostId: string | null,
): Promise<PostOutcome | undefined> {
  if (clientPostId === null) return undefined
  const row = await selectPostByClientId(db, threadId, clientPostId)
  if (row === undefined) return holding.find(visitor, threadId, clientPostId)
  // The first request may have been committed on a connection that broke, and never announced.
  if (postWriter.announce([{ row, placed: null }])) {
    const state = await selectThreadState(db, threadId)
    // Its readers see that they lack the newest post; of another, by those after it.
    if (state?.postCount === row.number)
      live.threadChanged({ threadId, postCount: row.number, revision: state.revision })
  }
  return { post: toPost(row) }
}

/**
 * Holds a post. Its nickname is claimed as for a published post, so that nobody else has taken it
 * when the post is approved.
 * @throws ApiError taken: the nickname, or the client's id by an earlier request
 */
async function holdPost(
  { db, now, holding }: Pick<WritePostDeps, 'db' | 'now' | 'holding'>,
  visitor: Visitor,
  { id, threadId, name, content, image, clientPostId, ...marks }: NewPostRow,
  place: HoldReason & { readonly categoryId: string },
): Promise<HeldAnswer> {
  const at = new Date(now())
  const answer = await inTransaction(db, async (tx) => {
    if (visitor.member === null && name !== null && marks.trip == null) {
      await claimNickname(tx, { threadId, nickname: name, visitorId: visitor.visitorId }, at)
    }
    const payload = { name, content, image, ...toHeldMarks(pickMarks(marks)) }
    return holding.hold(tx, visitor, { ...place, id, threadId, clientId: clientPostId, payload, at })
  })
  if (answer === null) throw refuse('taken', 'client_id_reused')
  return answer
}

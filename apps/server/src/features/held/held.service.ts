/**
 * Decisions about held posts and threads: by a moderator, or by the automatic release after a raid.
 */
import type { Transaction } from 'kysely'
import type { RuleKey } from '@shinobi/contract/rules'
import type { Tables } from '../../db/tables.ts'
import { afterCommit, inTransaction } from '../../db/transaction.ts'
import type { HeldDeps } from './held.deps.ts'
import { requirePermission, type Moderator } from '../../http/access-guard.ts'
import type { Visitor } from '../../http/visitor.ts'
import { ApiError, isUniqueViolation, refuse } from '../../lib/api-error.ts'
import { uuidv7 } from '../../lib/uuid.ts'
import { insertAudit } from '../audit/audit.queries.ts'
import { threadFull } from '../admission/places.ts'
import { fromHeldMarks } from '../posters/post-marks.ts'
import { insertPosts } from '../posts/numbering.queries.ts'
import { selectPostByClientId } from '../posts/posts.queries.ts'
import { toWrittenPost } from '../posts/posts.writer.ts'
import { selectThreadOfRequest } from '../threads/threads.queries.ts'
import { linkNextIn } from '../threads/next-threads.ts'
import { lockStandingThread } from '../threads/thread-locks.queries.ts'
import { openThreadIn } from '../threads/threads.service.ts'
import { leaveHeld, lockHeld, markHeld, selectMemberName, type HeldRow } from './held.queries.ts'
import { judgeRelease } from './held.rules.ts'
import { isOwn } from './holding.service.ts'

export type HeldDecision =
  | { readonly action: 'approve' }
  | { readonly action: 'reject'; readonly rule: RuleKey }
  /** Rejects what can no longer be published, which nobody has judged. */
  | { readonly action: 'expire' }

/**
 * Decides about a held post or thread in one transaction. Of two concurrent decisions only the
 * first takes effect.
 * @param moderator null for the automatic release, which approves only what could be posted at this
 * moment, and leaves the rest to a moderator
 * @throws ApiError not_found, forbidden, already_done; locked, thread_full, taken or not_found
 * where it cannot be published
 */
export async function decideHeld(
  deps: HeldDeps,
  moderator: Moderator | null,
  heldId: string,
  decision: HeldDecision,
): Promise<void> {
  const decide = (): Promise<void> => inTransaction(deps.db, (tx) => decideIn(tx, deps, moderator, heldId, decision))
  try {
    await decide()
  } catch (error) {
    // The writer sent it again at the same moment, and that post is stored: the second try finds
    // it.
    if (!isUniqueViolation(error)) throw error
    await decide()
  }
}

async function decideIn(
  tx: Transaction<Tables>,
  deps: HeldDeps,
  moderator: Moderator | null,
  heldId: string,
  decision: HeldDecision,
): Promise<void> {
  const held = await lockHeld(tx, heldId)
  if (held === undefined) throw refuse('not_found', 'held_not_found')
  if (moderator !== null) requirePermission(moderator, 'decideHeld', held.categoryId)
  if (held.status !== 'waiting') throw refuse('already_done', 'held_decided')
  const at = new Date(deps.now())
  const isApproved = decision.action === 'approve'
  const release = isApproved && moderator === null ? await judgeRelease(tx, deps, held) : null
  if (release?.kind === 'leave') {
    await leaveHeld(tx, heldId, release)
    afterCommit(tx, () => deps.live.queueChanged())
    return
  }
  // The log is public: it must show the masked text as well.
  const standing = release?.held ?? held
  const { postId, ...placed } = isApproved ? await publish(tx, deps, standing, at) : nowhere(held)
  const isExpired = decision.action === 'expire'
  await markHeld(tx, heldId, {
    ...{ status: isApproved ? 'approved' : 'rejected', at, threadId: placed.threadId },
    ...(isExpired && { why: 'expired' }),
  })
  await insertAudit(tx, {
    actor: moderator,
    at,
    action: isApproved ? 'held_approve' : 'held_reject',
    categoryId: held.categoryId,
    ...placed,
    postId: held.threadId === null ? null : heldId,
    subject: standing.title ?? standing.payload.title ?? null,
    rule: decision.action === 'reject' ? decision.rule : null,
    details: { held: heldId, kind: held.threadId === null ? 'thread' : 'post', why: held.why },
    isPublic: !isExpired,
  })
  afterCommit(tx, () => {
    deps.live.queueChanged()
    if (isApproved) deps.levels.wrote(held)
    const flag = release?.flag ?? null
    if (flag !== null && placed.threadId !== null && postId !== null)
      deps.words.flagPost({ threadId: placed.threadId, postId, word: flag })
    if (!isApproved) removeImage(deps, held)
  })
}

/**
 * Takes back a held post or thread for its writer: nobody else has seen it, so the log has no
 * entry.
 * @param visitor null for a browser that has never written
 * @throws ApiError not_found, also for what somebody else wrote; already_done
 */
export async function withdrawHeld(deps: HeldDeps, visitor: Visitor | null, heldId: string): Promise<void> {
  await inTransaction(deps.db, async (tx) => {
    const held = await lockHeld(tx, heldId)
    if (held === undefined || visitor === null || !isOwn(held, visitor)) throw refuse('not_found', 'held_not_found')
    if (held.status !== 'waiting') throw refuse('already_done', 'held_decided')
    await markHeld(tx, heldId, { status: 'withdrawn', at: new Date(deps.now()), threadId: held.threadId })
    afterCommit(tx, () => {
      deps.live.queueChanged()
      removeImage(deps, held)
    })
  })
}

function removeImage(deps: HeldDeps, { payload: { image } }: HeldRow): void {
  if (image !== null) deps.background.run(async () => void (await deps.images.remove(image)))
}

interface Placed {
  readonly threadId: string | null
  readonly number: number | null
  /** Null when the post was stored before. */
  readonly postId: string | null
}

const nowhere = ({ threadId }: HeldRow): Placed => ({ threadId, number: null, postId: null })

const publish = (tx: Transaction<Tables>, deps: HeldDeps, held: HeldRow, at: Date): Promise<Placed> =>
  held.threadId === null
    ? publishThread(tx, deps, held)
    : publishPost(tx, deps, { ...held, threadId: held.threadId }, at)

/** Publishes a held post for its writer, under its id and with the next number of the thread. */
async function publishPost(
  tx: Transaction<Tables>,
  deps: HeldDeps,
  held: HeldRow & { readonly threadId: string },
  at: Date,
): Promise<Placed> {
  const { id, threadId, visitorId, userId, clientId, payload } = held
  const before = clientId === null ? undefined : await selectPostByClientId(tx, threadId, clientId)
  if (before !== undefined) return { threadId, number: before.number, postId: null }
  const { content, image } = payload
  const name = await nameOf(tx, held)
  const writer = { name, userId, visitorId, ...fromHeldMarks(payload) }
  const post = { threadId, id, content, image, clientPostId: clientId, ...writer }
  const [place] = await insertPosts(tx, [post], {
    at: at.getTime(),
    postLimit: deps.settings.current.postLimit,
  })
  if (place === undefined) throw refuse('not_found', 'thread_not_found')
  if (place.number === null && place.fullAt !== null) throw threadFull(place.fullAt)
  if (place.number === null) throw place.isLocked ? refuse('locked', 'thread_locked') : writerGone()
  const written = toWrittenPost(post, place, at)
  afterCommit(tx, () => deps.postWriter.announce([written]))
  return { threadId, number: place.number, postId: id }
}

async function publishThread(tx: Transaction<Tables>, deps: HeldDeps, held: HeldRow): Promise<Placed> {
  const { categoryId, visitorId, userId, clientId, payload } = held
  const before = clientId === null ? undefined : await selectThreadOfRequest(tx, clientId)
  if (before !== undefined) return { threadId: before.id, number: 1, postId: null }
  // A new id places the thread in the lists by the time of its approval.
  const id = uuidv7(deps.now())
  const { previousThreadId } = payload
  try {
    if (previousThreadId !== undefined) await lockStandingThread(tx, previousThreadId)
    const postId = await openThreadIn(tx, deps, {
      id,
      categoryId,
      title: payload.title ?? '',
      content: payload.content,
      nickname: await nameOf(tx, held),
      userId,
      visitorId,
      clientThreadId: clientId,
      image: payload.image,
      marks: fromHeldMarks(payload),
    })
    if (postId !== null && previousThreadId !== undefined)
      await linkIfFree(tx, deps, { threadId: id, previousThreadId })
    return { threadId: id, number: 1, postId }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.code === 'unauthorized') throw writerGone()
    if (error.code === 'taken') throw refuse('taken', 'held_name_taken')
    throw error
  }
}

/** Links a held next thread, unless another one was opened while it was held. */
async function linkIfFree(...[tx, deps, threads]: Parameters<typeof linkNextIn>): Promise<void> {
  try {
    await linkNextIn(tx, deps, threads)
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'has_next') throw error
  }
}

const writerGone = (): ApiError => refuse('not_found', 'held_writer_gone')

/** The current name: a member may have changed it. */
async function nameOf(tx: Transaction<Tables>, { userId, payload }: HeldRow): Promise<string | null> {
  if (userId === null) return payload.name
  const user = await selectMemberName(tx, userId)
  if (user === undefined) throw writerGone()
  return user.name
}

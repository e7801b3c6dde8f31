import type { HeldAnswer, Post, PostInput } from '@shinobi/contract/posts'
import { inTransaction } from '../../db/transaction.ts'
import type { Deps } from '../../deps.ts'
import type { Visitor } from '../../http/visitor.ts'
import { withUpload } from '../../http/with-upload.ts'
import { ApiError, refuse } from '../../lib/api-error.ts'
import { foldName } from '../../lib/fold.ts'
import { uuidv7 } from '../../lib/uuid.ts'
import {
  admit,
  meetAtGate,
  requireStaff,
  type Admitted,
  type Candidate,
  type HoldReason,
} from '../admission/admission.service.ts'
import { claimNicknames } from '../threads/nicknames.queries.ts'
import { threadTags } from '../threads/threads.tags.ts'
import { writerName } from '../threads/writer-name.ts'
import { selectPostByClientId, type NewPostRow, type PostRow } from './posts.queries.ts'
import { toPost } from './posts.view.ts'
import type { WrittenPost } from './posts.writer.ts'

/** A post that stands in the thread, or one that a moderator looks at first. */
export type PostOutcome = { readonly post: Post } | HeldAnswer

/** What a client sends, with the name that it will stand under. */
interface NamedPost {
  readonly threadId: string
  /** Null for whoever writes as 名無し. */
  readonly name: string | null
  readonly content: string
  readonly clientPostId: string | null
  readonly asStaff: boolean
}

/**
 * Posts into a thread; resolves once the post is committed and numbered, or held. Sent again with the same `clientPostId`, answers what
 * is there and does nothing else.
 * @param image the bytes of the attached image, or null
 * @throws ApiError bad_nickname without a name, forbidden for a post as staff by anybody else, not_found, locked, spam, unavailable, whatever `admit` refuses, and the image errors
 */
export async function writePost(
  deps: Deps,
  visitor: Visitor,
  threadId: string,
  input: PostInput,
  image: Buffer | null,
): Promise<PostOutcome> {
  const { clientPostId = null, content, asStaff = false } = input
  if (visitor.member === null && input.name === undefined) throw refuse('bad_nickname', 'nickname_missing')
  const post: NamedPost = { threadId, name: writerName(visitor, input.name), content, clientPostId, asStaff }
  // A resend must not pay, and wait, for its picture twice; and what was held once is not decided again.
  const mayBeSent = image !== null || deps.holding.remembers(visitor)
  const before = mayBeSent ? await findSent(deps, visitor, post) : undefined
  if (before !== undefined) return before
  try {
    return await writeNew(deps, visitor, post, image)
  } catch (refusal) {
    // What is refused now may have been sent before, and its answer lost.
    const sent = refusal instanceof ApiError ? await findSent(deps, visitor, post) : undefined
    if (sent !== undefined) return sent
    throw refusal
  }
}

async function writeNew(deps: Deps, visitor: Visitor, post: NamedPost, image: Buffer | null): Promise<PostOutcome> {
  const admitted = await admitPost(deps, visitor, post)
  let isNew = false
  let isWritten = false
  try {
    const stored = await store(deps, visitor, { ...post, content: admitted.content }, admitted.hold, image)
    if (stored.kind === 'held') {
      isNew = stored.isNew
      // It may have been let through since.
      const sent = isNew ? undefined : await findSent(deps, visitor, post)
      return sent ?? deps.holding.toAnswer(stored.id, 'post')
    }
    const { row, placed } = stored.written
    isNew = placed !== null
    isWritten = isNew
    if (!isNew) return answerAgain(deps, row)
    deps.bans.seen(visitor)
    deps.shields.wrote(visitor)
    if (admitted.flag !== null) deps.flagPost({ threadId: row.threadId, postId: row.id, word: admitted.flag })
    return { post: toPost(row) }
  } finally {
    if (!isWritten) admitted.takeBack()
    if (!isNew) await deps.limits.posts.giveBack(visitor)
  }
}

/** Everything that may refuse it, the dear last. Counts against the limit of posts, unless it throws. */
async function admitPost(
  deps: Deps,
  visitor: Visitor,
  { threadId, name, content, asStaff }: NamedPost,
): Promise<Admitted> {
  const place = await deps.admission.places.find(threadId)
  if (place === undefined) throw refuse('not_found', 'thread_not_found')
  if (asStaff) requireStaff(visitor, place.categoryId)
  if (place.isLocked) throw refuse('locked', 'thread_locked')
  const candidate: Candidate = {
    kind: 'post',
    categoryId: place.categoryId,
    threadId,
    title: null,
    content,
    name: visitor.member === null ? name : null,
  }
  meetAtGate(deps, visitor, candidate)
  await deps.limits.posts.take(visitor)
  try {
    return await admit(deps, visitor, candidate)
  } catch (refusal) {
    await deps.limits.posts.giveBack(visitor)
    throw refusal
  }
}

/** What this sending has become before: a post, or something held. */
async function findSent(
  deps: Deps,
  visitor: Visitor,
  { threadId, clientPostId }: NamedPost,
): Promise<PostOutcome | undefined> {
  if (clientPostId === null) return undefined
  const row = await selectPostByClientId(deps.db, threadId, clientPostId)
  if (row !== undefined) return answerAgain(deps, row)
  return deps.holding.find(visitor, threadId, clientPostId)
}

/** A post that was there before: its first sending may have been committed while the connection broke, and announced to nobody. */
function answerAgain(deps: Deps, row: PostRow): PostOutcome {
  announcePosts(deps, [{ row, placed: null }])
  return { post: toPost(row) }
}

type Stored =
  | { readonly kind: 'written'; readonly written: WrittenPost }
  | { readonly kind: 'held'; readonly id: string; readonly isNew: boolean }

/** Picture, and the way into the thread or to those who look at it first; a picture whose post was not stored goes again. */
async function store(
  deps: Deps,
  visitor: Visitor,
  { threadId, name, content, clientPostId, asStaff }: NamedPost,
  reason: HoldReason | null,
  image: Buffer | null,
): Promise<Stored> {
  return withUpload<Stored>(deps, visitor, image, async (stored) => {
    const post = {
      threadId,
      id: uuidv7(deps.now()),
      name,
      content,
      image: stored,
      userId: visitor.member?.id ?? null,
      visitorId: visitor.visitorId,
      clientPostId,
      asStaff,
    }
    // Known before anything can be read, where a thread is logged.
    await deps.ipLogging.record(visitor, threadId, post.id)
    if (reason !== null) {
      const held = await holdPost(deps, visitor, post, reason)
      return { result: { kind: 'held', ...held }, used: held.isNew }
    }
    const weight = deps.voices.weigh(visitor, threadId)
    const written = await deps.postWriter.write({ ...post, weight })
    return { result: { kind: 'written', written }, used: written.row.image?.key === stored?.key }
  })
}

/** Holds a post. Its nickname is claimed as by posting, so that nobody else has it when the post is let through. */
async function holdPost(
  deps: Deps,
  visitor: Visitor,
  { threadId, id, name, content, image, clientPostId, asStaff }: NewPostRow,
  reason: HoldReason,
): Promise<{ readonly id: string; readonly isNew: boolean }> {
  const place = await deps.admission.places.find(threadId)
  if (place === undefined) throw refuse('not_found', 'thread_not_found')
  const at = new Date(deps.now())
  return inTransaction(deps.db, async (tx) => {
    if (visitor.member === null && name !== null) {
      const claim = { threadId, name: foldName(name), visitorId: visitor.visitorId }
      const [owner] = await claimNicknames(tx, [claim], at)
      if (owner !== undefined && owner.ownerId !== visitor.visitorId) throw refuse('taken', 'nickname_taken')
    }
    const payload = { name, content, image, ...(asStaff === true && { asStaff }) }
    return deps.holding.hold(tx, visitor, {
      ...{ id, categoryId: place.categoryId, threadId, clientId: clientPostId, payload, at },
      ...reason,
    })
  })
}

/** What follows a commit: caches forget, other visitors see, the index learns, the ranking moves. */
export function announcePosts(
  deps: Pick<Deps, 'cache' | 'live' | 'search' | 'ranking'>,
  written: readonly WrittenPost[],
): void {
  const tags = new Set<string>([threadTags.lists])
  const threadIds = new Set<string>()
  for (const { row, placed } of written) {
    threadIds.add(row.threadId)
    tags.add(threadTags.tail(row.threadId))
    if (placed !== null) tags.add(threadTags.category(placed.categoryId))
  }
  deps.cache.drop(tags, 'calmly')
  for (const { row, placed } of written) {
    if (placed === null) continue
    deps.live.newPost(toPost(row), { threadId: row.threadId, postCount: row.number, revision: placed.revision })
  }
  deps.search.add(written.map(({ row }) => ({ threadId: row.threadId, number: row.number, text: row.content })))
  deps.ranking.touch(threadIds)
}

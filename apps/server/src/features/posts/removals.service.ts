/**
 * Removal and restoration of posts. A removed post leaves a tombstone with its rule; its text and
 * image stay in the database for a while (see posts-purge.service.ts) and are hidden everywhere
 * from the commit on. Functions whose names end in `In` run in the caller's transaction, which also
 * writes the log entry.
 */
import type { Transaction } from 'kysely'
import type { RuleKey } from '@shinobi/contract/rules'
import type { Core } from '../../core.ts'
import type { Tables } from '../../db/tables.ts'
import { tally } from '../../db/tallies.ts'
import { afterCommit, beforeCommit, inTransaction } from '../../db/transaction.ts'
import { refuse } from '../../lib/api-error.ts'
import { deleteSearchDocuments } from '../search/search.queries.ts'
import { lockThreads, type LockedThread } from '../threads/thread-locks.queries.ts'
import { raiseThreads } from '../threads/threads-state.queries.ts'
import { toExcerpt } from '../threads/threads.excerpt.ts'
import { removalTags, replyTags, threadTags } from '../threads/threads.tags.ts'
import type { PostsDeps } from './posts.deps.ts'
import {
  isWithdrawal,
  lockPosts,
  setRemoved,
  type LockedPost,
  type PostTarget,
  type Removal,
} from './removals.queries.ts'

export type RemovalDeps = Pick<PostsDeps, 'cache' | 'live' | 'search' | 'removedImages' | 'levels'>

/** A removed or restored post, as the log refers to it. */
export interface RemovedPost extends PostTarget {
  readonly number: number
  readonly categoryId: string
  readonly title: string
}

/**
 * Removes one post.
 * @param mayChange throws where posts of the locked thread may not be removed
 * @throws ApiError not_found; already_done for a post that is removed already
 */
export async function removePostIn(
  tx: Transaction<Tables>,
  deps: RemovalDeps,
  target: PostTarget,
  { rule, at }: { readonly rule: RuleKey; readonly at: Date },
  mayChange: (thread: LockedThread) => void,
): Promise<RemovedPost> {
  const { threads, post } = await lockTarget(tx, target, mayChange)
  if (post.deletedAt !== null) throw refuse('already_done', 'post_already_removed')
  const [removed] = await removeOrRestore(tx, deps, threads, [post], { at, rule })
  return removed!
}

/**
 * Removes many posts, of any threads. Leaves out posts that do not exist or are removed already.
 * For more than a few hundred use `removePostsInSteps`: until the transaction ends, posts to their
 * threads wait. Call it once per transaction: it locks the threads in the order of their ids.
 */
export async function removePostsIn(
  tx: Transaction<Tables>,
  deps: RemovalDeps,
  targets: readonly PostTarget[],
  rule: RuleKey,
  at: Date,
): Promise<RemovedPost[]> {
  const { threads, posts } = await lockTargets(tx, targets)
  const standing = posts.filter((post) => post.deletedAt === null)
  return removeOrRestore(tx, deps, threads, standing, { at, rule })
}

/**
 * Restores one post.
 * @param mayChange throws where posts of the locked thread may not be restored
 * @throws ApiError not_found; already_done for a post that is not removed, was removed by its
 * writer, or whose text is deleted
 */
export async function restorePostIn(
  tx: Transaction<Tables>,
  deps: RemovalDeps,
  target: PostTarget,
  mayChange: (thread: LockedThread) => void,
): Promise<RemovedPost> {
  const { threads, post } = await lockTarget(tx, target, mayChange)
  if (post.deletedAt === null) throw refuse('already_done', 'post_not_removed')
  if (post.withdrawn) throw refuse('already_done', 'post_withdrawn')
  if (!post.hasKept) throw refuse('already_done', 'post_purged')
  const [restored] = await removeOrRestore(tx, deps, threads, [post], null)
  return restored!
}

/**
 * Restores many posts. Leaves out posts that are not removed, those that their writers removed, and
 * those whose text is deleted. Call it once per transaction.
 */
export async function restorePostsIn(
  tx: Transaction<Tables>,
  deps: RemovalDeps,
  targets: readonly PostTarget[],
): Promise<RemovedPost[]> {
  const { threads, posts } = await lockTargets(tx, targets)
  const removed = posts.filter((post) => post.deletedAt !== null && !post.withdrawn && post.hasKept)
  return removeOrRestore(tx, deps, threads, removed, null)
}

/**
 * Removes a post for its writer. No undo restores it, and no level is lowered.
 * @param mayRemove throws where the locked post may not be removed
 * @throws ApiError not_found; already_done for a post that is removed already
 */
export async function withdrawPostIn(
  tx: Transaction<Tables>,
  deps: RemovalDeps,
  target: PostTarget,
  at: Date,
  mayRemove: (post: LockedPost, thread: LockedThread) => void | Promise<void>,
): Promise<RemovedPost> {
  const { threads, thread, post } = await lockTarget(tx, target)
  if (thread.removedAt !== null) throw refuse('not_found', 'post_not_found')
  await mayRemove(post, thread)
  if (post.deletedAt !== null) throw refuse('already_done', 'post_already_removed')
  const [removed] = await removeOrRestore(tx, deps, threads, [post], { at, withdrawn: true })
  return removed!
}

/** Posts per transaction: their threads are locked for some milliseconds. */
export const POSTS_AT_ONCE = 200

/**
 * Removes any number of posts in several transactions, so that writers wait only briefly. The
 * caller writes the log entry, with all of them, before.
 * @param also runs in each step's transaction
 * @returns how many were removed
 */
export const removePostsInSteps = (
  deps: RemovalDeps & Pick<Core, 'db'>,
  targets: readonly PostTarget[],
  rule: RuleKey,
  at: Date,
  also: (tx: Transaction<Tables>, removed: readonly RemovedPost[]) => Promise<void> = async () => {},
): Promise<number> =>
  inSteps(deps, targets, async (tx, step) => {
    const removed = await removePostsIn(tx, deps, step, rule, at)
    await also(tx, removed)
    return removed
  })

/** Restores posts in the same way. */
export const restorePostsInSteps = (
  deps: RemovalDeps & Pick<Core, 'db'>,
  targets: readonly PostTarget[],
): Promise<number> => inSteps(deps, targets, (tx, step) => restorePostsIn(tx, deps, step))

async function inSteps(
  { db }: Pick<Core, 'db'>,
  targets: readonly PostTarget[],
  changeStep: (tx: Transaction<Tables>, step: readonly PostTarget[]) => Promise<RemovedPost[]>,
): Promise<number> {
  // Sorted by thread, so that each thread is locked in as few steps as possible.
  const sorted = targets.toSorted(byThread)
  let count = 0
  for (let index = 0; index < sorted.length; index += POSTS_AT_ONCE) {
    const step = sorted.slice(index, index + POSTS_AT_ONCE)
    const changed = await inTransaction(db, (tx) => changeStep(tx, step))
    count += changed.length
  }
  return count
}

const byThread = (one: PostTarget, other: PostTarget): number =>
  one.threadId < other.threadId ? -1 : one.threadId > other.threadId ? 1 : 0

/** @throws ApiError not_found */
async function lockTarget(
  tx: Transaction<Tables>,
  target: PostTarget,
  mayChange: (thread: LockedThread) => void = () => {},
): Promise<{ threads: ReadonlyMap<string, LockedThread>; thread: LockedThread; post: LockedPost }> {
  const { threads, posts } = await lockTargets(tx, [target])
  const thread = threads.get(target.threadId)
  if (thread === undefined) throw refuse('not_found', 'post_not_found')
  mayChange(thread)
  const [post] = posts
  if (post === undefined) throw refuse('not_found', 'post_not_found')
  return { threads, thread, post }
}

async function lockTargets(
  tx: Transaction<Tables>,
  targets: readonly PostTarget[],
): Promise<{ threads: ReadonlyMap<string, LockedThread>; posts: LockedPost[] }> {
  const rows = await lockThreads(tx, [...new Set(targets.map((target) => target.threadId))])
  const threads = new Map(rows.map((row) => [row.id, row]))
  const posts = await lockPosts(tx, targets)
  return { threads, posts: posts.filter((post) => threads.has(post.threadId)) }
}

/** Removes locked posts, or (with null) restores them. */
async function removeOrRestore(
  tx: Transaction<Tables>,
  deps: RemovalDeps,
  threads: ReadonlyMap<string, LockedThread>,
  posts: readonly LockedPost[],
  removal: Removal | null,
): Promise<RemovedPost[]> {
  if (posts.length === 0) return []
  await setRemoved(tx, posts, removal)
  const openings = posts
    .filter((post) => post.number === 1)
    .map(({ threadId, content, image, name, trip, foldedAt }) => {
      const writer = removal === null ? { nickname: name, trip } : { nickname: null, trip: null }
      const isShown = removal === null && foldedAt === null
      return { threadId, ...writer, excerpt: isShown ? toExcerpt(content) : '', image: isShown ? image : null }
    })
  const raised = await raiseThreads(tx, [...new Set(posts.map((post) => post.threadId))], openings)
  if (removal !== null) await deleteSearchDocuments(tx, posts)
  // The removal of a thread subtracted its posts from the tally, and its restoration adds them
  // again.
  const counted = posts.filter((post) => threads.get(post.threadId)!.removedAt === null)
  const ids = counted.map((post) => post.id)
  // Removals of several moderators meet at the tally, and those of one writer at a level.
  beforeCommit(tx, () => tally(tx, 'posts', ids, removal === null ? 1 : -1))
  // Whoever takes back a text has broken no rule. The opening text of a removed thread counts with
  // the thread (noteOpening in moderation).
  if (!isWithdrawal(removal)) {
    const noted = posts.filter((post) => post.number > 1 || threads.get(post.threadId)!.removedAt === null)
    beforeCommit(tx, () => deps.levels.noteRemovals(tx, noted, removal === null))
  }

  afterCommit(tx, () => {
    const threadIds = raised.map(({ id }) => id)
    const categoryIds = threadIds.map((id) => threads.get(id)!.categoryId)
    if (openings.length > 0) deps.cache.drop(removalTags({ threadIds, categoryIds }), 'at once')
    else {
      deps.cache.drop(replyTags(threadIds), 'at once')
      // Of replies, lists show the revision of their thread.
      deps.cache.drop([threadTags.lists, ...categoryIds.map(threadTags.category)], 'throttled')
    }
    if (removal === null) {
      deps.search.add(posts.map(({ threadId, number, content }) => ({ threadId, number, text: content })))
    } else deps.search.remove(posts)
    const pictured = posts.filter((post) => post.image !== null)
    deps.removedImages.lookAtPosts(pictured)
    const tellReaders = (): void => {
      for (const { id, postCount, revision } of raised) {
        deps.live.threadChanged({ threadId: id, postCount, revision })
      }
    }
    // They ask for restored images within a second.
    if (removal === null && pictured.length > 0) void deps.removedImages.settle().then(tellReaders)
    else tellReaders()
  })
  return posts.map(({ threadId, id, number }) => {
    const { categoryId, title } = threads.get(threadId)!
    return { threadId, postId: id, number, categoryId, title }
  })
}

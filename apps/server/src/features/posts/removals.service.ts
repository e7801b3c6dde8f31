/**
 * Posts that are removed, and brought back. A removed post leaves a tombstone with its rule; its text and image stay in the database
 * for a while (see posts-purge.service.ts) and are seen nowhere from the commit on. Functions whose names end in `In` are a part of the caller's
 * transaction, which writes the entry in the log as well.
 */
import type { Transaction } from 'kysely'
import type { RuleKey } from '@shinobi/contract/rules'
import type { Tables } from '../../db/tables.ts'
import { tally } from '../../db/tallies.ts'
import { afterCommit, inTransaction } from '../../db/transaction.ts'
import type { Deps } from '../../deps.ts'
import { refuse } from '../../lib/api-error.ts'
import { SEARCH_TAG } from '../search/search.indexer.ts'
import { deleteSearchDocuments } from '../search/search.queries.ts'
import { lockThreads, type LockedThread } from '../threads/thread-locks.queries.ts'
import { raiseThreads } from '../threads/threads-state.queries.ts'
import { toExcerpt } from '../threads/threads.excerpt.ts'
import { threadTags } from '../threads/threads.tags.ts'
import { lockPosts, setRemoved, type LockedPost, type PostTarget } from './removals.queries.ts'

export type RemovalDeps = Pick<Deps, 'cache' | 'live' | 'search' | 'removedImages'>

/** A post that was removed or restored, as the log names it. */
export interface RemovedPost extends PostTarget {
  readonly number: number
  readonly categoryId: string
  readonly title: string
}

/**
 * Removes one post.
 * @throws ApiError not_found; already_done for a post that was removed before
 */
export async function removePostIn(
  tx: Transaction<Tables>,
  deps: RemovalDeps,
  target: PostTarget,
  rule: RuleKey,
  at: Date,
): Promise<RemovedPost> {
  const { threads, posts } = await lockTargets(tx, [target])
  const [post] = posts
  if (post === undefined) throw refuse('not_found', 'post_not_found')
  if (post.deletedAt !== null) throw refuse('already_done', 'post_already_removed')
  const [removed] = await change(tx, deps, threads, posts, { at, rule })
  return removed!
}

/**
 * Removes many posts, of any threads. Left out are those that do not exist or were removed before. For more than a few hundred use
 * `removePostsInSteps`: until the transaction ends nobody else posts into their threads. Call it once in a transaction: it locks the
 * threads in the order of their ids.
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
  return change(tx, deps, threads, standing, { at, rule })
}

/**
 * Brings one post back as it was.
 * @throws ApiError not_found; already_done for a post that is not removed, or whose text is not kept any more
 */
export async function restorePostIn(
  tx: Transaction<Tables>,
  deps: RemovalDeps,
  target: PostTarget,
): Promise<RemovedPost> {
  const { threads, posts } = await lockTargets(tx, [target])
  const [post] = posts
  if (post === undefined) throw refuse('not_found', 'post_not_found')
  if (post.deletedAt === null) throw refuse('already_done', 'post_not_removed')
  if (isPurged(post)) throw refuse('already_done', 'post_purged')
  const [restored] = await change(tx, deps, threads, posts, null)
  return restored!
}

/** Brings many posts back. Left out are those that are not removed, and those whose text is not kept any more. Once in a transaction. */
export async function restorePostsIn(
  tx: Transaction<Tables>,
  deps: RemovalDeps,
  targets: readonly PostTarget[],
): Promise<RemovedPost[]> {
  const { threads, posts } = await lockTargets(tx, targets)
  const removed = posts.filter((post) => post.deletedAt !== null && !isPurged(post))
  return change(tx, deps, threads, removed, null)
}

/** Posts of one step: their threads are locked for some milliseconds. */
export const POSTS_AT_ONCE = 200

/**
 * Removes any number of posts in transactions of their own, so that nobody who posts waits long. The caller's entry in the log, written
 * before, names them all.
 * @param also a part of each step's transaction
 * @returns how many were removed
 */
export const removePostsInSteps = (
  deps: RemovalDeps & Pick<Deps, 'db'>,
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

/** The same for bringing them back. */
export const restorePostsInSteps = (
  deps: RemovalDeps & Pick<Deps, 'db'>,
  targets: readonly PostTarget[],
): Promise<number> => inSteps(deps, targets, (tx, step) => restorePostsIn(tx, deps, step))

async function inSteps(
  { db }: Pick<Deps, 'db'>,
  targets: readonly PostTarget[],
  changeStep: (tx: Transaction<Tables>, step: readonly PostTarget[]) => Promise<RemovedPost[]>,
): Promise<number> {
  // By thread, so that each is locked in as few steps as may be.
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

/** The text of a post is never empty, until it is not kept any more. */
const isPurged = (post: Pick<LockedPost, 'content'>): boolean => post.content === ''

async function lockTargets(
  tx: Transaction<Tables>,
  targets: readonly PostTarget[],
): Promise<{ threads: ReadonlyMap<string, LockedThread>; posts: LockedPost[] }> {
  const rows = await lockThreads(tx, [...new Set(targets.map((target) => target.threadId))])
  const threads = new Map(rows.map((row) => [row.id, row]))
  const posts = await lockPosts(tx, targets)
  return { threads, posts: posts.filter((post) => threads.has(post.threadId)) }
}

/** Removes locked posts, or (with null) brings them back. */
async function change(
  tx: Transaction<Tables>,
  deps: RemovalDeps,
  threads: ReadonlyMap<string, LockedThread>,
  posts: readonly LockedPost[],
  removal: { readonly at: Date; readonly rule: RuleKey } | null,
): Promise<RemovedPost[]> {
  if (posts.length === 0) return []
  await setRemoved(tx, posts, removal)
  const openings = posts
    .filter((post) => post.number === 1)
    .map(({ threadId, content, image }) => ({
      threadId,
      excerpt: removal === null ? toExcerpt(content) : '',
      image: removal === null ? image : null,
    }))
  const raised = await raiseThreads(tx, [...new Set(posts.map((post) => post.threadId))], openings)
  if (removal !== null) await deleteSearchDocuments(tx, posts)
  // The posts of a removed thread went out of the tally with it, and come back with it.
  const counted = posts.filter((post) => threads.get(post.threadId)!.removedAt === null)
  await tally(
    tx,
    'posts',
    counted.map((post) => post.id),
    removal === null ? 1 : -1,
  )

  afterCommit(tx, () => {
    const tags = new Set<string>([threadTags.lists, SEARCH_TAG])
    for (const { id } of raised) {
      tags.add(threadTags.thread(id)).add(threadTags.tail(id))
      tags.add(threadTags.category(threads.get(id)!.categoryId))
    }
    deps.cache.drop(tags, 'at once')
    for (const { id, postCount, revision } of raised) {
      deps.live.threadChanged({ threadId: id, postCount, revision })
    }
    if (removal === null) {
      deps.search.add(posts.map(({ threadId, number, content }) => ({ threadId, number, text: content })))
    } else deps.search.remove(posts)
    deps.removedImages.lookAtPosts(posts.filter((post) => post.image !== null))
  })
  return posts.map(({ threadId, id, number }) => {
    const { categoryId, title } = threads.get(threadId)!
    return { threadId, postId: id, number, categoryId, title }
  })
}

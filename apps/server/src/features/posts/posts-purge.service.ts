/**
 * Deletes the contents of posts that were removed long enough ago. Works in small transactions:
 * writers wait only briefly, and after a crash the next sweep continues.
 */
import { setImmediate } from 'node:timers/promises'
import { REMOVED_KEPT_DAYS } from '@shinobi/contract/limits'
import type { Core } from '../../core.ts'
import type { ImageStore } from '../images/image-store.ts'
import type { Db } from '../../db/client.ts'
import { inTransaction } from '../../db/transaction.ts'
import { clearPosts, deletePostsUpTo, lockKeptPosts, selectFirstPosts } from './posts-purge.queries.ts'
import type { PostPlace } from './removals.queries.ts'

type PurgeDeps = Pick<Core, 'db'> & { readonly images: ImageStore }

/** Posts per transaction. */
const POSTS_AT_ONCE = 500

/**
 * Clears the text and images of posts that were removed REMOVED_KEPT_DAYS ago.
 * @param before runs in each step's transaction, while the posts still have their text
 */
export async function clearRemovedPosts(
  { db, images }: PurgeDeps,
  before: (tx: Db, posts: readonly PostPlace[]) => Promise<void>,
  now: number,
  signal?: AbortSignal,
): Promise<void> {
  const removedBefore = new Date(now - REMOVED_KEPT_DAYS * 86_400_000)
  while (signal?.aborted !== true) {
    const posts = await inTransaction(db, async (tx) => {
      const kept = await lockKeptPosts(tx, removedBefore, POSTS_AT_ONCE)
      if (kept.length > 0) {
        await before(tx, kept)
        await clearPosts(tx, kept)
      }
      return kept
    })
    // No row refers to them any more: files left by a crash are deleted by the collector.
    for (const { image } of posts) if (image !== null) await images.remove(image)
    if (posts.length < POSTS_AT_ONCE) return
    await setImmediate()
  }
}

/**
 * Deletes the first remaining posts of a thread, with their images.
 * @returns whether there may be more
 */
export async function deletePostsOfThread(
  { db, images }: PurgeDeps,
  threadId: string,
  limit: number,
): Promise<boolean> {
  const posts = await selectFirstPosts(db, threadId, limit)
  if (posts.length === 0) return false
  for (const { image } of posts) if (image !== null) await images.remove(image)
  await deletePostsUpTo(db, threadId, posts.at(-1)!.number)
  return true
}

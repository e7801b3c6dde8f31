/**
 * Forgets what was removed long enough ago. Small steps, each a transaction of its own: nobody waits long, and after a crash the
 * next sweep goes on from where it ended.
 */
import { setImmediate } from 'node:timers/promises'
import { REMOVED_KEPT_DAYS, UNDO_HOURS } from '@shinobi/contract/limits'
import { inTransaction } from '../../db/transaction.ts'
import type { Deps } from '../../deps.ts'
import { clearEvidence } from '../reports/reports.queries.ts'
import {
  clearPosts,
  deleteHeldOf,
  deletePostsUpTo,
  deleteSomeOf,
  deleteThread,
  lockKeptPosts,
  selectFirstPosts,
  selectRemovedThreads,
} from './purge.queries.ts'

export type PurgeDeps = Pick<Deps, 'db' | 'images'>

/** Posts, or rows of another table, of one step. */
const ROWS_AT_ONCE = 500
const THREADS_AT_ONCE = 100
/** Nobody restores a thread any more when its deletion begins, even where the clocks of two servers differ. */
const MARGIN_MS = 3_600_000

/** Clears the text and images of posts that were removed REMOVED_KEPT_DAYS ago. */
export async function purgePosts({ db, images }: PurgeDeps, now: number, signal?: AbortSignal): Promise<void> {
  const before = new Date(now - REMOVED_KEPT_DAYS * 86_400_000)
  while (signal?.aborted !== true) {
    const posts = await inTransaction(db, async (tx) => {
      const kept = await lockKeptPosts(tx, before, ROWS_AT_ONCE)
      if (kept.length > 0) {
        // What was reported of them first: it is found by the posts.
        await clearEvidence(tx, kept)
        await clearPosts(tx, kept)
      }
      return kept
    })
    // No row names them any more: what is left here after a crash, the collector takes away.
    for (const { image } of posts) if (image !== null) await images.remove(image)
    if (posts.length < ROWS_AT_ONCE) return
    await setImmediate()
  }
}

/** Deletes threads that were removed more than UNDO_HOURS ago, with all that hangs on them. */
export async function purgeThreads(deps: PurgeDeps, now: number, signal?: AbortSignal): Promise<void> {
  const before = new Date(now - UNDO_HOURS * 3_600_000 - MARGIN_MS)
  for (;;) {
    const threadIds = await selectRemovedThreads(deps.db, before, THREADS_AT_ONCE)
    for (const threadId of threadIds) {
      if (!(await purgeThread(deps, threadId, signal))) return
    }
    if (threadIds.length < THREADS_AT_ONCE) return
  }
}

/** False when it was stopped before the end. */
async function purgeThread({ db, images }: PurgeDeps, threadId: string, signal?: AbortSignal): Promise<boolean> {
  const isStopped = (): boolean => signal?.aborted === true
  for (;;) {
    if (isStopped()) return false
    const posts = await selectFirstPosts(db, threadId, ROWS_AT_ONCE)
    if (posts.length === 0) break
    for (const { image } of posts) if (image !== null) await images.remove(image)
    await deletePostsUpTo(db, threadId, posts.at(-1)!.number)
    await setImmediate()
  }
  while (await deleteSomeOf(db, threadId, ROWS_AT_ONCE)) {
    if (isStopped()) return false
    await setImmediate()
  }
  for (const image of await deleteHeldOf(db, threadId)) await images.remove(image)
  await deleteThread(db, threadId)
  return true
}

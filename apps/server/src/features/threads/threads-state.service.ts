/**
 * Threads that are locked, pinned, moved, removed and brought back. Functions whose names end in `In` are a part of the caller's
 * transaction, which writes the entry in the log as well.
 */
import type { Transaction } from 'kysely'
import type { AuditAction } from '@shinobi/contract/audit-labels'
import type { ThreadPin } from '@shinobi/contract/threads'
import type { Tables } from '../../db/tables.ts'
import { afterCommit } from '../../db/transaction.ts'
import type { Deps } from '../../deps.ts'
import type { Moderator } from '../../http/session.ts'
import { refuse } from '../../lib/api-error.ts'
import { isTooOldToUndo } from '../audit/audit.rules.ts'
import { holdCategory } from '../categories/categories.queries.ts'
import { SEARCH_TAG } from '../search/search.indexer.ts'
import { lockThreads, type LockedThread } from './thread-locks.queries.ts'
import { setThreadRemoved, tallyThread, updateThreadState, type RaisedState } from './threads-state.queries.ts'
import { threadTags } from './threads.tags.ts'

/** What moderators may set; what is left out stays as it is. */
export interface ThreadChange {
  readonly locked?: boolean | undefined
  readonly pinned?: ThreadPin | null | undefined
  readonly categoryId?: string | undefined
}

/** How a thread stood before and after: `before` given to `changeThreadIn` takes the change back. */
export interface ChangedThread {
  readonly threadId: string
  readonly title: string
  readonly before: Required<ThreadChange> & { readonly categoryId: string }
  readonly after: Required<ThreadChange> & { readonly categoryId: string }
}

export type ThreadStateDeps = Pick<Deps, 'cache' | 'live' | 'removedImages'>

/**
 * Locks, pins or moves a thread, or takes such back.
 * @throws ApiError not_found (also for a thread that was removed); bad_category; already_done when it stands so already
 */
export async function changeThreadIn(
  tx: Transaction<Tables>,
  deps: ThreadStateDeps & Pick<Deps, 'moveWithThreads'>,
  threadId: string,
  change: ThreadChange,
  at: Date,
): Promise<ChangedThread> {
  const thread = await lockThread(tx, threadId)
  if (thread.removedAt !== null) throw refuse('not_found', 'thread_not_found')
  const before = { locked: thread.lockedAt !== null, pinned: thread.pinned, categoryId: thread.categoryId }
  const after = {
    locked: change.locked ?? before.locked,
    pinned: change.pinned === undefined ? before.pinned : change.pinned,
    categoryId: change.categoryId ?? before.categoryId,
  }
  const moves = after.categoryId !== before.categoryId
  if (!moves && after.locked === before.locked && after.pinned === before.pinned) {
    throw refuse('already_done', 'thread_unchanged')
  }
  if (moves) {
    if (!(await holdCategory(tx, after.categoryId))) throw refuse('bad_category', 'category_not_found')
    await deps.moveWithThreads(tx, [threadId], after.categoryId)
  }
  const raised = await updateThreadState(tx, threadId, {
    lockedAt: after.locked ? (thread.lockedAt ?? at) : null,
    pinned: after.pinned,
    categoryId: after.categoryId,
  })
  announceIn(tx, deps, threadId, [before.categoryId, after.categoryId], raised)
  return { threadId, title: thread.title, before, after }
}

/** What is pinned to the board stands above the threads of every category. @throws ApiError forbidden */
export function requirePinScope({ scope }: Moderator, now: ThreadChange['pinned'], { pinned }: ThreadChange): void {
  const isOfBoard = pinned === 'board' || now === 'board'
  if (pinned !== undefined && isOfBoard && scope !== 'all') throw refuse('forbidden', 'out_of_scope')
}

/** What an undo or a change of a thread is called in the log. */
export function actionOf({ before, after }: ChangedThread): AuditAction {
  if (before.categoryId !== after.categoryId) return 'thread_move'
  if (before.locked !== after.locked) return after.locked ? 'thread_lock' : 'thread_unlock'
  return after.pinned === null ? 'thread_unpin' : 'thread_pin'
}

/** Only what has changed: an undo gives `before` back to `changeThreadIn`, and leaves alone what others have changed since. */
export function changedParts({ before, after }: ChangedThread): { before: ThreadChange; after: ThreadChange } {
  const keys = (['locked', 'pinned', 'categoryId'] as const).filter((key) => before[key] !== after[key])
  const pick = (state: ThreadChange): ThreadChange => Object.fromEntries(keys.map((key) => [key, state[key]]))
  return { before: pick(before), after: pick(after) }
}

/** A thread that was removed or restored, as the log names it. */
export interface RemovedThread {
  readonly threadId: string
  readonly categoryId: string
  readonly title: string
}

/**
 * Removes a thread: from the commit on nobody finds it. What it holds is deleted after UNDO_HOURS, in small steps.
 * @throws ApiError not_found; already_done
 */
export async function removeThreadIn(
  tx: Transaction<Tables>,
  deps: ThreadStateDeps,
  threadId: string,
  at: Date,
): Promise<RemovedThread> {
  const thread = await lockThread(tx, threadId)
  if (thread.removedAt !== null) throw refuse('already_done', 'thread_already_removed')
  return setRemovedIn(tx, deps, thread, at)
}

/**
 * Brings a removed thread back as it was.
 * @throws ApiError not_found; already_done when it is not removed, or was so too long ago
 */
export async function restoreThreadIn(
  tx: Transaction<Tables>,
  deps: ThreadStateDeps,
  threadId: string,
  at: Date,
): Promise<RemovedThread> {
  const thread = await lockThread(tx, threadId)
  if (thread.removedAt === null) throw refuse('already_done', 'thread_not_removed')
  if (isTooOldToUndo({ at: thread.removedAt }, at.getTime())) throw refuse('already_done', 'action_too_old')
  return setRemovedIn(tx, deps, thread, null)
}

/** @throws ApiError not_found */
export async function lockThread(tx: Transaction<Tables>, threadId: string): Promise<LockedThread> {
  const [thread] = await lockThreads(tx, [threadId])
  if (thread === undefined) throw refuse('not_found', 'thread_not_found')
  return thread
}

async function setRemovedIn(
  tx: Transaction<Tables>,
  deps: ThreadStateDeps,
  { id, categoryId, title }: LockedThread,
  at: Date | null,
): Promise<RemovedThread> {
  const raised = await setThreadRemoved(tx, id, at)
  await tallyThread(tx, id, at === null ? 1 : -1)
  announceIn(tx, deps, id, [categoryId], raised)
  afterCommit(tx, () => deps.removedImages.lookAtThread(id))
  return { threadId: id, categoryId, title }
}

function announceIn(
  tx: Transaction<Tables>,
  { cache, live }: ThreadStateDeps,
  threadId: string,
  categoryIds: readonly string[],
  { postCount, revision }: RaisedState,
): void {
  afterCommit(tx, () => {
    const { lists, category, thread, tail } = threadTags
    cache.drop([lists, SEARCH_TAG, thread(threadId), tail(threadId), ...categoryIds.map(category)], 'at once')
    // Who has a removed thread open asks for it, and is told that it is gone.
    live.threadChanged({ threadId, postCount, revision })
  })
}

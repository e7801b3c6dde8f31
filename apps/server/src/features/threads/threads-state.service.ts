/**
 * Locks, pins, moves, removes and restores threads. Functions whose names end in `In` run in the
 * caller's transaction, which also writes the log entry.
 */
import type { Transaction } from 'kysely'
import type { AuditAction } from '@shinobi/contract/audit-labels'
import type { ThreadPin } from '@shinobi/contract/threads'
import type { Tables } from '../../db/tables.ts'
import { afterCommit } from '../../db/transaction.ts'
import { requirePermission, type Moderator } from '../../http/access-guard.ts'
import { refuse } from '../../lib/api-error.ts'
import { isTooOldToUndo } from '../audit/audit.rules.ts'
import { holdCategory } from '../categories/categories.queries.ts'
import { announceThreadIn } from './thread-announcement.ts'
import { lockThreads, type LockedThread } from './thread-locks.queries.ts'
import { isWithdrawn, setThreadRemoved, tallyThread, updateThreadState } from './threads-state.queries.ts'
import type { ThreadsDeps } from './threads.deps.ts'
import { removalTags } from './threads.tags.ts'

/** Fields that moderators may change; an omitted one stays as it is. */
export interface ThreadChange {
  readonly locked?: boolean | undefined
  readonly pinned?: ThreadPin | null | undefined
  readonly categoryId?: string | undefined
}

/**
 * The state of a thread before and after a change: `before` given to `changeThreadIn` undoes it.
 */
export interface ChangedThread {
  readonly threadId: string
  readonly title: string
  readonly before: Required<ThreadChange> & { readonly categoryId: string }
  readonly after: Required<ThreadChange> & { readonly categoryId: string }
}

export type ThreadStateDeps = Pick<ThreadsDeps, 'cache' | 'live' | 'threadEvents'>

/**
 * Locks, pins or moves a thread, or undoes it.
 * @throws ApiError not_found (also for a removed thread); bad_category; already_done when it has
 * this state already
 */
export async function changeThreadIn(
  tx: Transaction<Tables>,
  deps: ThreadStateDeps,
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
    await deps.threadEvents.moveIn(tx, [threadId], after.categoryId)
  }
  const raised = await updateThreadState(tx, threadId, {
    lockedAt: after.locked ? (thread.lockedAt ?? at) : null,
    pinned: after.pinned,
    categoryId: after.categoryId,
  })
  const categoryIds = [before.categoryId, after.categoryId]
  announceThreadIn(tx, deps, { threadId, ...raised }, removalTags({ threadIds: [threadId], categoryIds }))
  return { threadId, title: thread.title, before, after }
}

/**
 * Threads pinned on the board are above the threads of every category.
 * @throws ApiError forbidden
 */
export function requirePinPermission(
  moderator: Moderator,
  now: ThreadChange['pinned'],
  { pinned }: ThreadChange,
): void {
  if (pinned !== undefined && (pinned === 'board' || now === 'board')) requirePermission(moderator, 'pinToBoard')
}

/** The action in the log for a change of a thread, or for its undo. */
export function actionOf({ before, after }: ChangedThread): AuditAction {
  if (before.categoryId !== after.categoryId) return 'thread_move'
  if (before.locked !== after.locked) return after.locked ? 'thread_lock' : 'thread_unlock'
  return after.pinned === null ? 'thread_unpin' : 'thread_pin'
}

/**
 * The changed fields only: an undo gives `before` to `changeThreadIn`, and must not touch fields
 * that others have changed since.
 */
export function changedParts({ before, after }: ChangedThread): { before: ThreadChange; after: ThreadChange } {
  const keys = (['locked', 'pinned', 'categoryId'] as const).filter((key) => before[key] !== after[key])
  const pick = (state: ThreadChange): ThreadChange => Object.fromEntries(keys.map((key) => [key, state[key]]))
  return { before: pick(before), after: pick(after) }
}

/** A removed or restored thread, as the log refers to it. */
export interface RemovedThread {
  readonly threadId: string
  readonly categoryId: string
  readonly title: string
}

/**
 * Removes a thread: from the commit on it is not found. Its contents are deleted after UNDO_HOURS,
 * in small steps.
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
 * Restores a removed thread.
 * @throws ApiError not_found; already_done when it is not removed, was removed by whoever
 * opened it, or too long ago
 */
export async function restoreThreadIn(
  tx: Transaction<Tables>,
  deps: ThreadStateDeps,
  threadId: string,
  at: Date,
): Promise<RemovedThread> {
  const thread = await lockThread(tx, threadId)
  if (thread.removedAt === null) throw refuse('already_done', 'thread_not_removed')
  if (await isWithdrawn(tx, threadId)) throw refuse('already_done', 'post_withdrawn')
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
  announceThreadIn(tx, deps, { threadId: id, ...raised }, removalTags({ threadIds: [id], categoryIds: [categoryId] }))
  afterCommit(tx, () => deps.threadEvents.removalChanged(id))
  return { threadId: id, categoryId, title }
}

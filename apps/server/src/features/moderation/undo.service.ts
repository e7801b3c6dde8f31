/**
 * Undoing of actions, each named by its entry in the log. An undo is one transaction with its own
 * entry; a unique constraint allows one undo per entry.
 */
import type { Transaction } from 'kysely'
import type { AuditAction } from '@shinobi/contract/audit-labels'
import type { Db } from '../../db/client.ts'
import type { Tables } from '../../db/tables.ts'
import { afterCommit, inTransaction } from '../../db/transaction.ts'
import { requirePermission, type Moderator } from '../../http/access-guard.ts'
import { isUniqueViolation, refuse } from '../../lib/api-error.ts'
import { insertAudit } from '../audit/audit.queries.ts'
import { isOfUndoableKind, isTooOldToUndo } from '../audit/audit.rules.ts'
import { selectBansById } from '../bans/bans.queries.ts'
import { liftBansIn } from '../bans/banning.service.ts'
import { selectCategories } from '../categories/categories.queries.ts'
import { takeBackIn } from '../owners/owners.service.ts'
import type { PostTarget } from '../posts/removals.queries.ts'
import { restorePostsIn, restorePostsInSteps } from '../posts/removals.service.ts'
import { selectRemovedAt, type PostNumbers } from '../posts/authors.queries.ts'
import { hearVoices, lockCase, reopenCases, type CaseKey } from '../reports/cases.queries.ts'
import { letStandIn, setFoldIn } from '../reports/folding.service.ts'
import { recountOpenCases, replaceMute, selectReport } from '../reports/reporters.queries.ts'
import { lockStandingThread, lockThreads, type LockedThread } from '../threads/thread-locks.queries.ts'
import { selectCategoriesOf } from '../threads/threads-state.queries.ts'
import {
  actionOf,
  changedParts,
  changeThreadIn,
  requirePinPermission,
  restoreThreadIn,
  type ThreadChange,
} from '../threads/threads-state.service.ts'
import type { ModerationDeps } from './moderation.deps.ts'
import { noteOpening } from './moderation.service.ts'
import { isChangedSince, selectEntry, type UndoEntry } from './undo.queries.ts'

/** Details that entries of decisions and single actions contain for an undo. */
interface Details {
  readonly posts?: PostNumbers
  readonly banIds?: readonly string[]
  /** The entry of the ban that was part of a decision. */
  readonly banActionId?: string
  readonly reportId?: string
  readonly before?: ThreadChange & {
    readonly heardVoices?: number
    readonly folded?: boolean
    readonly muted?: boolean
    readonly until?: string | null
  }
  readonly after?: ThreadChange
}

interface Undoing {
  readonly tx: Transaction<Tables>
  readonly moderator: Moderator
  readonly entry: UndoEntry
  readonly details: Details
  readonly at: Date
}

/** The action and details for the entry of an undo. */
interface Undone {
  readonly action: AuditAction
  readonly details?: Readonly<Record<string, unknown>>
}

/**
 * Undoes an action.
 * @throws ApiError not_found; forbidden (outside of the moderator's categories); bad_request for an
 * action that cannot be undone; already_done for one that was undone before, is too old, or is no
 * longer in effect
 */
export async function undoAction(deps: ModerationDeps, moderator: Moderator, actionId: string): Promise<void> {
  const entry = await selectEntry(deps.db, actionId)
  if (entry === undefined) throw refuse('not_found', 'not_found')
  const details = entry.details as Details
  await requirePermissionFor(deps, moderator, entry, details)
  if (!isOfUndoableKind(entry)) throw refuse('bad_request', 'action_not_undoable')
  if (entry.undone) throw refuse('already_done', 'action_undone')
  if (isTooOldToUndo(entry, deps.now())) throw refuse('already_done', 'action_too_old')
  const at = new Date(deps.now())
  try {
    const later = await inTransaction(deps.db, async (tx) => {
      const undoing: Undoing = { tx, moderator, entry, details, at }
      const { later = [], ...undone } = await takeBack(deps, undoing)
      await insertUndo(undoing, entry, undone)
      afterCommit(tx, deps.live.queueChanged)
      return later
    })
    // Both entries, this one and the undone one, name all of these posts.
    await restorePostsInSteps(deps, later)
  } catch (error) {
    if (isUniqueViolation(error)) throw refuse('already_done', 'action_undone')
    throw error
  }
}

/**
 * Requires permission for every category that an entry touched, and for those that its threads and
 * bans are in now; without any of them, permission for the whole board. A deleted category is left
 * out: its threads and bans went on in another.
 */
async function requirePermissionFor(
  { db }: { readonly db: Db },
  moderator: Moderator,
  entry: UndoEntry,
  details: Details,
): Promise<void> {
  const threadIds = [
    ...new Set([...(entry.threadId === null ? [] : [entry.threadId]), ...Object.keys(details.posts ?? {})]),
  ]
  const { banIds = [], before } = details
  const bans = banIds.length === 0 ? [] : await selectBansById(db, banIds)
  const touched = new Set([
    ...(await selectCategoriesOf(db, threadIds)),
    ...bans.map(({ categoryId }) => categoryId),
    ...[entry.categoryId, before?.categoryId],
  ])
  const all = (await selectCategories(db)).flatMap(({ id }) => (touched.has(id) ? [id] : []))
  for (const categoryId of all.length === 0 ? [null] : all) requirePermission(moderator, 'undo', categoryId)
}

async function insertUndo(
  { tx, moderator, at }: Undoing,
  entry: UndoEntry,
  { action, details = {} }: Undone,
): Promise<void> {
  const { categoryId, threadId, postId, number, subject, rule, id } = entry
  // The undo of a public action is public; reopened cases are not, as reports are confidential.
  const isPublic = entry.isPublic && action !== 'case_reopen'
  await insertAudit(tx, {
    ...{ actor: moderator, at, action, categoryId, threadId, postId, number, subject, rule, isPublic, details },
    undoes: id,
  })
}

/** @returns in `later` the posts to restore in steps after the commit */
async function takeBack(deps: ModerationDeps, undoing: Undoing): Promise<Undone & { readonly later?: PostTarget[] }> {
  switch (undoing.entry.action) {
    case 'post_remove':
    case 'posts_remove':
      return bringPostsBack(deps, undoing)
    case 'post_fold':
      return unfold(deps, undoing)
    case 'thread_remove':
    case 'news_withdraw': {
      const { tx, entry, at } = undoing
      const threadId = entry.threadId!
      const [thread] = await lockThreads(tx, [threadId])
      // Restored since, and removed again by a later decision.
      if (thread?.removedAt != null && !isOf(entry, thread.removedAt)) throw refuse('already_done', 'action_superseded')
      await restoreThreadIn(tx, deps, threadId, at)
      await noteOpening(tx, deps, threadId, true)
      return { action: 'thread_restore' }
    }
    case 'thread_lock':
    case 'thread_unlock':
    case 'thread_pin':
    case 'thread_unpin':
    case 'thread_move':
      return changeBack(deps, undoing)
    case 'case_dismiss':
      return reconsider(deps, undoing)
    case 'ban': {
      const banIds = undoing.details.banIds ?? []
      const lifted = await liftBansIn(undoing.tx, deps, undoing.moderator, banIds, undoing.at)
      if (lifted.length === 0) throw refuse('already_done', 'ban_ended')
      return { action: 'ban_lift', details: { banIds: lifted } }
    }
    case 'reporter_mute':
      return unmute(undoing)
    case 'owner_note':
    case 'owner_fold':
    case 'owner_silence':
    case 'owner_close': {
      const { tx, entry, at } = undoing
      const thread = await requireThread(undoing)
      await takeBackIn(tx, deps, thread, { threadId: thread.id, id: entry.id }, 'staff', at)
      return { action: 'owner_undo' }
    }
    default:
      throw refuse('bad_request', 'action_not_undoable')
  }
}

/** The case of an entry about a post. */
const keyOf = ({ threadId, postId }: UndoEntry): CaseKey => ({ threadId: threadId!, postId: postId! })

/**
 * Restores only what that action removed: a post that was restored and removed again since has a
 * later entry.
 */
async function bringPostsBack(
  deps: ModerationDeps,
  undoing: Undoing,
): Promise<Undone & { readonly later: PostTarget[] }> {
  const { tx, entry, details } = undoing
  const key = keyOf(entry)
  await requireThread(undoing)
  const posts = details.posts ?? { [key.threadId]: [entry.number!] }
  const reopened = await reopenCases(tx, [...new Set([key.threadId, ...Object.keys(posts)])], entry.id)
  const removed = await selectRemovedAt(tx, posts, entry.at)
  const restored = await restorePostsIn(
    tx,
    deps,
    removed.filter(({ postId }) => postId === key.postId),
  )
  const later = removed.filter(({ postId }) => postId !== key.postId)
  const isLifted = await liftBansOfDecision(deps, undoing)
  if (reopened.length === 0 && !isLifted && restored.length === 0 && later.length === 0) {
    throw refuse('already_done', 'post_not_removed')
  }
  return {
    action: entry.action === 'posts_remove' ? 'posts_restore' : 'post_restore',
    details: { count: restored.length + later.length },
    later,
  }
}

/** Lifts the ban that was part of a decision, unless it has ended. */
async function liftBansOfDecision(deps: ModerationDeps, undoing: Undoing): Promise<boolean> {
  const { tx, moderator, details, at } = undoing
  const entry = details.banActionId === undefined ? undefined : await selectEntry(tx, details.banActionId)
  if (entry === undefined || entry.undone) return false
  // The ban may apply to more than the category of the post.
  await requirePermissionFor({ db: tx }, moderator, entry, entry.details)
  const banIds = await liftBansIn(tx, deps, moderator, (entry.details as Details).banIds ?? [], at)
  if (banIds.length === 0) return false
  await insertUndo(undoing, entry, { action: 'ban_lift', details: { banIds } })
  return true
}

/** Unfolds a post that was folded automatically; the same reports do not fold it again. */
async function unfold(deps: ModerationDeps, undoing: Undoing): Promise<Undone> {
  const { tx, entry } = undoing
  const key = keyOf(entry)
  await requireThread(undoing)
  if ((await letStandIn(tx, deps, key)) === null) throw refuse('already_done', 'action_undone')
  return { action: 'post_unfold' }
}

/** Whether a state began with this action. */
const isOf = (entry: UndoEntry, since: Date | null): boolean => since?.getTime() === entry.at.getTime()

/** Whether a thread is as an action left it; somebody may have changed it since. */
function isAsLeft(thread: LockedThread, entry: UndoEntry, { locked, pinned, categoryId }: ThreadChange): boolean {
  const isLocked = locked === true ? isOf(entry, thread.lockedAt) : locked === undefined || thread.lockedAt === null
  return (
    isLocked &&
    (pinned === undefined || thread.pinned === pinned) &&
    (categoryId === undefined || thread.categoryId === categoryId)
  )
}

/** Reverts what an action changed in a thread, and reopens the case that was decided by it. */
async function changeBack(
  deps: ModerationDeps,
  { tx, moderator, entry, details: { before, after = {} }, at }: Undoing,
): Promise<Undone> {
  const threadId = entry.threadId!
  const thread = await lockStandingThread(tx, threadId)
  if (thread === undefined) throw refuse('not_found', 'thread_not_found')
  requirePermission(moderator, 'undo', thread.categoryId)
  const isReopened = (await reopenCases(tx, [threadId], entry.id)).length > 0
  const stands = isAsLeft(thread, entry, after) && !(await isChangedSince(tx, entry, Object.keys(after)))
  // The thread was locked before the decision, or was changed since: only the case is reopened.
  if (isReopened && (before === undefined || !stands)) return { action: 'case_reopen' }
  const { locked, pinned, categoryId } = before ?? {}
  requirePinPermission(moderator, thread.pinned, { pinned })
  if (!stands) throw refuse('already_done', 'action_superseded')
  const changed = await changeThreadIn(tx, deps, threadId, { locked, pinned, categoryId }, at)
  return { action: actionOf(changed), details: { ...changedParts(changed) } }
}

/** Reopens a dismissed case, and folds the post again if it was folded before. */
async function reconsider(deps: ModerationDeps, undoing: Undoing): Promise<Undone> {
  const { tx, entry, details, at } = undoing
  const key = keyOf(entry)
  await requireThread(undoing)
  const state = await lockCase(tx, key)
  // New reports may have reopened it; a later decision must not be undone by this.
  const reopened = await reopenCases(tx, [key.threadId], entry.id)
  if (reopened.length === 0 && state?.status !== 'open') throw refuse('already_done', 'case_closed')
  await hearVoices(tx, key, details.before?.heardVoices ?? 0)
  if (details.before?.folded === true) await setFoldIn(tx, deps, key, { at, reason: null }, 'reporters')
  return { action: 'case_reopen' }
}

async function unmute({ tx, entry, details, at, moderator }: Undoing): Promise<Undone> {
  requirePermission(moderator, 'muteReporters')
  const report = await selectReport(tx, entry.threadId!, details.reportId!)
  if (report === undefined) throw refuse('not_found', 'case_not_found')
  // The muting may have extended an earlier one, which is restored if it is still in effect.
  const until = details.before?.until
  const before = details.before?.muted === true && (until == null || Date.parse(until) > at.getTime())
  const mute = { until: until == null ? null : new Date(until) }
  const replaced = await replaceMute(tx, report.reporter, before ? mute : null)
  if (replaced === null) throw refuse('already_done', 'action_undone')
  await recountOpenCases(tx, report.reporter, before)
  return { action: 'reporter_unmute' }
}

/** Locks the thread of an entry, before all other locks. */
async function requireThread({ tx, moderator, entry }: Undoing): Promise<LockedThread> {
  const thread = await lockStandingThread(tx, entry.threadId!)
  if (thread === undefined) throw refuse('not_found', 'thread_not_found')
  requirePermission(moderator, 'undo', thread.categoryId)
  return thread
}

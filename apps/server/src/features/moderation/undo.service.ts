/**
 * Taking back what was done, as the entry in the log names it. One transaction holds all of it with an entry of its own, and that can
 * be there only once for an entry.
 */
import type { Transaction } from 'kysely'
import type { AuditAction } from '@shinobi/contract/audit-labels'
import type { Db } from '../../db/client.ts'
import type { Tables } from '../../db/tables.ts'
import { afterCommit, inTransaction } from '../../db/transaction.ts'
import type { Deps } from '../../deps.ts'
import { requireScope, type Moderator } from '../../http/session.ts'
import { isUniqueViolation, refuse } from '../../lib/api-error.ts'
import { insertAudit } from '../audit/audit.queries.ts'
import { isOfUndoableKind, isTooOldToUndo } from '../audit/audit.rules.ts'
import { liftBansIn } from '../bans/banning.service.ts'
import type { PostTarget } from '../posts/removals.queries.ts'
import { restorePostsIn, restorePostsInSteps } from '../posts/removals.service.ts'
import { selectRemovedAt, type PostNumbers } from '../posts/writers.queries.ts'
import { hearVoices, lockCase, reopenCases, type CaseKey } from '../reports/cases.queries.ts'
import { setFoldIn } from '../reports/folding.service.ts'
import { recountOpenCases, replaceMute, selectReport } from '../reports/reporters.queries.ts'
import { lockStandingThread } from '../threads/thread-locks.queries.ts'
import { selectCategoriesOf } from '../threads/threads-state.queries.ts'
import {
  actionOf,
  changedParts,
  changeThreadIn,
  requirePinScope,
  restoreThreadIn,
  type ThreadChange,
} from '../threads/threads-state.service.ts'
import { selectEntry, type UndoEntry } from './undo.queries.ts'

/** What the entries of decisions and of single actions leave for taking them back. */
interface Details {
  readonly posts?: PostNumbers
  readonly banIds?: readonly string[]
  /** The entry of the ban that came with a decision. */
  readonly banActionId?: string
  readonly reportId?: string
  readonly before?: ThreadChange & {
    readonly heardVoices?: number
    readonly folded?: boolean
    readonly muted?: boolean
    readonly until?: string | null
  }
}

interface Undoing {
  readonly tx: Transaction<Tables>
  readonly moderator: Moderator
  readonly entry: UndoEntry
  readonly details: Details
  readonly at: Date
}

/** What an undo was, for its own entry. */
interface Undone {
  readonly action: AuditAction
  readonly details?: Readonly<Record<string, unknown>>
}

/**
 * Takes an action back.
 * @throws ApiError not_found; forbidden (not of the moderator's part of the board); bad_request for what cannot be taken back;
 *   already_done for what was taken back before, is too old, or does not stand any more
 */
export async function undoAction(deps: Deps, moderator: Moderator, actionId: string): Promise<void> {
  const entry = await selectEntry(deps.db, actionId)
  if (entry === undefined) throw refuse('not_found', 'not_found')
  const details = entry.details as Details
  await requireScopeOf(deps, moderator, entry, details)
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
    // The entry names them all; so did the one that is taken back.
    await restorePostsInSteps(deps, later)
  } catch (error) {
    if (isUniqueViolation(error)) throw refuse('already_done', 'action_undone')
    throw error
  }
}

/** Every category that an entry touched, as it stands now; what holds on the whole board is for those who moderate all of it. */
async function requireScopeOf(
  { db }: { readonly db: Db },
  moderator: Moderator,
  entry: UndoEntry,
  details: Details,
): Promise<void> {
  const threadIds = [
    ...new Set([...(entry.threadId === null ? [] : [entry.threadId]), ...Object.keys(details.posts ?? {})]),
  ]
  const now = await selectCategoriesOf(db, threadIds)
  const before = details.before?.categoryId
  const all = new Set([...now, ...(entry.categoryId === null ? [] : [entry.categoryId]), ...(before ? [before] : [])])
  for (const categoryId of all) requireScope(moderator, categoryId)
  if (all.size === 0 && moderator.scope !== 'all') throw refuse('forbidden', 'out_of_scope')
}

async function insertUndo(
  { tx, moderator, at }: Undoing,
  entry: UndoEntry,
  { action, details = {} }: Undone,
): Promise<void> {
  const { categoryId, threadId, postId, number, subject, rule, id } = entry
  // What the public was told of is taken back in public; reports are between reporters and moderators.
  const isPublic = entry.isPublic && action !== 'case_reopen'
  await insertAudit(tx, {
    ...{ actor: moderator, at, action, categoryId, threadId, postId, number, subject, rule, isPublic, details },
    undoes: id,
  })
}

/** @returns with `later` what is restored in steps afterwards */
async function takeBack(deps: Deps, undoing: Undoing): Promise<Undone & { readonly later?: PostTarget[] }> {
  switch (undoing.entry.action) {
    case 'post_remove':
    case 'posts_remove':
      return bringPostsBack(deps, undoing)
    case 'post_fold':
      return unfold(deps, undoing)
    case 'thread_remove':
    case 'news_withdraw': {
      await restoreThreadIn(undoing.tx, deps, undoing.entry.threadId!, undoing.at)
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
      if (lifted.length === 0) throw refuse('already_done', 'action_undone')
      return { action: 'ban_lift', details: { banIds: lifted } }
    }
    case 'reporter_mute':
      return unmute(undoing)
    default:
      throw refuse('bad_request', 'action_not_undoable')
  }
}

/** The case of an entry about a post. */
const keyOf = ({ threadId, postId }: UndoEntry): CaseKey => ({ threadId: threadId!, postId: postId! })

/** Only what that action removed: a post that was restored, and removed again since, is somebody else's business. */
async function bringPostsBack(deps: Deps, undoing: Undoing): Promise<Undone & { readonly later: PostTarget[] }> {
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

/** The ban that came with a decision is taken back with it, unless that was done alone before. */
async function liftBansOfDecision(deps: Deps, undoing: Undoing): Promise<boolean> {
  const { tx, moderator, details, at } = undoing
  const entry = details.banActionId === undefined ? undefined : await selectEntry(tx, details.banActionId)
  if (entry === undefined || entry.undone) return false
  // It may hold far beyond the category in which the post stood.
  await requireScopeOf({ db: tx }, moderator, entry, entry.details)
  const banIds = await liftBansIn(tx, deps, moderator, (entry.details as Details).banIds ?? [], at)
  await insertUndo(undoing, entry, { action: 'ban_lift', details: { banIds } })
  return true
}

/** Unfolds what the board has folded, and does not fold it again for the same voices. */
async function unfold(deps: Deps, undoing: Undoing): Promise<Undone> {
  const { tx, entry } = undoing
  const key = keyOf(entry)
  await requireThread(undoing)
  const state = await lockCase(tx, key)
  if ((await setFoldIn(tx, deps, key, null)) === null) throw refuse('already_done', 'action_undone')
  if (state !== undefined) await hearVoices(tx, key, state.voices)
  return { action: 'post_unfold' }
}

/** A thread as it was, in what the action changed; and the case that was decided by it. */
async function changeBack(deps: Deps, { tx, moderator, entry, details: { before }, at }: Undoing): Promise<Undone> {
  const threadId = entry.threadId!
  const thread = await lockStandingThread(tx, threadId)
  if (thread === undefined) throw refuse('not_found', 'thread_not_found')
  requireScope(moderator, thread.categoryId)
  const isReopened = (await reopenCases(tx, [threadId], entry.id)).length > 0
  // The thread was locked before the case was decided, or somebody has unlocked it since.
  if (isReopened && (before === undefined || before.locked === (thread.lockedAt !== null)))
    return { action: 'case_reopen' }
  const { locked, pinned, categoryId } = before ?? {}
  requirePinScope(moderator, thread.pinned, { pinned })
  const changed = await changeThreadIn(tx, deps, threadId, { locked, pinned, categoryId }, at)
  return { action: actionOf(changed), details: { ...changedParts(changed) } }
}

/** A dismissal: the case waits again, and the post is folded as it was. */
async function reconsider(deps: Deps, undoing: Undoing): Promise<Undone> {
  const { tx, entry, details, at } = undoing
  const key = keyOf(entry)
  await requireThread(undoing)
  const state = await lockCase(tx, key)
  // New voices may have opened it again; a later decision stands for itself.
  const reopened = await reopenCases(tx, [key.threadId], entry.id)
  if (reopened.length === 0 && state?.status !== 'open') throw refuse('already_done', 'case_closed')
  await hearVoices(tx, key, details.before?.heardVoices ?? 0)
  if (details.before?.folded === true) await setFoldIn(tx, deps, key, at)
  return { action: 'case_reopen' }
}

async function unmute({ tx, entry, details, at, moderator }: Undoing): Promise<Undone> {
  if (moderator.scope !== 'all') throw refuse('forbidden', 'out_of_scope')
  const report = await selectReport(tx, entry.threadId!, details.reportId!)
  if (report === undefined) throw refuse('not_found', 'case_not_found')
  // It may have been for longer than before: then what stood before stands again.
  const until = details.before?.until
  const before = details.before?.muted === true && (until == null || Date.parse(until) > at.getTime())
  const mute = { until: until == null ? null : new Date(until) }
  const replaced = await replaceMute(tx, report.reporter, before ? mute : null)
  if (replaced === null) throw refuse('already_done', 'action_undone')
  await recountOpenCases(tx, report.reporter, before)
  return { action: 'reporter_unmute' }
}

/** Locks the thread of an entry, the first of all locks. */
async function requireThread({ tx, moderator, entry }: Undoing): Promise<void> {
  const thread = await lockStandingThread(tx, entry.threadId!)
  if (thread === undefined) throw refuse('not_found', 'thread_not_found')
  requireScope(moderator, thread.categoryId)
}

/**
 * Single removals and changes by a moderator: permission, change and log entry, in one transaction.
 */
import type { Transaction } from 'kysely'
import type { RuleKey } from '@shinobi/contract/rules'
import type { AuditAction } from '@shinobi/contract/audit-labels'
import type { Db } from '../../db/client.ts'
import type { Tables } from '../../db/tables.ts'
import { afterCommit, inTransaction } from '../../db/transaction.ts'
import { requirePermission, type Moderator } from '../../http/access-guard.ts'
import { refuse } from '../../lib/api-error.ts'
import { insertAudit, selectStandingPublicAction, type NewAuditEntry } from '../audit/audit.queries.ts'
import { selectStandingOpening, selectThreadOfPost, type PostTarget } from '../posts/removals.queries.ts'
import { removePostIn, restorePostIn, type RemovedPost } from '../posts/removals.service.ts'
import { closeCases } from '../reports/cases.queries.ts'
import { letStandIn } from '../reports/folding.service.ts'
import type { LockedThread } from '../threads/thread-locks.queries.ts'
import {
  actionOf,
  changedParts,
  changeThreadIn,
  lockThread,
  removeThreadIn,
  requirePinPermission,
  restoreThreadIn,
  type RemovedThread,
  type ThreadChange,
} from '../threads/threads-state.service.ts'
import type { ModerationDeps } from './moderation.deps.ts'

/** Why something is removed: the rule is public, the reason is not. */
export interface Grounds {
  readonly rule: RuleKey
  readonly reason: string
}

/** A post by its id, and by its thread as far as the caller knows it. */
export interface SoughtPost {
  readonly postId: string
  readonly threadId?: string | undefined
}

/**
 * @returns the entry in the log
 * @throws ApiError not_found, forbidden (another's category), already_done
 */
export async function removePost(
  deps: ModerationDeps,
  moderator: Moderator,
  sought: SoughtPost,
  { rule, reason }: Grounds,
): Promise<string> {
  const at = new Date(deps.now())
  const target = await findPost(deps.db, sought)
  return inTransaction(deps.db, async (tx) => {
    const removed = await removePostIn(tx, deps, target, { rule, at }, mayRemovePosts(moderator))
    const entry = { ...entryOfPost(moderator, at, 'post_remove', removed), rule, reason: reason || null }
    const actionId = await insertAudit(tx, entry)
    // The removal decides the case of the post as well.
    const closed = await closeCases(tx, [removed], { decision: 'remove', by: moderator.name, actionId, at })
    if (closed > 0) afterCommit(tx, deps.live.queueChanged)
    return actionId
  })
}

/** @throws ApiError not_found, forbidden, already_done (not removed, or deleted for good since) */
export async function restorePost(deps: ModerationDeps, moderator: Moderator, sought: SoughtPost): Promise<string> {
  const at = new Date(deps.now())
  const target = await findPost(deps.db, sought)
  return inTransaction(deps.db, async (tx) => {
    const restored = await restorePostIn(tx, deps, target, mayRemovePosts(moderator))
    // Its case was closed by the removal, so nobody could unfold it any more.
    await letStandIn(tx, deps, target)
    return insertAudit(tx, entryOfPost(moderator, at, 'post_restore', restored))
  })
}

/**
 * Not in the transaction: the thread of a post never changes, and on a cluster all workers are
 * asked for an unknown one. Whether the post is in a known thread is seen when it is locked.
 * @throws ApiError not_found
 */
async function findPost(db: Db, { postId, threadId }: SoughtPost): Promise<PostTarget> {
  const known = threadId ?? (await selectThreadOfPost(db, postId))
  if (known === undefined) throw refuse('not_found', 'post_not_found')
  return { threadId: known, postId }
}

/** The thread is locked: it cannot be moved out of the moderator's categories meanwhile. */
const mayRemovePosts =
  (moderator: Moderator) =>
  ({ categoryId }: LockedThread): void =>
    requirePermission(moderator, 'removePosts', categoryId)

const entryOfPost = (
  actor: Moderator,
  at: Date,
  action: AuditAction,
  { threadId, postId, number, categoryId, title }: RemovedPost,
): NewAuditEntry => ({
  actor,
  at,
  action,
  categoryId,
  threadId,
  postId,
  number,
  subject: title,
  details: { before: { removed: action === 'post_restore' }, after: { removed: action === 'post_remove' } },
  isPublic: true,
})

/** @throws ApiError not_found, forbidden, already_done */
export function removeThread(
  deps: ModerationDeps,
  moderator: Moderator,
  threadId: string,
  { rule, reason }: Grounds,
): Promise<string> {
  const at = new Date(deps.now())
  return inTransaction(deps.db, async (tx) => {
    requirePermission(moderator, 'removeThreads', (await lockThread(tx, threadId)).categoryId)
    const removed = await removeThreadIn(tx, deps, threadId, at)
    await noteOpening(tx, deps, threadId, false)
    return insertAudit(tx, { ...entryOfThread(moderator, at, 'thread_remove', removed), rule, reason: reason || null })
  })
}

/** @throws ApiError not_found, forbidden, already_done (not removed, or too long ago) */
export function restoreThread(deps: ModerationDeps, moderator: Moderator, threadId: string): Promise<string> {
  const at = new Date(deps.now())
  return inTransaction(deps.db, async (tx) => {
    requirePermission(moderator, 'removeThreads', (await lockThread(tx, threadId)).categoryId)
    const restored = await restoreThreadIn(tx, deps, threadId, at)
    await noteOpening(tx, deps, threadId, true)
    // Its notice must not come back when the thread is removed again for another reason.
    const withdrawal = await selectStandingPublicAction(tx, threadId, 'news_withdraw')
    return insertAudit(tx, {
      ...entryOfThread(moderator, at, 'thread_restore', restored),
      undoes: withdrawal?.id ?? null,
    })
  })
}

/**
 * The level of whoever opened a thread falls with its removal, as with that of post 1, and rises
 * with its restoration. A post 1 that is removed by itself counts already.
 */
export async function noteOpening(
  tx: Transaction<Tables>,
  { levels }: Pick<ModerationDeps, 'levels'>,
  threadId: string,
  isRestored: boolean,
): Promise<void> {
  const opening = await selectStandingOpening(tx, threadId)
  if (opening !== undefined) await levels.noteRemovals(tx, [opening], isRestored)
}

const entryOfThread = (
  actor: Moderator,
  at: Date,
  action: AuditAction,
  { threadId, categoryId, title }: RemovedThread,
): NewAuditEntry => ({
  actor,
  at,
  action,
  categoryId,
  threadId,
  subject: title,
  details: { before: { removed: action === 'thread_restore' }, after: { removed: action === 'thread_remove' } },
  isPublic: true,
})

/**
 * Locks, pins or moves a thread. Moving it requires permission for both categories; pinning it to
 * the board, or unpinning it from there, requires permission for all categories.
 * @throws ApiError not_found, forbidden, bad_category, already_done
 */
export function changeThread(
  deps: ModerationDeps,
  moderator: Moderator,
  threadId: string,
  change: ThreadChange,
  reason: string,
): Promise<string> {
  const at = new Date(deps.now())
  return inTransaction(deps.db, async (tx) => {
    const thread = await lockThread(tx, threadId)
    requirePermission(moderator, 'changeThreads', thread.categoryId)
    if (change.categoryId !== undefined) requirePermission(moderator, 'changeThreads', change.categoryId)
    requirePinPermission(moderator, thread.pinned, change)
    const changed = await changeThreadIn(tx, deps, threadId, change, at)
    return insertAudit(tx, {
      actor: moderator,
      at,
      action: actionOf(changed),
      categoryId: changed.after.categoryId,
      threadId,
      subject: changed.title,
      reason: reason || null,
      details: changedParts(changed),
      isPublic: true,
    })
  })
}

/** Single removals and changes by a moderator: scope, the change and its entry in the log, in one transaction. */
import type { RuleKey } from '@shinobi/contract/rules'
import type { AuditAction } from '@shinobi/contract/audit-labels'
import type { Db } from '../../db/client.ts'
import { afterCommit, inTransaction } from '../../db/transaction.ts'
import type { Deps } from '../../deps.ts'
import { requireScope, type Moderator } from '../../http/session.ts'
import { refuse } from '../../lib/api-error.ts'
import { insertAudit, type NewAuditEntry } from '../audit/audit.queries.ts'
import { selectThreadOfPost } from '../posts/removals.queries.ts'
import { removePostIn, restorePostIn, type RemovalDeps, type RemovedPost } from '../posts/removals.service.ts'
import { closeCases } from '../reports/cases.queries.ts'
import { lockThreads } from '../threads/thread-locks.queries.ts'
import {
  actionOf,
  changedParts,
  changeThreadIn,
  lockThread,
  removeThreadIn,
  requirePinScope,
  restoreThreadIn,
  type RemovedThread,
  type ThreadChange,
} from '../threads/threads-state.service.ts'

type ModerationDeps = RemovalDeps & Pick<Deps, 'db' | 'now' | 'moveWithThreads'>

/** Why somebody removes something: the rule is public, the reason is not. */
export interface Grounds {
  readonly rule: RuleKey
  readonly reason: string
}

/** @returns the entry in the log. @throws ApiError not_found, forbidden (another's category), already_done */
export function removePost(
  deps: ModerationDeps,
  moderator: Moderator,
  postId: string,
  { rule, reason }: Grounds,
): Promise<string> {
  const at = new Date(deps.now())
  return inTransaction(deps.db, async (tx) => {
    const threadId = await lockThreadOfPost(tx, moderator, postId)
    const removed = await removePostIn(tx, deps, { threadId, postId }, rule, at)
    const entry = { ...entryOfPost(moderator, at, 'post_remove', removed), rule, reason: reason || null }
    const actionId = await insertAudit(tx, entry)
    // Who reported it has been heard.
    const closed = await closeCases(tx, [removed], { decision: 'remove', by: moderator.name, actionId, at })
    if (closed > 0) afterCommit(tx, deps.live.queueChanged)
    return actionId
  })
}

/** @throws ApiError not_found, forbidden, already_done (not removed, or not kept any more) */
export function restorePost(deps: ModerationDeps, moderator: Moderator, postId: string): Promise<string> {
  const at = new Date(deps.now())
  return inTransaction(deps.db, async (tx) => {
    const threadId = await lockThreadOfPost(tx, moderator, postId)
    const restored = await restorePostIn(tx, deps, { threadId, postId })
    return insertAudit(tx, entryOfPost(moderator, at, 'post_restore', restored))
  })
}

/** Finds the thread of a post, and locks it, so that it is not moved out of the moderator's hands in between. */
async function lockThreadOfPost(tx: Db, moderator: Moderator, postId: string): Promise<string> {
  const threadId = await selectThreadOfPost(tx, postId)
  const [thread] = threadId === undefined ? [] : await lockThreads(tx, [threadId])
  if (thread === undefined) throw refuse('not_found', 'post_not_found')
  requireScope(moderator, thread.categoryId)
  return thread.id
}

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
    requireScope(moderator, (await lockThread(tx, threadId)).categoryId)
    const removed = await removeThreadIn(tx, deps, threadId, at)
    return insertAudit(tx, { ...entryOfThread(moderator, at, 'thread_remove', removed), rule, reason: reason || null })
  })
}

/** @throws ApiError not_found, forbidden, already_done (not removed, or too long ago) */
export function restoreThread(deps: ModerationDeps, moderator: Moderator, threadId: string): Promise<string> {
  const at = new Date(deps.now())
  return inTransaction(deps.db, async (tx) => {
    requireScope(moderator, (await lockThread(tx, threadId)).categoryId)
    const restored = await restoreThreadIn(tx, deps, threadId, at)
    return insertAudit(tx, entryOfThread(moderator, at, 'thread_restore', restored))
  })
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
 * Locks, pins or moves a thread. Who moves one needs both categories, and who pins one to the board (or takes it from there) all of them.
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
    requireScope(moderator, thread.categoryId)
    if (change.categoryId !== undefined) requireScope(moderator, change.categoryId)
    requirePinScope(moderator, thread.pinned, change)
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

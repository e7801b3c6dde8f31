/**
 * Decisions of moderators about cases. Each is one transaction with its entry in the log, which
 * contains what an undo needs.
 */
import type { Transaction } from 'kysely'
import type { CaseDecision } from '@shinobi/contract/moderation'
import type { Tables } from '../../db/tables.ts'
import { afterCommit, inTransaction } from '../../db/transaction.ts'
import { requirePermission, type Moderator } from '../../http/access-guard.ts'
import { refuse } from '../../lib/api-error.ts'
import { insertAudit, type NewAuditEntry } from '../audit/audit.queries.ts'
import { createBansIn, findLoggedNetworks } from '../bans/banning.service.ts'
import type { PostTarget } from '../posts/removals.queries.ts'
import { removePostsIn } from '../posts/removals.service.ts'
import { findPostsOfWriter, selectNumbers, selectWriter, type PostNumbers } from '../posts/authors.queries.ts'
import { closeCases, lockCase, type CaseKey, type CaseState } from '../reports/cases.queries.ts'
import { setFoldIn } from '../reports/folding.service.ts'
import { lockStandingThread, type LockedThread } from '../threads/thread-locks.queries.ts'
import { changeThreadIn } from '../threads/threads-state.service.ts'
import type { ModerationDeps } from './moderation.deps.ts'
import { removeUntilUndone } from './remove-until-undone.ts'

/** The transaction of a decision, and what it has read and locked. */
interface Deciding {
  readonly tx: Transaction<Tables>
  readonly moderator: Moderator
  readonly key: CaseKey
  readonly thread: LockedThread
  readonly state: CaseState
  readonly at: Date
  /** Fields common to the entries of all decisions. */
  readonly entry: Omit<NewAuditEntry, 'action'>
}

interface Decided {
  readonly actionId: string
  /** Number of posts removed in the decision's transaction. */
  readonly removed: number
}

/**
 * Decides a case. "Everything by this writer" removes the reported post in the decision's
 * transaction, and the others afterwards in small steps; the entry in the log names all of them
 * beforehand.
 * @returns the entry in the log, and how many posts were removed
 * @throws ApiError not_found; forbidden; already_done when the case was decided before; what
 * createBansIn throws
 */
export async function decideCase(
  deps: ModerationDeps,
  moderator: Moderator,
  key: CaseKey,
  decision: CaseDecision,
): Promise<Decided> {
  const at = new Date(deps.now())
  // These queries may take a while, so they run before anything is locked.
  const others = decision.action === 'remove_all' ? await findOthers(deps, moderator, key) : []
  const networks = decision.action === 'ban' ? await findLoggedNetworks(deps, moderator, key) : []
  const decided = await inTransaction(deps.db, async (tx) => {
    const { thread, state } = await lockOpenCase(tx, moderator, key)
    const entry = {
      actor: moderator,
      at,
      ...key,
      categoryId: thread.categoryId,
      number: state.number,
      subject: thread.title,
      reason: decision.note || state.note || null,
    }
    const deciding: Deciding = { tx, moderator, key, thread, state, at, entry }
    const outcome = await apply(deps, deciding, decision, { others, networks })
    const closing = { decision: decision.action, by: moderator.name, actionId: outcome.actionId, at }
    await closeCases(tx, [key], { ...closing, stands: decision.action === 'dismiss', note: decision.note })
    afterCommit(tx, deps.live.queueChanged)
    return { ...outcome, closing }
  })
  const { closing, actionId } = decided
  if (decision.action !== 'remove_all' || others.length === 0) return { actionId, removed: decided.removed }
  // The decision's entry covers all of them. Other cases of this writer's posts are closed with it.
  const removed = await removeUntilUndone(deps, others, decision.rule, closing)
  return { actionId, removed: decided.removed + removed }
}

function apply(
  deps: ModerationDeps,
  deciding: Deciding,
  decision: CaseDecision,
  { others, networks }: { readonly others: readonly PostTarget[]; readonly networks: readonly string[] },
): Promise<Decided> {
  switch (decision.action) {
    case 'dismiss':
      return dismiss(deps, deciding)
    case 'remove':
      return remove(deps, deciding, decision.rule)
    case 'remove_all':
      return removeAll(deps, deciding, decision.rule, others)
    case 'ban':
      return banWriter(deps, deciding, decision, networks)
    case 'lock':
      return lock(deps, deciding)
  }
}

/**
 * Locks the thread first, then the case: the same order as everywhere, so that nothing deadlocks.
 */
async function lockOpenCase(
  tx: Transaction<Tables>,
  moderator: Moderator,
  key: CaseKey,
): Promise<{ thread: LockedThread; state: CaseState }> {
  const thread = await lockStandingThread(tx, key.threadId)
  if (thread === undefined) throw refuse('not_found', 'case_not_found')
  requirePermission(moderator, 'decideReports', thread.categoryId)
  const state = await lockCase(tx, key)
  if (state === undefined) throw refuse('not_found', 'case_not_found')
  if (state.status === 'closed') throw refuse('already_done', 'case_closed')
  return { thread, state }
}

/**
 * Closes a case without a removal: the post is unfolded, and the same reporters do not fold it
 * again.
 */
async function dismiss(deps: ModerationDeps, { tx, key, state, entry }: Deciding): Promise<Decided> {
  const wasFolded = (await setFoldIn(tx, deps, key, null, 'reporters')) !== null
  const before = { heardVoices: state.heardVoices, folded: wasFolded }
  const after = { heardVoices: state.voices, folded: false }
  const actionId = await insertAudit(tx, { ...entry, action: 'case_dismiss', details: { before, after } })
  return { actionId, removed: 0 }
}

/** A post that is removed already stays as it is; the case is closed all the same. */
async function remove(
  deps: ModerationDeps,
  { tx, key, at, entry }: Deciding,
  rule: Extract<CaseDecision, { action: 'remove' }>['rule'],
): Promise<Decided> {
  const removed = await removePostsIn(tx, deps, [key], rule, at)
  const actionId = await insertAudit(tx, {
    ...entry,
    action: 'post_remove',
    rule,
    details: { posts: toNumbers(removed) },
    isPublic: true,
  })
  return { actionId, removed: removed.length }
}

async function removeAll(
  deps: ModerationDeps,
  { tx, key, at, entry }: Deciding,
  rule: Extract<CaseDecision, { action: 'remove_all' }>['rule'],
  others: readonly PostTarget[],
): Promise<Decided> {
  const removed = await removePostsIn(tx, deps, [key], rule, at)
  const posts = { ...(await selectNumbers(tx, others)) }
  for (const { threadId, number } of removed) posts[threadId] = [...(posts[threadId] ?? []), number]
  const actionId = await insertAudit(tx, {
    ...entry,
    action: 'posts_remove',
    rule,
    details: { posts, count: others.length + removed.length },
    isPublic: true,
  })
  return { actionId, removed: removed.length }
}

/**
 * Removes the post, and bans its writer. The ban has its own entry, so that it can be undone alone.
 */
async function banWriter(
  deps: ModerationDeps,
  { tx, moderator, key, at, entry }: Deciding,
  { rule, ban }: Extract<CaseDecision, { action: 'ban' }>,
  networks: readonly string[],
): Promise<Decided> {
  const { actionId: banActionId } = await createBansIn(tx, deps, moderator, { ...ban, target: key }, at, networks)
  const removed = await removePostsIn(tx, deps, [key], rule, at)
  const actionId = await insertAudit(tx, {
    ...entry,
    action: 'post_remove',
    rule,
    details: { posts: toNumbers(removed), banActionId },
    isPublic: true,
  })
  return { actionId, removed: removed.length }
}

/** Locks the thread; the post stays. */
async function lock(deps: ModerationDeps, { tx, thread, at, entry }: Deciding): Promise<Decided> {
  // Another case may have locked it before: then an undo must not unlock it.
  const wasLocked = thread.lockedAt !== null
  if (!wasLocked) await changeThreadIn(tx, deps, thread.id, { locked: true }, at)
  const details = wasLocked ? {} : { before: { locked: false }, after: { locked: true } }
  const actionId = await insertAudit(tx, { ...entry, action: 'thread_lock', details, isPublic: true })
  return { actionId, removed: 0 }
}

const toNumbers = (posts: readonly { readonly threadId: string; readonly number: number }[]): PostNumbers =>
  Object.fromEntries(posts.map(({ threadId, number }) => [threadId, [number]]))

/** The other posts of a post's writer, in the moderator's categories. */
async function findOthers({ db }: ModerationDeps, moderator: Moderator, key: CaseKey): Promise<PostTarget[]> {
  const writer = await selectWriter(db, key)
  if (writer === undefined) return []
  const posts = await findPostsOfWriter(db, writer, moderator.scope)
  return posts.filter(({ postId }) => postId !== key.postId)
}

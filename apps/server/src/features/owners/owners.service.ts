/**
 * スレ主: what the opener of a thread may do in it, from a level on. Every action is one transaction
 * with its row, which the thread's page shows as a log, and its entry in the audit log, by which
 * moderators take it back (docs/decisions/0062-openers-look-after-their-threads.md). Neither names
 * anybody.
 */
import type { Transaction } from 'kysely'
import { messages } from '@shinobi/contract/messages'
import { OWNER_ACTIONS_MAX, OWNER_NOTES_MAX } from '@shinobi/contract/owner-limits'
import type { OwnerAction, OwnerTask } from '@shinobi/contract/owners'
import type { Db } from '../../db/client.ts'
import type { Tables } from '../../db/tables.ts'
import { afterCommit, inTransaction } from '../../db/transaction.ts'
import type { Visitor } from '../../http/visitor.ts'
import { ApiError, refuse } from '../../lib/api-error.ts'
import { startOfDayInJapan } from '../../lib/day-in-japan.ts'
import { threadFull } from '../admission/places.ts'
import { insertAudit } from '../audit/audit.queries.ts'
import { selectStandingOpening } from '../posts/removals.queries.ts'
import { isWriter } from '../posts/withdrawals.service.ts'
import { setFoldIn } from '../reports/folding.service.ts'
import { lockStandingThread, type LockedThread } from '../threads/thread-locks.queries.ts'
import { toOwnerAction } from '../threads/owner-actions.ts'
import { selectThreadState } from '../threads/threads.queries.ts'
import { raiseThreads } from '../threads/threads-state.queries.ts'
import { changeThreadIn } from '../threads/threads-state.service.ts'
import { announceThreadIn, type AnnouncementDeps } from '../threads/thread-announcement.ts'
import type { OwnersDeps } from './owners.deps.ts'
import {
  insertAction,
  markUndone,
  selectAction,
  selectActions,
  selectTarget,
  type ActionKey,
  type OwnerActionRow,
  type TargetPost,
} from './owners.queries.ts'

/** The opener of a thread. */
interface Owner {
  readonly visitor: Visitor
  readonly level: number
}

/** An action under way: its thread is locked. */
interface Acting {
  readonly tx: Transaction<Tables>
  readonly thread: LockedThread
  /** What was done in the thread before. */
  readonly before: readonly OwnerActionRow[]
  readonly at: Date
  /** Of a silence: the opener's own ID; null where the category shows none. */
  readonly ownId: string | null
}

/** What an action concerns. */
type Concern = Partial<Pick<OwnerActionRow, 'postId' | 'number' | 'posterId'>>

/**
 * Acts in an own thread.
 * @param visitor null for a browser that has never written
 * @throws ApiError not_found; forbidden; banned; banned_word; too_many_requests; locked;
 * thread_full; bad_request; already_done
 */
export async function act(
  deps: OwnersDeps,
  visitor: Visitor | null,
  threadId: string,
  task: OwnerTask,
): Promise<OwnerAction> {
  // Before anything is locked: strangers must not make writers wait.
  const owner = await requireOwner(deps, visitor, threadId)
  await deps.limits.ownerActions.take(threadId)
  const { text, flagged } = judgeText(deps, owner, task.text)
  const ownId = task.kind === 'silence' ? await deps.admission.posterIdIn(owner.visitor, threadId) : null
  const at = new Date(deps.now())
  const { action, openingId } = await inTransaction(deps.db, async (tx) => {
    const { thread, openingId } = await lockOwnThread(tx, owner, threadId)
    const before = await selectActions(tx, threadId)
    if (before.length >= OWNER_ACTIONS_MAX) throw refuse('already_done', 'owner_full')
    const {
      postId = null,
      number = null,
      posterId = null,
    } = await apply(deps, task, text, {
      ...{ tx, thread, before, at, ownId },
    })
    const { categoryId } = thread
    const audit = { actor: null, at, action: `owner_${task.kind}` as const, categoryId, threadId, postId, number }
    const id = await insertAudit(tx, audit)
    await insertAction(tx, { threadId, id, kind: task.kind, at, postId, number, posterId, text })
    return { action: { id, at: at.toISOString(), kind: task.kind, number, posterId, text, undone: null }, openingId }
  })
  if (flagged !== null) deps.words.flagPost({ threadId, postId: openingId, word: flagged })
  return toOwnerAction(action)
}

/**
 * Takes back an own action; a closed thread stays closed.
 * @throws ApiError as `act`
 */
export async function takeBack(deps: OwnersDeps, visitor: Visitor | null, key: ActionKey): Promise<void> {
  const { threadId } = key
  const owner = await requireOwner(deps, visitor, threadId)
  await deps.limits.ownerActions.take(threadId)
  const at = new Date(deps.now())
  await inTransaction(deps.db, async (tx) => {
    const { thread } = await lockOwnThread(tx, owner, threadId)
    const { postId, number } = await takeBackIn(tx, deps, thread, key, 'owner', at)
    const { categoryId } = thread
    const audit = { actor: null, at, action: 'owner_undo' as const, categoryId, threadId, postId, number }
    await insertAudit(tx, { ...audit, undoes: key.id })
  })
}

/**
 * The one place that decides who may act as the opener of a thread: whoever wrote its post 1, as
 * with the deletion of own posts, while that stands, from a level on, and not banned there.
 * @throws ApiError not_found, forbidden, banned
 */
async function requireOwner(
  { db, bans, levels, settings }: OwnersDeps,
  visitor: Visitor | null,
  threadId: string,
): Promise<Owner> {
  const thread = await selectThreadState(db, threadId)
  if (thread === undefined) throw refuse('not_found', 'thread_not_found')
  if (visitor === null) throw refuse('forbidden', 'owner_only')
  await requireOpening(db, visitor, threadId)
  bans.check(visitor, { categoryId: thread.categoryId, threadId })
  const level = await levels.of(visitor)
  const { levelOwner } = settings.current
  if (level < levelOwner) throw new ApiError('forbidden', messages.owner_level(levelOwner))
  return { visitor, level }
}

/** @returns the id of post 1. @throws ApiError forbidden */
async function requireOpening(db: Db, visitor: Visitor, threadId: string): Promise<string> {
  const opening = await selectStandingOpening(db, threadId)
  if (opening === undefined || !isWriter(opening, visitor)) throw refuse('forbidden', 'owner_only')
  return opening.id
}

/** Post 1 may have been removed, and the thread locked, since it was checked. */
async function lockOwnThread(
  tx: Transaction<Tables>,
  { visitor }: Owner,
  threadId: string,
): Promise<{ thread: LockedThread; openingId: string }> {
  const thread = await lockStandingThread(tx, threadId)
  if (thread === undefined) throw refuse('not_found', 'thread_not_found')
  const openingId = await requireOpening(tx, visitor, threadId)
  if (thread.lockedAt !== null) throw refuse('locked', 'owner_locked')
  return { thread, openingId }
}

/**
 * The text as it may be stored. Notes and reasons are not held: what would hold a post refuses
 * them.
 * @throws ApiError banned_word
 */
function judgeText(
  { words, settings }: OwnersDeps,
  { level }: Owner,
  typed: string,
): { text: string; flagged: string | null } {
  const { action, word, text, flagged } = words.judge(typed)
  const holds = action === 'hold'
  if (action === 'block' || (holds && level < settings.current.levelWords)) {
    throw new ApiError('banned_word', messages.banned_word)
  }
  return { text, flagged: flagged ?? (holds ? word : null) }
}

function apply(deps: OwnersDeps, task: OwnerTask, text: string, acting: Acting): Promise<Concern> {
  switch (task.kind) {
    case 'note':
      return note(deps, text, acting)
    case 'fold':
      return fold(deps, task.postId, text, acting)
    case 'silence':
      return silence(deps, task.postId, acting)
    case 'close':
      return close(deps, acting)
  }
}

async function note(deps: OwnersDeps, text: string, { tx, thread, before }: Acting): Promise<Concern> {
  const notes = before.filter(({ kind }) => kind === 'note')
  // A press that was sent twice.
  if (notes.some((one) => one.text === text)) throw refuse('already_done', 'owner_note_same')
  if (notes.length >= OWNER_NOTES_MAX) throw refuse('already_done', 'owner_notes_full')
  await raiseIn(tx, deps, thread.id)
  return {}
}

async function fold(deps: OwnersDeps, postId: string, reason: string, acting: Acting): Promise<Concern> {
  const { tx, thread, before, at } = acting
  const post = await requireTarget(acting, postId)
  const { number } = post
  if (number === 1) throw refuse('bad_request', 'owner_opening')
  if (post.asStaff) throw refuse('bad_request', 'owner_staff_post')
  requireUntouched(before.filter((one) => one.kind === 'fold' && one.number === number))
  const folded = await setFoldIn(tx, deps, { threadId: thread.id, postId }, { at, reason }, 'owner')
  if (folded === null) throw refuse('already_done', 'owner_folded')
  return { postId, number }
}

async function silence(deps: OwnersDeps, postId: string, acting: Acting): Promise<Concern> {
  const { tx, thread, before, at, ownId } = acting
  if (thread.closedAt !== null) throw threadFull(thread.postCount)
  const { posterId, createdAt, number } = await requireTarget(acting, postId)
  if (posterId === null || ownId === null) throw refuse('bad_request', 'owner_no_id')
  if (createdAt.getTime() < startOfDayInJapan(at.getTime())) throw refuse('bad_request', 'owner_old_id')
  if (posterId === ownId) throw refuse('bad_request', 'owner_own_id')
  const same = before.filter((one) => one.kind === 'silence' && one.posterId === posterId)
  requireUntouched(same)
  if (same.some(({ undoneBy }) => undoneBy === null)) throw refuse('already_done', 'owner_silenced')
  await raiseIn(tx, deps, thread.id)
  forgetPlaceAfter(tx, deps, thread.id)
  return { postId, number, posterId }
}

async function close(deps: OwnersDeps, { tx, thread, before, at }: Acting): Promise<Concern> {
  if (thread.closedAt !== null) throw threadFull(thread.postCount)
  // It is open again, so moderators have opened it.
  if (before.some(({ kind }) => kind === 'close')) throw refuse('already_done', 'owner_final')
  // The log shows this action as standing while the lock is of the same moment.
  await changeThreadIn(tx, deps, thread.id, { locked: true }, at)
  return {}
}

/** @throws ApiError not_found, also for a removed post */
async function requireTarget({ tx, thread }: Acting, postId: string): Promise<TargetPost> {
  const post = await selectTarget(tx, { threadId: thread.id, postId })
  if (post === undefined) throw refuse('not_found', 'post_not_found')
  return post
}

/** Moderators have the last word. */
function requireUntouched(same: readonly OwnerActionRow[]): void {
  if (same.some(({ undoneBy }) => undoneBy === 'staff')) throw refuse('already_done', 'owner_final')
}

export type TakeBackDeps = Pick<OwnersDeps, 'cache' | 'live' | 'admission' | 'threadEvents'>

/**
 * Takes back an action in a locked thread. The caller writes the entry in the audit log.
 * @throws ApiError not_found; forbidden (the opener does not open a closed thread again);
 * already_done
 */
export async function takeBackIn(
  tx: Transaction<Tables>,
  deps: TakeBackDeps,
  thread: LockedThread,
  key: ActionKey,
  by: 'owner' | 'staff',
  at: Date,
): Promise<OwnerActionRow> {
  const action = await selectAction(tx, key)
  if (action === undefined) throw refuse('not_found', 'not_found')
  if (action.undoneBy !== null) throw refuse('already_done', 'action_undone')
  const { kind, postId } = action
  const { threadId } = key
  await markUndone(tx, key, by)
  if (kind === 'close') {
    if (by === 'owner') throw refuse('forbidden', 'owner_reopen')
    // It was unlocked, and perhaps locked again, by moderators.
    if (thread.lockedAt?.getTime() !== action.at.getTime()) throw refuse('already_done', 'action_undone')
    await changeThreadIn(tx, deps, threadId, { locked: false }, at)
    return action
  }
  if (kind === 'silence') forgetPlaceAfter(tx, deps, threadId)
  // A post that is folded after reports since, or was removed, stays so.
  const isUnfolded =
    kind === 'fold' && postId !== null && (await setFoldIn(tx, deps, { threadId, postId }, null, 'owner')) !== null
  if (!isUnfolded) await raiseIn(tx, deps, threadId)
  return action
}

/** Raises the revision of a locked thread, and notifies clients that have it open. */
async function raiseIn(tx: Transaction<Tables>, deps: AnnouncementDeps, threadId: string): Promise<void> {
  const [raised] = await raiseThreads(tx, [threadId], [])
  announceThreadIn(tx, deps, { threadId, ...raised! })
}

/** Other servers read the place of a thread again within two seconds. */
function forgetPlaceAfter(
  tx: Transaction<Tables>,
  { admission }: Pick<OwnersDeps, 'admission'>,
  threadId: string,
): void {
  afterCommit(tx, () => admission.places.forget(threadId))
}

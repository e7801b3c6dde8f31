/** Folds posts that many have reported, until a moderator has decided. */
import type { Transaction } from 'kysely'
import type { Tables } from '../../db/tables.ts'
import { inTransaction } from '../../db/transaction.ts'
import { insertAudit } from '../audit/audit.queries.ts'
import { updateFold, type Fold, type Folder } from '../posts/folding.queries.ts'
import { lockStandingThread } from '../threads/thread-locks.queries.ts'
import { announceThreadIn, type AnnouncementDeps } from '../threads/thread-announcement.ts'
import { removalTags } from '../threads/threads.tags.ts'
import { hearVoices, lockCase, type CaseKey, type CountedCase } from './cases.queries.ts'
import type { ReportsDeps } from './reports.deps.ts'

export type FoldingDeps = Pick<ReportsDeps, 'db' | 'settings' | 'cache' | 'live'>

/** Whether there are enough voices to fold a post: those before the last dismissal do not count. */
const isEnough = ({ voices, heardVoices }: CountedCase, foldReporters: number): boolean =>
  foldReporters > 0 && voices - heardVoices >= foldReporters

/**
 * Folds a post if enough voices have reported it, with an entry of the board itself in the public
 * log.
 */
export async function foldIfReported(deps: FoldingDeps, key: CaseKey, counted: CountedCase, at: Date): Promise<void> {
  const { foldReporters } = deps.settings.current
  if (!isEnough(counted, foldReporters)) return
  await inTransaction(deps.db, async (tx) => {
    const thread = await lockStandingThread(tx, key.threadId)
    // A moderator may have decided since the report was counted.
    const state = thread === undefined ? undefined : await lockCase(tx, key)
    if (thread === undefined || state?.status !== 'open' || !isEnough(state, foldReporters)) return
    const folded = await setFoldIn(tx, deps, key, { at, reason: null }, 'reporters')
    if (folded === null) return
    await insertAudit(tx, {
      actor: null,
      at,
      action: 'post_fold',
      ...key,
      categoryId: thread.categoryId,
      number: folded,
      subject: thread.title,
      details: { voices: state.voices, heardVoices: state.heardVoices },
      isPublic: true,
    })
  })
}

/**
 * Folds or unfolds (`fold` null) a post in a locked thread, and notifies clients that have the
 * thread open.
 * @returns its number, or null when nothing had to change
 */
export async function setFoldIn(
  tx: Transaction<Tables>,
  deps: AnnouncementDeps,
  key: CaseKey,
  fold: Fold | null,
  by: Folder,
): Promise<number | null> {
  const changed = await updateFold(tx, key, fold, by)
  if (changed === undefined) return null
  const { number, categoryId, ...state } = changed
  const { threadId } = key
  // Lists, feeds and sitemaps show text and image of post 1.
  const tags = number === 1 ? removalTags({ threadIds: [threadId], categoryIds: [categoryId] }) : undefined
  announceThreadIn(tx, deps, { threadId, ...state }, tags)
  return number
}

/**
 * Unfolds a post that stands by a moderator's decision: the voices so far do not fold it again.
 * @returns its number, or null when it was not folded after reports
 */
export async function letStandIn(
  tx: Transaction<Tables>,
  deps: AnnouncementDeps,
  key: CaseKey,
): Promise<number | null> {
  const state = await lockCase(tx, key)
  if (state !== undefined) await hearVoices(tx, key, state.voices)
  return setFoldIn(tx, deps, key, null, 'reporters')
}

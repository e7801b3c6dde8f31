import type { AuditAction } from '@shinobi/contract/audit-labels'
import { UNDO_HOURS } from '@shinobi/contract/limits'

/** Actions that remove a whole thread from the board. */
export const REMOVES_THREAD: ReadonlySet<string> = new Set<AuditAction>([
  'thread_remove',
  'thread_withdraw',
  'news_withdraw',
])

/** Actions of openers in their threads (スレ主), which stand until somebody takes them back. */
const OF_OWNERS: ReadonlySet<AuditAction> = new Set<AuditAction>([
  'owner_note',
  'owner_fold',
  'owner_silence',
  'owner_close',
])

/** Actions that can be undone. */
const UNDOABLE: ReadonlySet<AuditAction> = new Set<AuditAction>([
  'post_remove',
  'posts_remove',
  'post_fold',
  'thread_remove',
  'news_withdraw',
  'thread_lock',
  'thread_unlock',
  'thread_pin',
  'thread_unpin',
  'thread_move',
  'case_dismiss',
  'reporter_mute',
  'ban',
  ...OF_OWNERS,
])

/** The facts about an entry that decide whether it can be undone. */
export interface UndoCandidate {
  readonly action: AuditAction
  readonly at: Date
  /** An undo cannot be undone itself: the action is repeated instead. */
  readonly undoes: string | null
}

/** Whether an entry is of a kind that can be undone. */
export const isOfUndoableKind = ({ action, undoes }: UndoCandidate): boolean => undoes === null && UNDOABLE.has(action)

/** Whether it is too old to be undone. */
export const isTooOldToUndo = (
  { at, action }: Pick<UndoCandidate, 'at'> & Partial<Pick<UndoCandidate, 'action'>>,
  now: number,
): boolean => now - at.getTime() > UNDO_HOURS * 3_600_000 && !(action !== undefined && OF_OWNERS.has(action))

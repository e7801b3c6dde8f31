import type { AuditAction } from '@shinobi/contract/audit-labels'
import { UNDO_HOURS } from '@shinobi/contract/limits'

/** Actions that take a whole thread off the board. */
export const REMOVES_THREAD: ReadonlySet<string> = new Set<AuditAction>(['thread_remove', 'news_withdraw'])

/** Actions that can be taken back. */
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
])

/** What a decision needs to know of an entry. */
export interface UndoCandidate {
  readonly action: AuditAction
  readonly at: Date
  /** What takes something back is not taken back itself: one does the thing anew. */
  readonly undoes: string | null
}

/** Whether an entry is of a kind that can be taken back at all. */
export const isOfUndoableKind = ({ action, undoes }: UndoCandidate): boolean => undoes === null && UNDOABLE.has(action)

/** Whether it is too old for that. */
export const isTooOldToUndo = ({ at }: Pick<UndoCandidate, 'at'>, now: number): boolean =>
  now - at.getTime() > UNDO_HOURS * 3_600_000

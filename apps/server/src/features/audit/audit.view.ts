import type { AuditEntry, PublicLogEntry } from '@shinobi/contract/moderation'
import type { AuditRow, PublicAuditRow } from './audit.queries.ts'
import { isOfUndoableKind, isTooOldToUndo } from './audit.rules.ts'

export const toAuditEntry = (row: AuditRow, now: number): AuditEntry => ({
  _id: row.id,
  at: row.at.toISOString(),
  actor: row.actorName,
  action: row.action,
  category: row.category,
  threadId: row.threadId,
  number: row.number,
  subject: row.subject,
  rule: row.rule,
  reason: row.reason,
  details: row.details,
  undone: row.undone,
  undoable: !row.undone && isOfUndoableKind(row) && !isTooOldToUndo(row, now),
})

export const toPublicLogEntry = (row: PublicAuditRow): PublicLogEntry => ({
  _id: row.id,
  at: row.at.toISOString(),
  action: row.action,
  category: row.category,
  threadId: row.threadId,
  title: row.title,
  number: row.number,
  rule: row.rule,
  undone: row.undone,
})

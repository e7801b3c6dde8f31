import { sql, type Selectable } from 'kysely'
import type { AuditAction } from '@shinobi/contract/audit-labels'
import type { Db } from '../../db/client.ts'
import type { AuditLogTable } from '../../db/tables.ts'

/** An entry of the log, with what an undo needs. */
export type UndoEntry = Omit<Selectable<AuditLogTable>, 'action'> & {
  readonly action: AuditAction
  /** Whether it was undone before. */
  readonly undone: boolean
}

export async function selectEntry(db: Db, id: string): Promise<UndoEntry | undefined> {
  const { rows } = await sql<UndoEntry>`
    select entry.*, exists (select from "auditLog" as later where later.undoes = entry.id) as undone
    from "auditLog" as entry where entry.id = ${id}::uuid`.execute(db)
  return rows[0]
}

/**
 * Whether one of these fields of an entry's thread was changed after it, by an action that stands:
 * what was undone does not count, nor does its undo.
 */
export async function isChangedSince(db: Db, entry: UndoEntry, fields: readonly string[]): Promise<boolean> {
  const { rows } = await sql`
    select from "auditLog" as later
    where later.id > ${entry.id}::uuid and later."threadId" = ${entry.threadId}::uuid
      and later.details->'after' ?| ${fields}::text[]
      and (later.undoes is null or later.undoes < ${entry.id}::uuid)
      and not exists (select from "auditLog" as undo where undo.undoes = later.id)
    limit 1`.execute(db)
  return rows.length > 0
}

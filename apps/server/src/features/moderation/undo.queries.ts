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

import { sql, type Selectable } from 'kysely'
import type { Db } from '../../db/client.ts'
import type { ShieldsTable } from '../../db/tables.ts'

export type ShieldRow = Selectable<ShieldsTable>

export const selectShields = (db: Db): Promise<ShieldRow[]> => db.selectFrom('shields').selectAll().execute()

/** The shield of a category, locked until the transaction ends. */
export const lockShield = (tx: Db, categoryId: string): Promise<ShieldRow | undefined> =>
  tx.selectFrom('shields').selectAll().where('categoryId', '=', categoryId).forUpdate().executeTakeFirst()

/** Raises a category's step; false when it is as high already, or was set by hand. */
export async function raiseShield(tx: Db, categoryId: string, step: number, at: Date): Promise<boolean> {
  const { rows } = await sql`
    insert into shields ("categoryId", step, manual, since, "activeAt", until)
    values (${categoryId}::uuid, ${step}::integer, false, ${at}::timestamptz, ${at}::timestamptz, null)
    on conflict ("categoryId") do update
    set step = excluded.step, manual = false, since = excluded.since, "activeAt" = excluded."activeAt", until = null
    where (not shields.manual and shields.step < excluded.step) or (shields.manual and shields.until <= excluded.since)
    returning step`.execute(tx)
  return rows.length > 0
}

/** Records that a step is still needed. */
export async function keepShield(db: Db, categoryId: string, activeAt: Date): Promise<void> {
  await db
    .updateTable('shields')
    .set({ activeAt })
    .where('categoryId', '=', categoryId)
    .where('activeAt', '<', activeAt)
    .execute()
}

/**
 * Lowers a shield by one step, if it still has the expected step, and no server has needed it since
 * `quietSince`.
 * @returns the new step; undefined when nothing was changed
 */
export async function lowerShield(
  tx: Db,
  { categoryId, step, quietSince, at }: { categoryId: string; step: number; quietSince: Date; at: Date },
): Promise<number | undefined> {
  const row = await tx
    .updateTable('shields')
    .set({ step: step - 1, since: at, activeAt: at })
    .where('categoryId', '=', categoryId)
    .where('step', '=', step)
    .where('manual', '=', false)
    .where('activeAt', '<=', quietSince)
    .returning('step')
    .executeTakeFirst()
  if (row?.step === 0) await deleteShield(tx, categoryId)
  return row?.step
}

/**
 * Ends a step that was set by hand for a time; false when another server has ended or changed it.
 */
export async function endShield(tx: Db, categoryId: string, at: Date): Promise<boolean> {
  const row = await tx
    .deleteFrom('shields')
    .where('categoryId', '=', categoryId)
    .where('manual', '=', true)
    .where('until', '<=', at)
    .returning('categoryId')
    .executeTakeFirst()
  return row !== undefined
}

export async function deleteShield(tx: Db, categoryId: string): Promise<void> {
  await tx.deleteFrom('shields').where('categoryId', '=', categoryId).execute()
}

/** Sets a step by hand. @param until null: until the next change */
export async function setShield(
  tx: Db,
  { categoryId, step, at, until }: { categoryId: string; step: number; at: Date; until: Date | null },
): Promise<void> {
  await sql`
    insert into shields ("categoryId", step, manual, since, "activeAt", until)
    values (${categoryId}::uuid, ${step}::integer, true, ${at}::timestamptz, ${at}::timestamptz, ${until}::timestamptz)
    on conflict ("categoryId") do update
    set step = excluded.step, manual = true, until = excluded.until, "activeAt" = excluded."activeAt",
      since = case when shields.step = excluded.step then shields.since else excluded.since end`.execute(tx)
}

import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import type { TallyChange } from './image-store.ts'
import { IMAGE_COLUMNS } from './image-columns.ts'

/** Total of stored pictures. */
export interface ImageTotals {
  readonly files: number
  readonly bytes: number
}

/** The driver returns bigint as text. */
const toTotals = (row: { readonly files: string; readonly bytes: string }): ImageTotals => ({
  files: Number(row.files),
  bytes: Number(row.bytes),
})

export async function selectTotals(db: Db): Promise<ImageTotals> {
  return toTotals(await db.selectFrom('imageTotals').select(['files', 'bytes']).executeTakeFirstOrThrow())
}

/**
 * Adds files to the total, or subtracts them. Files before the position of the current walk are
 * added to its count as well, as it will not see them again.
 * @param sign 1 for files about to be written, -1 for deleted files
 * @param maxBytes maximum of the new total; null for none
 * @returns undefined when the total would exceed the maximum
 */
export async function changeTotals(
  db: Db,
  { path, files, bytes }: TallyChange,
  sign: 1 | -1,
  maxBytes: number | null,
): Promise<ImageTotals | undefined> {
  const passed = sql`case when ${path}::text <= "walkedTo" then 1 else 0 end`
  const { rows } = await sql<{ files: string; bytes: string }>`
    update "imageTotals" set
      files = files + ${sign * files}::bigint, bytes = bytes + ${sign * bytes}::bigint,
      "walkedFiles" = "walkedFiles" + ${passed} * ${sign * files}::bigint,
      "walkedBytes" = "walkedBytes" + ${passed} * ${sign * bytes}::bigint
    where ${maxBytes}::bigint is null or bytes + ${sign * bytes}::bigint <= ${maxBytes}::bigint
    returning files, bytes`.execute(db)
  return rows[0] === undefined ? undefined : toTotals(rows[0])
}

/** Position of the walk, and how many files it has found so far. */
export interface WalkState {
  readonly walkedTo: string
  readonly walkedFiles: number
}

/** Claims the next part of the walk for this server; undefined when it is not due. */
export async function claimWalk(db: Db, now: Date, nextAt: Date): Promise<WalkState | undefined> {
  const row = await db
    .updateTable('imageTotals')
    .set({ nextWalkAt: nextAt })
    .where('nextWalkAt', '<=', now)
    .returning(['walkedTo', 'walkedFiles'])
    .executeTakeFirst()
  return row && { walkedTo: row.walkedTo, walkedFiles: Number(row.walkedFiles) }
}

/** Stores the new position of the walk, and adds what it counted. */
export async function advanceWalk(db: Db, to: string, { files, bytes }: ImageTotals): Promise<void> {
  await sql`
    update "imageTotals" set "walkedTo" = ${to}, "walkedFiles" = "walkedFiles" + ${files}::bigint,
      "walkedBytes" = "walkedBytes" + ${bytes}::bigint`.execute(db)
}

/** Starts the walk again from the beginning. */
export async function restartWalk(db: Db, nextAt: Date): Promise<void> {
  await db
    .updateTable('imageTotals')
    .set({ walkedTo: '', walkedFiles: 0, walkedBytes: 0, nextWalkAt: nextAt })
    .execute()
}

/** Ends a complete walk: its count replaces the total. */
export async function endWalk(db: Db, nextAt: Date): Promise<void> {
  await sql`
    update "imageTotals" set files = "walkedFiles", bytes = "walkedBytes",
      "walkedTo" = '', "walkedFiles" = 0, "walkedBytes" = 0, "nextWalkAt" = ${nextAt}::timestamptz`.execute(db)
}

/** Which of these pictures any row references, visible or not. */
export async function selectNamed(db: Db, keys: readonly string[]): Promise<Set<string>> {
  const asked = JSON.stringify(keys)
  // One snapshot for all tables.
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      const named = new Set<string>()
      for (const [column, key] of Object.entries(IMAGE_COLUMNS)) {
        if (key === null) continue
        const [table, name] = column.split('.') as [string, string]
        const { rows } = await sql<{ key: string }>`
          select distinct ${sql.raw(key)} as key from ${sql.table(table)} where ${sql.ref(name)} is not null
            and ${sql.raw(key)} = any (array(select json_array_elements_text(${asked}::text::json)))`.execute(tx)
        for (const row of rows) named.add(row.key)
      }
      return named
    })
}

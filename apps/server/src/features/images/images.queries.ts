import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import type { TallyChange } from '../../lib/image-store.ts'
import { IMAGE_COLUMNS } from './image-columns.ts'

/** What is stored in all. */
export interface ImageTotals {
  readonly files: number
  readonly bytes: number
}

/** bigint comes as text. */
const toTotals = (row: { readonly files: string; readonly bytes: string }): ImageTotals => ({
  files: Number(row.files),
  bytes: Number(row.bytes),
})

export async function selectTotals(db: Db): Promise<ImageTotals> {
  return toTotals(await db.selectFrom('imageTotals').select(['files', 'bytes']).executeTakeFirstOrThrow())
}

/**
 * Counts files, or takes them off. What the walk under way has passed already is counted for it as well, as it will not see them.
 * @param sign 1 for files that are about to be written, -1 for files that are gone
 * @param maxBytes what may be stored in all once they are counted; null for any amount
 * @returns undefined when it would be more
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

/** How far the walk has come, and how many files it found on the way. */
export interface WalkState {
  readonly walkedTo: string
  readonly walkedFiles: number
}

/** Takes the next part of the walk, so that no other server does; undefined when it is not due. */
export async function claimWalk(db: Db, now: Date, nextAt: Date): Promise<WalkState | undefined> {
  const row = await db
    .updateTable('imageTotals')
    .set({ nextWalkAt: nextAt })
    .where('nextWalkAt', '<=', now)
    .returning(['walkedTo', 'walkedFiles'])
    .executeTakeFirst()
  return row && { walkedTo: row.walkedTo, walkedFiles: Number(row.walkedFiles) }
}

/** Notes that the walk has come as far as a path, and what it counted on the way. */
export async function advanceWalk(db: Db, to: string, { files, bytes }: ImageTotals): Promise<void> {
  await sql`
    update "imageTotals" set "walkedTo" = ${to}, "walkedFiles" = "walkedFiles" + ${files}::bigint,
      "walkedBytes" = "walkedBytes" + ${bytes}::bigint`.execute(db)
}

/** Begins it anew. */
export async function restartWalk(db: Db, nextAt: Date): Promise<void> {
  await db
    .updateTable('imageTotals')
    .set({ walkedTo: '', walkedFiles: 0, walkedBytes: 0, nextWalkAt: nextAt })
    .execute()
}

/** The walk has seen everything: what it counted is what is stored. */
export async function endWalk(db: Db, nextAt: Date): Promise<void> {
  await sql`
    update "imageTotals" set files = "walkedFiles", bytes = "walkedBytes",
      "walkedTo" = '', "walkedFiles" = 0, "walkedBytes" = 0, "nextWalkAt" = ${nextAt}::timestamptz`.execute(db)
}

/** Which of these pictures any row names, visible or not. */
export async function selectNamed(db: Db, keys: readonly string[]): Promise<Set<string>> {
  const asked = JSON.stringify(keys)
  // One moment for all tables.
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

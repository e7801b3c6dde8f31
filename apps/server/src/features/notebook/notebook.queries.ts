import type { NotebookEntry } from '@shinobi/contract/notebook-entry'
import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'

/** Two devices of a member that write at once wait for each other, until the transaction ends. */
export async function lockNotebook(tx: Db, userId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`notebook ${userId}`}, 0))`.execute(tx)
}

export interface StoredEntry {
  readonly entry: NotebookEntry
  readonly version: number
}

/** What has changed after a version, earliest first. */
export async function selectChanges(db: Db, userId: string, since: number, limit: number): Promise<StoredEntry[]> {
  const rows = await db
    .selectFrom('notebookEntries')
    .select(['entry', 'version'])
    .where('userId', '=', userId)
    .where('version', '>', String(since))
    .orderBy('version')
    .limit(limit)
    .execute()
  return rows.map(({ entry, version }) => ({ entry, version: Number(version) }))
}

export async function selectEntries(db: Db, userId: string, threadIds: readonly string[]): Promise<NotebookEntry[]> {
  const rows = await db
    .selectFrom('notebookEntries')
    .select('entry')
    .where('userId', '=', userId)
    .where('threadId', 'in', threadIds)
    .execute()
  return rows.map(({ entry }) => entry)
}

/** How many threads a notebook has, without those that were forgotten, and its last version. */
export async function selectSize(db: Db, userId: string): Promise<{ rows: number; told: number; version: number }> {
  const { rows } = await sql<{ rows: number; told: number; version: string }>`
    select count(*)::integer as rows, coalesce(max(version), 0) as version,
      (count(*) filter (where entry->'forgottenAt' is distinct from entry->'updatedAt'))::integer as told
    from "notebookEntries" where "userId" = ${userId}::uuid`.execute(db)
  const [size] = rows
  return { rows: size!.rows, told: size!.told, version: Number(size!.version) }
}

/** Writes entries, the first one with `version` and each other with the next one. */
export async function upsertEntries(
  tx: Db,
  userId: string,
  entries: readonly NotebookEntry[],
  version: number,
): Promise<void> {
  await tx
    .insertInto('notebookEntries')
    .values(
      entries.map((entry, index) => ({
        userId,
        threadId: entry.threadId,
        entry: JSON.stringify(entry),
        version: version + index,
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['userId', 'threadId']).doUpdateSet((now) => ({
        entry: now.ref('excluded.entry'),
        version: now.ref('excluded.version'),
      })),
    )
    .execute()
}

/** Deletes the entries that changed longest ago; favourites and own threads last. */
export async function deleteSurplus(tx: Db, userId: string, surplus: number): Promise<void> {
  await sql`
    delete from "notebookEntries" where "userId" = ${userId}::uuid and "threadId" in (
      select "threadId" from "notebookEntries" where "userId" = ${userId}::uuid
      order by (entry->'favouriteAt' <> 'null' or entry->'isOwn' = 'true'), version limit ${surplus}
    )`.execute(tx)
}

export async function deleteNotebook(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('notebookEntries').where('userId', '=', userId).execute()
}

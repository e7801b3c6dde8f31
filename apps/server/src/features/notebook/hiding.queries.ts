import { createHash } from 'node:crypto'
import { targetKey, type HidingEntry, type HidingTarget } from '@shinobi/contract/hiding-entry'
import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'

const hashTarget = (target: HidingTarget): string => createHash('sha256').update(targetKey(target)).digest('base64url')

export interface StoredRule {
  readonly entry: HidingEntry
  readonly version: number
}

/** What has changed after a version, earliest first. */
export async function selectRuleChanges(db: Db, userId: string, since: number, limit: number): Promise<StoredRule[]> {
  const rows = await db
    .selectFrom('hidingRules')
    .select(['entry', 'version'])
    .where('userId', '=', userId)
    .where('version', '>', String(since))
    .orderBy('version')
    .limit(limit)
    .execute()
  return rows.map(({ entry, version }) => ({ entry, version: Number(version) }))
}

/** What is stored about some targets. */
export async function selectRules(db: Db, userId: string, targets: readonly HidingTarget[]): Promise<HidingEntry[]> {
  const rows = await db
    .selectFrom('hidingRules')
    .select('entry')
    .where('userId', '=', userId)
    .where('targetHash', 'in', targets.map(hashTarget))
    .execute()
  return rows.map(({ entry }) => entry)
}

export interface RulesSize {
  readonly rows: number
  /** Those that were not removed and have not ended. */
  readonly live: number
  /** The last one; 0 without rows. */
  readonly version: number
}

export async function selectRulesSize(db: Db, userId: string, now: number): Promise<RulesSize> {
  const { rows } = await sql<{ rows: number; live: number; version: string }>`
    select count(*)::integer as rows, coalesce(max(version), 0) as version,
      (count(*) filter (where ${isLive(now)}))::integer as live
    from "hidingRules" where "userId" = ${userId}::uuid`.execute(db)
  const [size] = rows
  return { rows: size!.rows, live: size!.live, version: Number(size!.version) }
}

/** SQL: whether a row is a rule at a moment. */
const isLive = (now: number) => sql<boolean>`
  (entry->'traits' <> 'null' and coalesce((entry->'traits'->>'endsAt')::bigint > ${now}::bigint, true))`

/** Writes entries, the first one with `version` and each other with the next one. */
export async function upsertRules(
  tx: Db,
  userId: string,
  entries: readonly HidingEntry[],
  version: number,
): Promise<void> {
  await tx
    .insertInto('hidingRules')
    .values(
      entries.map((entry, index) => ({
        userId,
        targetHash: hashTarget(entry),
        entry: JSON.stringify(entry),
        version: version + index,
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['userId', 'targetHash']).doUpdateSet((now) => ({
        entry: now.ref('excluded.entry'),
        version: now.ref('excluded.version'),
      })),
    )
    .execute()
}

/** Forgets the removals of longest ago. */
export async function deleteSurplusRemovals(tx: Db, userId: string, surplus: number, now: number): Promise<void> {
  await sql`
    delete from "hidingRules" where "userId" = ${userId}::uuid and "targetHash" in (
      select "targetHash" from "hidingRules" where "userId" = ${userId}::uuid and not ${isLive(now)}
      order by version limit ${surplus}
    )`.execute(tx)
}

export async function deleteRules(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('hidingRules').where('userId', '=', userId).execute()
}

import { sql } from 'kysely'
import type { SettingsChange } from '@shinobi/contract/settings'
import type { Db } from '../../db/client.ts'

const KEY = 'board'

/** The changes that administrators have made, and when. */
export async function selectSettings(db: Db): Promise<{ change: SettingsChange; changedAt: string | null }> {
  const row = await db.selectFrom('settings').select('value').where('key', '=', KEY).executeTakeFirst()
  const value = (row?.value ?? {}) as { change?: SettingsChange; changedAt?: string }
  return { change: withThreeSteps(value.change ?? {}), changedAt: value.changedAt ?? null }
}

/** Before 0.3 the board took the fourth step automatically as well, with its own threshold. */
function withThreeSteps(change: SettingsChange): SettingsChange {
  const stored = { ...change } as Record<string, unknown>
  for (const name of ['shieldPostsPerMinute', 'shieldThreadsPerMinute']) {
    if (Array.isArray(stored[name])) stored[name] = stored[name].slice(0, 3)
  }
  return stored
}

/**
 * Merges a change into the stored settings. The row is locked, so that concurrent changes both take
 * effect.
 */
export async function mergeSettings(tx: Db, change: SettingsChange, at: Date): Promise<SettingsChange> {
  await insertEmpty(tx)
  const row = await tx
    .selectFrom('settings')
    .select('value')
    .where('key', '=', KEY)
    .forUpdate()
    .executeTakeFirstOrThrow()
  const before = (row.value as { change?: SettingsChange }).change ?? {}
  const value = JSON.stringify({ change: { ...before, ...change }, changedAt: at.toISOString() })
  await sql`update settings set value = ${value}::text::jsonb where key = ${KEY}`.execute(tx)
  return before
}

async function insertEmpty(tx: Db): Promise<void> {
  await sql`insert into settings (key, value) values (${KEY}, '{}') on conflict (key) do nothing`.execute(tx)
}

/**
 * Whether a member has a confirmed second factor. The query is here because accounts depend on
 * settings.
 */
export async function hasSecondFactor(db: Db, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('secondFactors')
    .select('userId')
    .where('userId', '=', userId)
    .where('confirmedAt', 'is not', null)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Whether the news are on. The row is locked, so that they cannot be switched off before the
 * transaction ends.
 */
export async function holdNewsActive(tx: Db, byDefault: boolean): Promise<boolean> {
  // A missing row cannot be locked.
  await insertEmpty(tx)
  const row = await tx.selectFrom('settings').select('value').where('key', '=', KEY).forShare().executeTakeFirst()
  return (row?.value as { change?: SettingsChange } | undefined)?.change?.newsActive ?? byDefault
}

/**
 * Merges a worker's progress into the row of its own key, separate from the administrators'
 * settings.
 */
export async function noteProgress(db: Db, key: string, known: object): Promise<void> {
  await sql`
    insert into settings (key, value) values (${key}, ${JSON.stringify(known)}::text::jsonb)
    on conflict (key) do update set value = settings.value || excluded.value`.execute(db)
}

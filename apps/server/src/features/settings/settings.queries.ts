import { sql } from 'kysely'
import type { SettingsChange } from '@shinobi/contract/settings'
import type { Db } from '../../db/client.ts'

const KEY = 'board'

/** What administrators have set, and when. */
export async function selectSettings(db: Db): Promise<{ change: SettingsChange; changedAt: string | null }> {
  const row = await db.selectFrom('settings').select('value').where('key', '=', KEY).executeTakeFirst()
  const value = (row?.value ?? {}) as { change?: SettingsChange; changedAt?: string }
  return { change: withThreeSteps(value.change ?? {}), changedAt: value.changedAt ?? null }
}

/** Before 0.3 the board took the fourth step by itself, too, from a threshold of its own. */
function withThreeSteps(change: SettingsChange): SettingsChange {
  const stored = { ...change } as Record<string, unknown>
  for (const name of ['shieldPostsPerMinute', 'shieldThreadsPerMinute']) {
    if (Array.isArray(stored[name])) stored[name] = stored[name].slice(0, 3)
  }
  return stored
}

/** Puts settings over those that were set before; the row is locked, so that two changes at once both hold. */
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

/** Whether a member has a second factor that is asked for at log-in. Asked here, as accounts build on settings. */
export async function hasSecondFactor(db: Db, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('secondFactors')
    .select('userId')
    .where('userId', '=', userId)
    .where('confirmedAt', 'is not', null)
    .executeTakeFirst()
  return row !== undefined
}

/** Whether the news are on, as it will be until the transaction ends: nobody switches them off beside it. */
export async function holdNewsActive(tx: Db, byDefault: boolean): Promise<boolean> {
  // A row that is not there cannot be held.
  await insertEmpty(tx)
  const row = await tx.selectFrom('settings').select('value').where('key', '=', KEY).forShare().executeTakeFirst()
  return (row?.value as { change?: SettingsChange } | undefined)?.change?.newsActive ?? byDefault
}

/** Notes what a worker knows anew under a key of its own, beside what administrators have set. */
export async function noteProgress(db: Db, key: string, known: object): Promise<void> {
  await sql`
    insert into settings (key, value) values (${key}, ${JSON.stringify(known)}::text::jsonb)
    on conflict (key) do update set value = settings.value || excluded.value`.execute(db)
}

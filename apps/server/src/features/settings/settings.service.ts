import { boardSettings, type BoardSettings, type SettingsChange } from '@shinobi/contract/settings'
import type { Config } from '../../config.ts'
import type { Db } from '../../db/client.ts'
import type { Revisions } from '../../db/revisions.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Deps } from '../../deps.ts'
import type { Member } from '../../http/session.ts'
import { refuse } from '../../lib/api-error.ts'
import { insertAudit, type NewAuditEntry } from '../audit/audit.queries.ts'
import { hasSecondFactor, mergeSettings, selectSettings } from './settings.queries.ts'

/** The board's settings as they stand now, on every server (see db/revisions.ts). Read `current` at each use; never keep a copy. */
export interface LiveSettings {
  readonly current: BoardSettings
  /** What holds where nothing was set: the environment's word, or ours. */
  readonly defaults: BoardSettings
  /** Calls a listener whenever they may have changed, on whichever server it was done. */
  onChange(listener: () => void): void
}

/** Start values. Nothing slows a calm board; a raid reaches figures far above those of a lively evening. */
export const defaultSettings = (config: Config): BoardSettings => ({
  spamPosts: config.spamPosts,
  spamPostsPerAddress: config.spamPostsPerAddress,
  spamWindowMinutes: config.spamWindowMinutes,
  uploadsPerHour: config.uploadsPerHour,
  postCooldownSeconds: 0,
  threadCooldownSeconds: 0,
  foldReporters: 3,
  holdReleaseMinutes: 60,
  newcomerHours: 24,
  bannerText: '',
  readOnly: false,
  readOnlyText: '',
  requireSecondFactor: false,
  requireModeratorSecondFactor: false,
  shieldAutomatic: config.shieldAutomatic,
  shieldPostsPerMinute: [120, 180, 300],
  shieldThreadsPerMinute: [10, 15, 25],
  shieldQuietMinutes: 10,
  shieldCooldownSeconds: 15,
  newsActive: true,
  newsApproval: false,
  newsThreadsPerHour: 20,
  newsTokensPerHour: 200_000,
  newsTokensPerDay: 2_000_000,
})

export async function followSettings(db: Db, config: Config, revisions: Revisions): Promise<LiveSettings> {
  const defaults = defaultSettings(config)
  let current = defaults
  const listeners: (() => void)[] = []
  await revisions.follow('settings', async () => {
    current = withDefaults((await selectSettings(db)).change, defaults)
    for (const listener of listeners) listener()
  })
  return {
    defaults,
    onChange: (listener) => void listeners.push(listener),
    get current() {
      return current
    },
  }
}

/** What was set, where it can still be used, over the defaults: an old row must not stop a server whose settings have changed. */
export function withDefaults(change: SettingsChange, defaults: BoardSettings): BoardSettings {
  const settings: Record<string, unknown> = { ...defaults }
  for (const [key, schema] of Object.entries(boardSettings.shape)) {
    const parsed = schema.safeParse(change[key as keyof SettingsChange])
    if (parsed.success) settings[key] = parsed.data
  }
  return settings as BoardSettings
}

/** What a change of settings is called in the log, and why it was made. */
type LogEntry = Pick<NewAuditEntry, 'action' | 'reason'>

/**
 * Changes settings; those that are left out stay.
 * @throws ApiError second_factor_missing
 */
export async function changeSettings(
  { db, now, settings, revisions }: Pick<Deps, 'db' | 'now' | 'settings' | 'revisions'>,
  actor: Member,
  change: SettingsChange,
  entry: LogEntry = { action: 'settings_change' },
): Promise<void> {
  const at = new Date(now())
  // Nobody locks themselves out, and with them perhaps everybody.
  if (change.requireSecondFactor === true && !(await hasSecondFactor(db, actor.id))) {
    throw refuse('second_factor_missing', 'second_factor_missing')
  }
  await inTransaction(db, async (tx) => {
    const set = withDefaults(await mergeSettings(tx, change, at), settings.defaults)
    const changed = Object.keys(change) as (keyof SettingsChange)[]
    const before = Object.fromEntries(changed.map((key) => [key, set[key]]))
    await insertAudit(tx, { actor, at, ...entry, details: { before, after: change } })
    await revisions.raise(tx, 'settings')
  })
}

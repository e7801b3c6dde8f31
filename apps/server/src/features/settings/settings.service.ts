import { THREAD_POSTS } from '@shinobi/contract/limits'
import { boardSettings, type BoardSettings, type SettingsChange } from '@shinobi/contract/settings'
import type { Config } from '../../config.ts'
import type { Core } from '../../core.ts'
import type { Db } from '../../db/client.ts'
import type { Revisions } from '../../db/revisions.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Member } from '../../http/session.ts'
import { refuse } from '../../lib/api-error.ts'
import { insertAudit, type NewAuditEntry } from '../audit/audit.queries.ts'
import { hasSecondFactor, mergeSettings, selectSettings } from './settings.queries.ts'

/**
 * The current settings of the board, on every server (see db/revisions.ts). Read `current` at each
 * use; never keep a copy.
 */
export interface LiveSettings {
  readonly current: BoardSettings
  /** Values of settings that were never changed: from the environment, or the built-in ones. */
  readonly defaults: BoardSettings
  /** Calls a listener whenever settings may have changed, on any server. */
  onChange(listener: () => void): void
}

export interface SettingsDeps extends Core {
  readonly settings: LiveSettings
}

/**
 * Default values. They never slow an ordinary board; a raid exceeds figures far above those of a
 * busy evening.
 */
export const defaultSettings = (config: Config): BoardSettings => ({
  postLimit: THREAD_POSTS,
  spamPosts: config.spamPosts,
  spamPostsPerAddress: config.spamPostsPerAddress,
  spamWindowMinutes: config.spamWindowMinutes,
  ownDeleteMinutes: 10,
  uploadsPerHour: config.uploadsPerHour,
  postCooldownSeconds: 0,
  threadCooldownSeconds: 0,
  foldReporters: 3,
  holdReleaseMinutes: 60,
  newcomerHours: 24,
  levelLinks: 2,
  levelImages: 2,
  levelThreads: 3,
  levelCooldown: 5,
  levelWords: 10,
  levelCopies: 3,
  levelOwner: 3,
  levelRaid: 3,
  bannerText: '',
  readOnly: false,
  readOnlyText: '',
  gateway: true,
  requireSecondFactor: false,
  requireModeratorSecondFactor: false,
  shieldAutomatic: config.shieldAutomatic,
  shieldPostsPerMinute: [120, 180, 300],
  shieldThreadsPerMinute: [10, 15, 25],
  shieldQuietMinutes: 10,
  shieldCooldownSeconds: 15,
  newsActive: true,
  newsApproval: false,
  newsRiskApproval: true,
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

/**
 * Merges valid changes into the defaults: an old row must not stop a server of a version with other
 * settings.
 */
export function withDefaults(change: SettingsChange, defaults: BoardSettings): BoardSettings {
  const settings: Record<string, unknown> = { ...defaults }
  for (const [key, schema] of Object.entries(boardSettings.shape)) {
    const parsed = schema.safeParse(change[key as keyof SettingsChange])
    if (parsed.success) settings[key] = parsed.data
  }
  return settings as BoardSettings
}

/** Action and reason of the entry in the log. */
type LogEntry = Pick<NewAuditEntry, 'action' | 'reason'>

/**
 * Changes the given settings; the others stay.
 * @throws ApiError second_factor_missing
 */
export async function changeSettings(
  { db, now, settings, revisions }: Pick<SettingsDeps, 'db' | 'now' | 'settings' | 'revisions'>,
  actor: Member,
  change: SettingsChange,
  entry: LogEntry = { action: 'settings_change' },
): Promise<void> {
  const at = new Date(now())
  // An administrator without a second factor would lock themselves out, perhaps with everybody
  // else.
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

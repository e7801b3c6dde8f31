import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from './config.ts'
import { syncPathSync } from './lib/sync-path.ts'

type Settings = Pick<Config, 'sessionSecret' | 'dataDir'>

export const secretFileOf = ({ dataDir }: Pick<Config, 'dataDir'>): string => join(dataDir, 'session-secret')

/**
 * The secret that signs cookies: the operator's, or one that is generated at the first start and
 * stored in DATA_DIR.
 */
export function loadSecret(config: Settings): string {
  const there = readSecret(config)
  if (there !== null) return there
  const secret = randomBytes(48).toString('base64url')
  // Flushed to disk before the first cookie is issued: a new secret after a power failure would end
  // all sessions.
  const path = secretFileOf(config)
  const next = `${path}.${process.pid}`
  writeFileSync(next, `${secret}\n`, { mode: 0o600, flush: true })
  renameSync(next, path)
  syncPathSync(config.dataDir)
  return secret
}

/** The same; null when none is stored yet. */
export function readSecret(config: Settings): string | null {
  if (config.sessionSecret !== null) return config.sessionSecret
  const path = secretFileOf(config)
  if (!existsSync(path)) return null
  const secret = readFileSync(path, 'utf8').trim()
  return secret.length >= 32 ? secret : null
}

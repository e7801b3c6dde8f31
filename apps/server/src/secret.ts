import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from './config.ts'

/** The secret that signs cookies: the operator's, or one made at the first start and kept in DATA_DIR. */
export function loadSecret(config: Config): string {
  if (config.sessionSecret !== null) return config.sessionSecret
  const path = join(config.dataDir, 'session-secret')
  if (existsSync(path)) {
    const secret = readFileSync(path, 'utf8').trim()
    if (secret.length >= 32) return secret
  }
  const secret = randomBytes(48).toString('base64url')
  writeFileSync(path, `${secret}\n`, { mode: 0o600 })
  return secret
}

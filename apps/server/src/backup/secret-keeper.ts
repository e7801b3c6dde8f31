/** Stores the secret of a restored board. */
import { open, rename } from 'node:fs/promises'
import type { Config } from '../config.ts'
import { embeddedBoardFolder } from '../db/embedded/board-folder.ts'
import { syncPath } from '../lib/sync-path.ts'
import { readSecret, secretFileOf } from '../secret.ts'
import { BackupRefusal } from './refusal.ts'

export interface SecretKeeper {
  /**
   * @throws BackupRefusal when the board would run with another secret, or another board's secret
   * would be overwritten
   */
  check(secret: string): void
  keep(secret: string): Promise<void>
}

export function createSecretKeeper(config: Pick<Config, 'sessionSecret' | 'dataDir' | 'databaseUrl'>): SecretKeeper {
  const { sessionSecret, dataDir, databaseUrl } = config
  return {
    check(secret) {
      if (readSecret(config) === secret) return
      if (sessionSecret !== null) {
        throw new BackupRefusal(
          "SESSION_SECRET is not the archive's: nobody's session or second factor would work. Set that one, or none.",
        )
      }
      const other = databaseUrl === null ? null : embeddedBoardFolder(dataDir)
      if (other !== null) {
        throw new BackupRefusal(`DATA_DIR belongs to another board (${other}): set DATA_DIR to a folder of its own.`)
      }
    },
    async keep(secret) {
      if (readSecret(config) === secret) return
      const path = secretFileOf(config)
      const handle = await open(`${path}.tmp`, 'w', 0o600)
      try {
        await handle.writeFile(`${secret}\n`)
        await handle.sync()
      } finally {
        await handle.close()
      }
      await rename(`${path}.tmp`, path)
      await syncPath(dataDir)
    },
  }
}

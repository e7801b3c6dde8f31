/**
 * The PostgreSQL of tests: the embedded one's programs, with temporary files, on a loopback port.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import { temporary } from '../../../../scripts/temporary.mjs'
import { findBinaries } from '../db/embedded/binaries.ts'
import { createCluster, foldersOf } from '../db/embedded/cluster.ts'
import { createLauncher } from '../db/embedded/launch.ts'
import { keepServing } from '../db/embedded/server.ts'
import { settingsFor } from '../db/embedded/settings.ts'
import { USER } from '../db/embedded/address.ts'
import { freePort } from '../lib/free-port.ts'

export interface TestPostgres {
  /** Its address, as its superuser. */
  readonly url: string
  stop(): Promise<void>
}

export async function startTestPostgres(): Promise<TestPostgres> {
  const folder = mkdtempSync(join(temporary, 'shinobi-postgres-'))
  const { data, run } = foldersOf(folder)
  mkdirSync(run, { mode: 0o700 })
  const binaries = findBinaries()
  const launcher = createLauncher(folder)
  await createCluster(folder, binaries, launcher)
  const port = await freePort()
  const settings = [
    ...settingsFor({ connections: 200, isThrowaway: true }),
    ...['listen_addresses=127.0.0.1', `port=${port}`, `unix_socket_directories=${run}`, 'shared_buffers=256MB'],
  ]
  const server = await keepServing({ data, binaries, launcher, settings, log: pino({ level: 'silent' }) })
  return {
    url: `postgres://${USER}@127.0.0.1:${port}/postgres`,
    async stop() {
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/**
 * The PostgreSQL of a run: a cluster whose commits wait for the disk, with the boards and the
 * reference.
 */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { findPostgres, startPostgres } from '../../scripts/postgres.mjs'
import { onEnd } from './cleanup.ts'
import { fillBoard } from './fill.ts'
import { startBoard } from './server.ts'

export interface Cluster {
  readonly version: string
  /** Folder with the client programs. */
  readonly programs: string
  /** Copies the filled board to a new database, and returns its address. */
  copyBoard(name: string): Promise<string>
  /** Creates an empty database, and returns its address. */
  createDatabase(name: string): Promise<string>
  /**
   * Waits until the database is idle: work left over from one load must not disturb the next
   * measurement.
   */
  untilQuiet(url: string): Promise<void>
}

const TEMPLATE = 'board_template'
const QUIET_CHECKS = 6
const QUIET_EVERY_MS = 150

export async function openCluster(): Promise<Cluster> {
  const programs = findPostgres()
  if (programs === null) throw new Error('PostgreSQL was not found. Install it (Debian: apt-get install postgresql).')
  const postgres = await startPostgres({ durable: true })
  onEnd(() => postgres.stop())
  const admin = new pg.Pool({ connectionString: postgres.url, max: 1 })
  admin.on('error', () => {})
  onEnd(() => admin.end())

  const urlOf = (name: string): string => Object.assign(new URL(postgres.url), { pathname: `/${name}` }).href
  const { rows } = await admin.query<{ server_version: string; fsync: string }>(
    `select current_setting('server_version') as server_version, current_setting('fsync') as fsync`,
  )
  if (rows[0]!.fsync !== 'on') throw new Error('PostgreSQL does not wait for the disk (fsync is off).')

  const cluster: Cluster = {
    version: rows[0]!.server_version.split(' ')[0]!,
    programs: join(programs),
    async copyBoard(name) {
      await admin.query(`create database ${name} template ${TEMPLATE}`)
      await admin.query('checkpoint')
      return urlOf(name)
    },
    async createDatabase(name) {
      await admin.query(`create database ${name}`)
      return urlOf(name)
    },
    async untilQuiet(url) {
      const client = new pg.Client({ connectionString: url })
      await client.connect()
      try {
        for (let quiet = 0; quiet < QUIET_CHECKS; await sleep(QUIET_EVERY_MS)) {
          const { rowCount } = await client.query(
            `select 1 from pg_stat_activity
             where datname = current_database() and state <> 'idle' and pid <> pg_backend_pid() limit 1`,
          )
          quiet = rowCount === 0 ? quiet + 1 : 0
        }
      } finally {
        await client.end()
      }
    },
  }

  // The first start of the board creates the schema, and a second one indexes the filled data.
  const template = await cluster.createDatabase(TEMPLATE)
  await (await startBoard({ databaseUrl: template })).stop()
  await fillBoard(template)
  const indexer = await startBoard({ databaseUrl: template })
  await cluster.untilQuiet(template)
  await indexer.stop()
  const filled = new pg.Client({ connectionString: template })
  await filled.connect()
  await filled.query('vacuum analyze')
  await filled.end()
  return cluster
}

/**
 * Run once before the server tests: an empty, migrated database that each test's own begins as a copy of (`openTestDatabase`). Making a
 * database anew takes the embedded PostgreSQL three times as long.
 */
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { Kysely, PGliteDialect } from 'kysely'
import type { TestProject } from 'vitest/node'
import { openDatabase } from '../db/client.ts'
import { distributeTables } from '../db/distribute.ts'
import { migrateToLatest } from '../db/migrate.ts'
import { closeToAll, dropDatabase, findServers, inDatabase, joinServers, runOnAll } from './citus.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** File of the embedded database's dump, or name of the database on PostgreSQL. */
    template: string
    /** Folder of the embedded database, for processes of their own; null on PostgreSQL. */
    templateFolder: string | null
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = process.env['TEST_DATABASE_URL']
  return server === undefined ? dumpEmbedded(project) : createOnServer(project, server)
}

async function dumpEmbedded(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'shinobi-template-'))
  const file = join(folder, 'database.tar')
  const database = join(folder, 'database')
  const embedded = await PGlite.create({ dataDir: database })
  await migrateToLatest(new Kysely({ dialect: new PGliteDialect({ pglite: embedded }) }))
  const dump = await embedded.dumpDataDir('none')
  writeFileSync(file, Buffer.from(await dump.arrayBuffer()))
  await embedded.close()
  project.provide('template', file)
  project.provide('templateFolder', database)
  return async () => rmSync(folder, { recursive: true, force: true })
}

async function createOnServer(project: TestProject, server: string): Promise<() => Promise<void>> {
  const name = `template_${randomUUID().replaceAll('-', '')}`
  const servers = await findServers(server)
  await runOnAll(servers, `create database ${name}`)
  if (servers.length > 1) await joinServers(servers, name)
  const database = await openDatabase({ url: inDatabase(server, name), folder: null })
  await migrateToLatest(database.db)
  if (servers.length > 1) await distributeTables(database.db)
  await database.close()
  if (servers.length > 1) await closeToAll(servers, name)
  project.provide('template', name)
  project.provide('templateFolder', null)
  return () => dropDatabase(servers, name)
}

/**
 * Runs once before the server tests: starts PostgreSQL, unless TEST_DATABASE_URL names one, and
 * creates an empty, migrated database there, which the databases of tests are copied from
 * (`openTestDatabase`). Also creates a data folder with an embedded database for processes that
 * tests start (`makeDataFolder`).
 */
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import type { TestProject } from 'vitest/node'
import { temporary } from '../../../../scripts/temporary.mjs'
import { openDatabase } from '../db/client.ts'
import { distributeTables } from '../db/distribute.ts'
import { startEmbedded } from '../db/embedded/embedded-postgres.ts'
import { migrateToLatest } from '../db/migrate.ts'
import { closeToAll, dropDatabase, findServers, inDatabase, joinServers, runOnAll } from './citus.ts'
import { startTestPostgres } from './postgres.ts'
import { isStandIn, standInForCluster } from './stand-in-cluster.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Address of the PostgreSQL server for the databases of tests. */
    databaseServer: string
    /** Name of the template database there. */
    template: string
    /** A data folder with an empty, migrated embedded database. */
    templateFolder: string
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env['TEST_DATABASE_URL']
  const own = given === undefined ? await startTestPostgres() : null
  const removeTemplate = await createTemplate(project, given ?? own!.url)
  const folder = await createDataFolder()
  project.provide('templateFolder', folder)
  return async () => {
    await removeTemplate()
    await own?.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function createTemplate(project: TestProject, server: string): Promise<() => Promise<void>> {
  const name = `template_${randomUUID().replaceAll('-', '')}`
  const servers = await findServers(server)
  await runOnAll(servers, `create database ${name}`)
  if (servers.length > 1) await joinServers(servers, name)
  const database = openDatabase({ url: inDatabase(server, name) })
  await migrateToLatest(database.db)
  if (servers.length > 1) await distributeTables(database.db)
  if (isStandIn) await standInForCluster(database.db)
  await database.close()
  if (servers.length > 1) await closeToAll(servers, name)
  project.provide('databaseServer', server)
  project.provide('template', name)
  return () => dropDatabase(servers, name)
}

async function createDataFolder(): Promise<string> {
  const folder = mkdtempSync(join(temporary, 'shinobi-template-'))
  const embedded = await startEmbedded(folder, { connections: 10, log: pino({ level: 'silent' }) })
  const database = openDatabase({ url: embedded.url })
  await migrateToLatest(database.db)
  await database.close()
  await embedded.close()
  return folder
}

import { sql, type Kysely } from 'kysely'
import { DEFAULT_MIGRATION_TABLE, Migrator, type Migration } from 'kysely/migration'
import * as board from './migrations/0001-board.ts'
import * as accounts from './migrations/0002-accounts.ts'
import * as namesFoldedAgain from './migrations/0003-names-folded-again.ts'
import * as moderation from './migrations/0004-moderation.ts'
import * as news from './migrations/0005-news.ts'
import * as pictures from './migrations/0006-pictures.ts'
import * as mailAndRetention from './migrations/0007-mail-and-retention.ts'
import * as confirmedAddresses from './migrations/0008-confirmed-addresses.ts'
import * as staffPosts from './migrations/0009-staff-posts.ts'
import * as adminLists from './migrations/0010-admin-lists.ts'
import { VERSION } from '../version.ts'
import type { Tables } from './tables.ts'

export type Migrations = Readonly<Record<string, Migration>>

/** Every migration by its name, in order. Names never change once they have been released. */
export const migrations: Migrations = {
  '0001-board': board,
  '0002-accounts': accounts,
  '0003-names-folded-again': namesFoldedAgain,
  '0004-moderation': moderation,
  '0005-news': news,
  '0006-pictures': pictures,
  '0007-mail-and-retention': mailAndRetention,
  '0008-confirmed-addresses': confirmedAddresses,
  '0009-staff-posts': staffPosts,
  '0010-admin-lists': adminLists,
}

/** The database holds migrations of a later version, so this one may not use it. */
export class NewerSchemaError extends Error {
  constructor(unknown: readonly string[]) {
    super(
      `The database belongs to a newer version of 忍板: this one (${VERSION}) does not know its migration ${unknown.join(', ')}. ` +
        'Run the newer version, or restore a backup from before the update (docs/upgrading.md).',
    )
  }
}

/**
 * Brings the schema up to date. Runs under a lock, so that several servers may start at once.
 * @throws NewerSchemaError
 */
export async function migrateToLatest(db: Kysely<Tables>): Promise<void> {
  // A long migration, or the wait for another server's, is no query that went astray.
  await db.connection().execute(async (connection) => {
    await sql`set statement_timeout = 0`.execute(connection)
    try {
      const { error } = await migrator(connection).migrateToLatest()
      if (error !== undefined) throw (await explainUnknown(connection)) ?? error
    } finally {
      await sql`reset statement_timeout`.execute(connection)
    }
  })
}

/** Why a database could not be migrated that a newer version has migrated; null for any other reason. */
async function explainUnknown(db: Kysely<Tables>): Promise<NewerSchemaError | null> {
  try {
    const { rows } = await sql<{
      name: string
    }>`select name from ${sql.table(DEFAULT_MIGRATION_TABLE)} order by name`.execute(db)
    const unknown = rows.map(({ name }) => name).filter((name) => !Object.hasOwn(migrations, name))
    return unknown.length === 0 ? null : new NewerSchemaError(unknown)
  } catch {
    // The database is away, or holds no migrations: the first error says more.
    return null
  }
}

/** Brings the schema up, from nothing or from an earlier one, to that of a migration, in the transaction that is under way. */
export async function migrateTo(tx: Kysely<Tables>, name: string, all: Migrations = migrations): Promise<void> {
  const { error } = await migrator(tx, all).migrateTo(name)
  if (error !== undefined) throw error
}

/** Takes migrations back down to none: of an empty board before a restore, and for rehearsals. */
export async function migrateToNothing(db: Kysely<Tables>, of: Migrations = migrations): Promise<void> {
  const all = migrator(db, of)
  for (;;) {
    const { error, results } = await all.migrateDown()
    if (error !== undefined) throw (await explainUnknown(db)) ?? error
    if (results === undefined || results.length === 0) return
  }
}

const migrator = (db: Kysely<Tables>, all: Migrations = migrations): Migrator =>
  new Migrator({ db, provider: { getMigrations: async () => ({ ...all }) } })

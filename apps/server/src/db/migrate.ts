import { sql, type Kysely } from 'kysely'
import { Migrator, type Migration } from 'kysely/migration'
import * as schema from './migrations/0001-schema.ts'
import * as lifeOfThreads from './migrations/0002-life-of-threads.ts'
import * as activeThreads from './migrations/0003-active-threads.ts'
import * as notebooks from './migrations/0004-notebooks.ts'
import * as posters from './migrations/0005-posters.ts'
import * as levels from './migrations/0006-levels.ts'
import * as ownPostsAndThreads from './migrations/0008-own-posts-and-threads.ts'
import * as scrolls from './migrations/0009-scrolls.ts'
import * as owners from './migrations/0010-owners.ts'
import * as push from './migrations/0011-push.ts'
import * as hiding from './migrations/0012-hiding.ts'
import * as threadKeys from './migrations/0013-thread-keys.ts'
import * as watchedStories from './migrations/0014-watched-stories.ts'
import * as threadHeads from './migrations/0015-thread-heads.ts'
import * as namelessWriters from './migrations/0016-nameless-writers.ts'
import * as removedWriters from './migrations/0017-removed-writers.ts'
import * as foldedOpeners from './migrations/0018-folded-openers.ts'
import { VERSION } from '../version.ts'
import { inOneTransaction } from './distribution.ts'
import type { Tables } from './tables.ts'

export type Migrations = Readonly<Record<string, Migration>>

/** Every migration by its name, in order. Names of released migrations never change. */
export const migrations: Migrations = {
  '0001-schema': schema,
  '0002-life-of-threads': lifeOfThreads,
  '0003-active-threads': activeThreads,
  '0004-notebooks': notebooks,
  '0005-posters': posters,
  '0006-levels': levels,
  '0008-own-posts-and-threads': ownPostsAndThreads,
  '0009-scrolls': scrolls,
  '0010-owners': owners,
  '0011-push': push,
  '0012-hiding': hiding,
  '0013-thread-keys': threadKeys,
  '0014-watched-stories': watchedStories,
  '0015-thread-heads': threadHeads,
  '0016-nameless-writers': namelessWriters,
  '0017-removed-writers': removedWriters,
  '0018-folded-openers': foldedOpeners,
}

/**
 * The migrations of 0.1 and 0.2 in order, which together are 0001-schema
 * (docs/decisions/0041-one-migration-before-1.0.md).
 */
export const REPLACED: readonly string[] = [
  '0001-board',
  '0002-accounts',
  '0003-names-folded-again',
  '0004-moderation',
  '0005-news',
  '0006-pictures',
  '0007-mail-and-retention',
  '0008-confirmed-addresses',
  '0009-staff-posts',
  '0010-admin-lists',
]

/** The current name of a board's last migration: 0.2.0 has the same schema under another name. */
export const currentName = (name: string): string => (name === REPLACED.at(-1) ? '0001-schema' : name)

/**
 * The database has a schema from before 0.2.0, which this version cannot migrate. The message is
 * the one line for the operator.
 */
export class OlderSchemaError extends Error {
  constructor(last: string) {
    super(
      `The database belongs to a version of 忍板 before 0.2.0: its last migration is ${last}. ` +
        'Start version 0.2.0 on it once, then this one again (docs/upgrading.md). Nothing was changed.',
    )
  }
}

/** The database has migrations of a later version, so this version must not use it. */
export class NewerSchemaError extends Error {
  constructor(unknown: readonly string[]) {
    super(
      `The database belongs to a newer version of 忍板: this one (${VERSION}) does not know its migration ${unknown.join(', ')}. ` +
        'Run the newer version, or restore a backup from before the update (docs/upgrading.md).',
    )
  }
}

/** Any number that no other advisory lock uses: "schm" in ASCII. */
export const SCHEMA_LOCK = 0x73_63_68_6d

/**
 * Brings the schema up to date. Several servers may start at once: all of it runs under a lock, as
 * the migrator takes its own only after it has listed the tables, which fails while another server
 * drops one.
 * @throws NewerSchemaError, OlderSchemaError
 */
export async function migrateToLatest(db: Kysely<Tables>): Promise<void> {
  // The statement timeout must not end a long migration, or the wait for another server's.
  await db.connection().execute(async (connection) => {
    await sql`set statement_timeout = 0`.execute(connection)
    await sql`select pg_advisory_lock(${SCHEMA_LOCK}::bigint)`.execute(connection)
    try {
      await renameReplaced(connection)
      const { error } = await migrator(connection).migrateToLatest()
      if (error !== undefined) throw (await explainUnknown(connection)) ?? error
    } finally {
      await sql`select pg_advisory_unlock(${SCHEMA_LOCK}::bigint)`.execute(connection)
      await sql`reset statement_timeout`.execute(connection)
    }
  })
}

/**
 * Where 0.2.0 has run all ten of its migrations, replaces them by 0001-schema in the list of
 * applied migrations, so that none is pending.
 * @throws OlderSchemaError where only some of them have run
 */
async function renameReplaced(db: Kysely<Tables>): Promise<void> {
  await inOneTransaction(db, async (tx) => {
    const { rows } = await sql`select where to_regclass('kysely_migration') is not null`.execute(tx)
    if (rows.length === 0) return
    const names = await selectNames(tx)
    // A name in neither list belongs to a newer version.
    if (names.length === 0 || !names.every((name) => REPLACED.includes(name))) return
    if (names.length < REPLACED.length) throw new OlderSchemaError(names.at(-1)!)
    await sql`
      with replaced as (delete from kysely_migration returning timestamp)
      insert into kysely_migration (name, timestamp)
      select '0001-schema', max(timestamp) from replaced`.execute(tx)
  })
}

async function selectNames(db: Kysely<Tables>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from kysely_migration order by name`.execute(db)
  return rows.map(({ name }) => name)
}

/** The error for a database that a newer version has migrated; null if that is not the reason. */
async function explainUnknown(db: Kysely<Tables>): Promise<NewerSchemaError | null> {
  try {
    const unknown = (await selectNames(db)).filter((name) => !Object.hasOwn(migrations, name))
    return unknown.length === 0 ? null : new NewerSchemaError(unknown)
  } catch {
    // The database is unavailable, or has no migrations: the first error is more useful.
    return null
  }
}

/**
 * Migrates the schema, from nothing or from an earlier one, up to a migration, in the current
 * transaction.
 */
export async function migrateTo(tx: Kysely<Tables>, name: string, all: Migrations = migrations): Promise<void> {
  const { error } = await migrator(tx, all).migrateTo(name)
  if (error !== undefined) throw error
}

/** Reverts all migrations: of an empty board before a restore, and for rehearsals. */
export async function migrateToNothing(db: Kysely<Tables>, of: Migrations = migrations): Promise<void> {
  await renameReplaced(db)
  const all = migrator(db, of)
  for (;;) {
    const { error, results } = await all.migrateDown()
    if (error !== undefined) throw (await explainUnknown(db)) ?? error
    if (results === undefined || results.length === 0) return
  }
}

const migrator = (db: Kysely<Tables>, all: Migrations = migrations): Migrator =>
  new Migrator({ db, provider: { getMigrations: async () => ({ ...all }) } })

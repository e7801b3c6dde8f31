import { sql, type Kysely } from 'kysely'
import { Migrator, type Migration } from 'kysely/migration'
import * as board from './migrations/0001-board.ts'
import * as accounts from './migrations/0002-accounts.ts'
import * as namesFoldedAgain from './migrations/0003-names-folded-again.ts'
import * as moderation from './migrations/0004-moderation.ts'
import * as news from './migrations/0005-news.ts'
import type { Tables } from './tables.ts'

/** Every migration by its name, in order. Names never change once they have been released. */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001-board': board,
  '0002-accounts': accounts,
  '0003-names-folded-again': namesFoldedAgain,
  '0004-moderation': moderation,
  '0005-news': news,
}

/** Brings the schema up to date. Runs under a lock, so that several servers may start at once. */
export async function migrateToLatest(db: Kysely<Tables>): Promise<void> {
  // A long migration, or the wait for another server's, is no query that went astray.
  await db.connection().execute(async (connection) => {
    await sql`set statement_timeout = 0`.execute(connection)
    try {
      const { error } = await migrator(connection).migrateToLatest()
      if (error !== undefined) throw error
    } finally {
      await sql`reset statement_timeout`.execute(connection)
    }
  })
}

/** Takes migrations back down to none; for tests and rehearsals. */
export async function migrateToNothing(db: Kysely<Tables>): Promise<void> {
  const all = migrator(db)
  for (;;) {
    const { error, results } = await all.migrateDown()
    if (error !== undefined) throw error
    if (results === undefined || results.length === 0) return
  }
}

const migrator = (db: Kysely<Tables>): Migrator =>
  new Migrator({ db, provider: { getMigrations: async () => ({ ...migrations }) } })

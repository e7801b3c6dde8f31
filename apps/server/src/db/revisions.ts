import type { FastifyBaseLogger } from 'fastify'
import { sql, type Transaction } from 'kysely'
import { isDatabaseAway } from '../lib/api-error.ts'
import { retryWhileAway } from '../lib/retry-while-away.ts'
import { createWatcher } from '../lib/watcher.ts'
import type { Db } from './client.ts'
import type { Tables } from './tables.ts'
import { afterCommit } from './transaction.ts'

/** What servers keep a copy of in memory. `answers` are those of the response cache; programs beside the server raise them. */
export type Copy = 'settings' | 'words' | 'bans' | 'shields' | 'tracing' | 'answers'

/**
 * Copies in memory that are as new as the database, on every server: whoever changes what a copy is made of raises its revision in the
 * same transaction, and every server looks once a second which revisions have risen.
 */
export interface Revisions {
  /** Notes in a transaction that a copy is out of date; after the commit this server reads it anew at once. */
  raise(tx: Transaction<Tables>, copy: Copy): Promise<void>
  /** Reads a copy now, and anew whenever it has changed. A failure to read anew leaves the old copy, and is tried again. */
  follow(copy: Copy, load: () => Promise<void>): Promise<void>
  /** Resolves when every copy that is known to be out of date has been read anew. */
  settle(): Promise<void>
  close(): Promise<void>
}

/** Tells all servers that a copy is out of date, from a program that is none. */
export async function raiseRevision(db: Db, copy: Copy): Promise<void> {
  await sql`
    insert into revisions (name, revision) values (${copy}, 1)
    on conflict (name) do update set revision = revisions.revision + 1`.execute(db)
}

/** A change holds on every server within two seconds. */
const LOOK_EVERY_MS = 1_000

export function createRevisions(db: Db, log: FastifyBaseLogger): Revisions {
  const loads = new Map<Copy, () => Promise<void>>()
  const known = new Map<string, string>()

  async function readRevisions(): Promise<Map<string, string>> {
    const rows = await db.selectFrom('revisions').selectAll().execute()
    return new Map(rows.map(({ name, revision }) => [name, revision]))
  }

  async function look(): Promise<void> {
    const revisions = await readRevisions()
    for (const [copy, load] of loads) {
      const revision = revisions.get(copy) ?? ''
      if (known.get(copy) === revision) continue
      // The revision was read before the copy: a change in between is seen at the next look.
      await load()
      known.set(copy, revision)
    }
  }

  const watcher = createWatcher({ name: 'what has changed of the copies in memory', everyMs: LOOK_EVERY_MS, look, log })

  return {
    async raise(tx, copy) {
      await raiseRevision(tx, copy)
      afterCommit(tx, () => void watcher.look())
    },
    async follow(copy, load) {
      // A database that goes away while the board opens does not end the start.
      const revision = await retryWhileAway(
        async () => {
          const before = (await readRevisions()).get(copy) ?? ''
          await load()
          return before
        },
        {
          isAway: isDatabaseAway,
          onAway: (error) => log.warn({ err: error }, 'the database went away while the board was opening: waiting'),
        },
      )
      known.set(copy, revision)
      loads.set(copy, load)
    },
    settle: watcher.look,
    close: watcher.close,
  }
}

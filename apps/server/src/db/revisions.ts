import type { FastifyBaseLogger } from 'fastify'
import { sql, type Transaction } from 'kysely'
import { isDatabaseAway } from '../lib/api-error.ts'
import { retryWhileAway } from '../lib/retry-while-away.ts'
import { createPoller } from '../lib/poller.ts'
import type { Db } from './client.ts'
import type { Tables } from './tables.ts'
import { afterCommit } from './transaction.ts'

/**
 * The copies that servers keep in memory. `answers` is the response cache; programs beside the
 * server raise it.
 */
export type Copy = 'settings' | 'words' | 'bans' | 'shields' | 'tracing' | 'answers'

/**
 * Keeps copies in memory up to date with the database, on every server. A change of the underlying
 * data raises the revision of the copy in the same transaction, and every server polls the
 * revisions once a second.
 */
export interface Revisions {
  /**
   * Marks a copy as stale within a transaction; after the commit this server reloads it at once.
   */
  raise(tx: Transaction<Tables>, copy: Copy): Promise<void>
  /**
   * Loads a copy now, and reloads it whenever its revision rises. When reloading fails, the old
   * copy stays and the load is retried.
   */
  follow(copy: Copy, load: () => Promise<void>): Promise<void>
  /** Resolves when every copy that is stale now has been reloaded, or has failed to. */
  settle(): Promise<void>
  close(): Promise<void>
}

/** Marks a copy as stale for all servers, from a program that is not a server. */
export async function raiseRevision(db: Db, copy: Copy): Promise<void> {
  await sql`
    insert into revisions (name, revision) values (${copy}, 1)
    on conflict (name) do update set revision = revisions.revision + 1`.execute(db)
}

/** Together with the reload, a change applies on every server within two seconds. */
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
      try {
        // The revision was read before the copy: a change in between is found at the next poll.
        await load()
        known.set(copy, revision)
      } catch (error) {
        // The others must not wait until this one can be loaded.
        log.warn({ err: error, copy }, 'could not reload a copy in memory: the old one stays until the next poll')
      }
    }
  }

  const poller = createPoller({
    name: 'the revisions of copies in memory',
    everyMs: LOOK_EVERY_MS,
    poll: look,
    log,
  })

  return {
    async raise(tx, copy) {
      await raiseRevision(tx, copy)
      afterCommit(tx, () => void poller.poll())
    },
    async follow(copy, load) {
      // A database that is unreachable while the board opens does not end the start.
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
    settle: poller.poll,
    close: poller.close,
  }
}

/**
 * Reads from a streaming replica, which lags behind, without ever returning stale data. Every
 * answer has tags of what it shows, and every change names its tags: what has not changed since the
 * replica was last known to be up to date is the same on both. So old threads, searches and deep
 * pages are read from the replica, and what is being written now is not.
 */
import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'
import { createPoller } from '../lib/poller.ts'
import type { Db } from './client.ts'

export interface Replica {
  /** Whether the replica has everything that an answer with these tags shows. */
  isCaughtUp(tags: Iterable<string>): boolean
  /** Records a change of these tags. */
  changed(tags: Iterable<string>): void
  /** Whether all changes by other servers are received. */
  trustChanges(trusted: boolean): void
  /** Checks the position of the replica now. */
  look(): Promise<void>
  close(): Promise<void>
}

export interface ReplicaOptions {
  readonly primary: Db
  /** Connected to the replica, and to the primary while the replica takes no connections. */
  readonly replica: Db
  readonly log: Pick<FastifyBaseLogger, 'info' | 'warn'>
}

const LOOK_EVERY_MS = 500
/** Maximum tags remembered as changed; with more, everything counts as changed. */
const CHANGED_MAX = 100_000

export function followReplica({ primary, replica, log }: ReplicaOptions): Replica {
  /** When tags last changed, by performance.now(). */
  const changedAt = new Map<string, number>()
  /** The replica has all changes before this time. None before the first check. */
  let reached = -Infinity
  /** Changes before this time are not known by tag. */
  let unknownUntil = performance.now()
  let isTrusted = true
  /** Whether the replica has answered the last check; nothing is read from one that hangs. */
  let isAnswering = false
  let target: { readonly position: string; readonly at: number } | null = null

  /**
   * When the replica reaches the primary's current position, it has everything committed before
   * this moment. The check uses the insert position of the WAL, not the write position: with
   * synchronous_commit=off a commit is acknowledged before it is written.
   */
  async function look(): Promise<void> {
    if (target === null) {
      const at = performance.now()
      const { rows } = await sql<{ position: string }>`select pg_current_wal_insert_lsn()::text as position`.execute(
        primary,
      )
      target = { position: rows[0]!.position, at }
    }
    const { position, at } = target
    if (!(await hasReplayed(position))) return
    reached = at
    target = null
    for (const [tag, when] of changedAt) if (when < reached) changedAt.delete(tag)
  }

  /** @throws when the replica does not answer */
  async function hasReplayed(position: string): Promise<boolean> {
    // Null on a server that is not a replica (any more).
    let isThere: boolean | null = null
    try {
      const { rows } = await sql<{ isThere: boolean | null }>`
        select pg_last_wal_replay_lsn() >= ${position}::text::pg_lsn as "isThere"`.execute(replica)
      isThere = rows[0]!.isThere
    } finally {
      isAnswering = isThere !== null
    }
    if (isThere === null) throw new Error('the replica is away, or is none any more')
    return isThere
  }

  function isCaughtUp(tags: Iterable<string>): boolean {
    if (!isTrusted || !isAnswering || reached < unknownUntil) return false
    for (const tag of tags) if ((changedAt.get(tag) ?? -Infinity) >= reached) return false
    return true
  }

  /** Logged once per outage. */
  let isAway = false
  async function lookQuietly(): Promise<void> {
    try {
      await look()
      if (isAway) log.info('the replica is read again')
      isAway = false
    } catch (error) {
      if (!isAway)
        log.warn(
          { err: error },
          'could not check the replica: what it may lack is read from the primary, and everything while it does not answer',
        )
      isAway = true
    }
  }

  const poller = createPoller({ name: 'the replica', everyMs: LOOK_EVERY_MS, poll: lookQuietly, log })
  return {
    isCaughtUp,
    changed(tags) {
      const now = performance.now()
      for (const tag of tags) changedAt.set(tag, now)
      if (changedAt.size <= CHANGED_MAX) return
      changedAt.clear()
      unknownUntil = now
    },
    trustChanges(trusted) {
      isTrusted = trusted
      unknownUntil = performance.now()
    },
    look: poller.poll,
    close: poller.close,
  }
}

/**
 * Reading from a copy of PostgreSQL that lags behind (streaming replication) without ever showing less than what was there. Every answer
 * bears tags of what it shows, and every change names the tags that it touches: what has not changed since the replica was last seen to be as
 * new as the original is the same on both. So old threads, searches and deep pages are read there, and what people write in now is not.
 */
import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'
import { createWatcher } from '../lib/watcher.ts'
import type { Db } from './client.ts'

export interface Replica {
  /** Whether it has all that an answer with these tags shows. */
  isSame(tags: Iterable<string>): boolean
  /** Something that bears these tags has changed. */
  changed(tags: Iterable<string>): void
  /** Whether every change of other servers is told. */
  trustChanges(trusted: boolean): void
  /** Looks how far the replica is, now. */
  look(): Promise<void>
  close(): Promise<void>
}

export interface ReplicaOptions {
  readonly primary: Db
  /** Connected to the copy. */
  readonly replica: Db
  readonly log: Pick<FastifyBaseLogger, 'info' | 'warn'>
}

const LOOK_EVERY_MS = 500
/** Tags that are remembered as changed; with more of them all counts as changed. */
const CHANGED_MAX = 100_000

export function followReplica({ primary, replica, log }: ReplicaOptions): Replica {
  /** When tags last changed, by performance.now(). */
  const changedAt = new Map<string, number>()
  /** What has not been changed since then is there. Before the first look nothing is. */
  let reached = -Infinity
  /** Changes before this moment are not known one by one. */
  let unknownUntil = performance.now()
  let isTrusted = true
  let target: { readonly position: string; readonly at: number } | null = null

  /**
   * The original's position now is the replica's at some later time: by then it has all that was committed before this moment. What counts is
   * what was inserted, not what was written: with synchronous_commit=off a commit is acknowledged before it is written.
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
    const { rows } = await sql<{ isThere: boolean | null }>`
      select pg_last_wal_replay_lsn() >= ${position}::text::pg_lsn as "isThere"`.execute(replica)
    // A server that is no replica (any more) has no such position, and is as good as none.
    if (rows[0]!.isThere !== true) return
    reached = at
    target = null
    for (const [tag, when] of changedAt) if (when < reached) changedAt.delete(tag)
  }

  function isSame(tags: Iterable<string>): boolean {
    if (!isTrusted || reached < unknownUntil) return false
    for (const tag of tags) if ((changedAt.get(tag) ?? -Infinity) >= reached) return false
    return true
  }

  /** One that is away for hours is told once. */
  let isAway = false
  async function lookQuietly(): Promise<void> {
    try {
      await look()
      if (isAway) log.info('the replica is read again')
      isAway = false
    } catch (error) {
      if (!isAway)
        log.warn({ err: error }, 'could not look how far the replica is: what changes is read from the original')
      isAway = true
    }
  }

  const watcher = createWatcher({ name: 'the replica', everyMs: LOOK_EVERY_MS, look: lookQuietly, log })
  return {
    isSame,
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
    look: watcher.look,
    close: watcher.close,
  }
}

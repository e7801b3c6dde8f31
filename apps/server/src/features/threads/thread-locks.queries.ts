import { sql } from 'kysely'
import type { ThreadPin } from '@shinobi/contract/threads'
import type { Db } from '../../db/client.ts'
import { isThread, writeByThread } from '../../db/distribution.ts'
import { idsOf } from '../../db/ids.ts'

/** A thread whose row is locked: until the transaction ends, posts to it and other changes wait. */
export interface LockedThread {
  readonly id: string
  readonly categoryId: string
  /** The member who opened it; null for a visitor's. */
  readonly userId: string | null
  readonly title: string
  readonly lockedAt: Date | null
  readonly postCount: number
  readonly closedAt: Date | null
  readonly nextThreadId: string | null
  readonly pinned: ThreadPin | null
  readonly removedAt: Date | null
}

/**
 * Locks threads in the order of their ids, and before their posts and cases, as all transactions
 * do, so that they never deadlock.
 */
export async function lockThreads(tx: Db, threadIds: readonly string[]): Promise<LockedThread[]> {
  return writeByThread(
    tx,
    threadIds.map((threadId) => ({ threadId })),
    async (_, own, only) => {
      const { rows } = await sql<LockedThread>`
      select id, "categoryId", "userId", title, "lockedAt", "postCount", "closedAt", "nextThreadId", pinned, "removedAt" from threads
      where id in ${idsOf(own.map(({ threadId }) => threadId))} and ${isThread('id', only)} order by id for no key update`.execute(
        tx,
      )
      return rows
    },
  )
}

/** Locks a thread that is not removed. */
export async function lockStandingThread(tx: Db, threadId: string): Promise<LockedThread | undefined> {
  const [thread] = await lockThreads(tx, [threadId])
  return thread?.removedAt === null ? thread : undefined
}

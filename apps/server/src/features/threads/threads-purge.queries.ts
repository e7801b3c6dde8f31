import type { Db } from '../../db/client.ts'
import { deleteOfThread } from '../../db/delete-of-thread.ts'
import { isThreadRemoved } from '../../db/visible.ts'

/** Threads that were removed before a time. */
export async function selectRemovedThreads(db: Db, before: Date, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('threads')
    .select('id')
    .where('removedAt', '<', before)
    .orderBy('removedAt')
    .limit(limit)
    .execute()
  return rows.map((row) => row.id)
}

/**
 * Deletes some of a thread's nicknames, and once they are gone some of the ids of the request that
 * opened it, and of its keys. @returns whether there may be more of any
 */
export const deleteNamesOfThread = async (db: Db, threadId: string, limit: number): Promise<boolean> =>
  (await deleteOfThread(db, 'nicknames', threadId, limit)) ||
  (await deleteOfThread(db, 'threadRequests', threadId, limit)) ||
  deleteOfThread(db, 'threadKeys', threadId, limit)

/** Deletes a removed thread. No other row may refer to it any more. */
export async function deleteThread(db: Db, threadId: string): Promise<void> {
  await db.deleteFrom('threads').where('id', '=', threadId).where(isThreadRemoved()).execute()
  await db.deleteFrom('threadHeads').where('id', '=', threadId).where(isThreadRemoved('threadHeads')).execute()
}

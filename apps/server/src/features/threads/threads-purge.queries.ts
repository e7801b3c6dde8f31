import type { Db } from '../../db/client.ts'
import { deleteOfThread } from '../../db/delete-of-thread.ts'
import { isThreadRemoved } from '../../db/visible.ts'
import { isImportedThread } from './imported-threads.queries.ts'

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
 * opened it, and then its keys. @returns whether there may be more of any
 */
export const deleteNamesOfThread = async (db: Db, threadId: string, limit: number): Promise<boolean> =>
  (await deleteOfThread(db, 'nicknames', threadId, limit)) ||
  (await deleteOfThread(db, 'threadRequests', threadId, limit)) ||
  deleteKeysOfThread(db, threadId)

/** The key of an imported thread stays, or the next import of its log would bring it back. */
async function deleteKeysOfThread(db: Db, threadId: string): Promise<false> {
  const keys = await db
    .selectFrom('threadKeys')
    .select(['categoryId', 'key'])
    .where('threadId', '=', threadId)
    .execute()
  for (const { categoryId, key } of keys) {
    if (isImportedThread(threadId, categoryId, Number(key))) continue
    await db.deleteFrom('threadKeys').where('categoryId', '=', categoryId).where('key', '=', key).execute()
  }
  return false
}

/** Deletes a removed thread. No other row but the key of its log may refer to it any more. */
export async function deleteThread(db: Db, threadId: string): Promise<void> {
  await db.deleteFrom('threads').where('id', '=', threadId).where(isThreadRemoved()).execute()
  await db.deleteFrom('threadHeads').where('id', '=', threadId).where(isThreadRemoved('threadHeads')).execute()
}

import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../db/client.ts'
import { deleteOfThread } from '../../db/delete-of-thread.ts'
import { isThreadVisible } from '../../db/visible.ts'

/**
 * Adds the members among the writers of `posts` (a table or CTE with "userId" and "threadId") to
 * the rooms of these threads. Part of the same statement that writes the posts.
 */
export const joinRooms = (posts: RawBuilder<unknown>, at: Date): RawBuilder<unknown> => sql`
  insert into rooms ("userId", "threadId", "lastPostAt")
  select distinct "userId", "threadId", ${at}::timestamptz from ${posts} where "userId" is not null order by "threadId", "userId"
  on conflict ("threadId", "userId") do update set "lastPostAt" = greatest(rooms."lastPostAt", excluded."lastPostAt")`

/** Threads a member has posted in, the newest first. */
export const selectRooms = (db: Db, userId: string, limit: number): Promise<{ id: string; name: string }[]> =>
  db
    .selectFrom('rooms')
    .innerJoin('threads', 'threads.id', 'rooms.threadId')
    .select(['threads.id', 'threads.title as name'])
    .where('rooms.userId', '=', userId)
    .where(isThreadVisible('threads'))
    .orderBy('rooms.lastPostAt', 'desc')
    .orderBy('rooms.threadId', 'desc')
    .limit(limit)
    .execute()

/** Deletes some of a thread's rooms. @returns whether there may be more */
export const deleteRoomsOfThread = (db: Db, threadId: string, limit: number): Promise<boolean> =>
  deleteOfThread(db, 'rooms', threadId, limit)

/** Some of the threads in which a user has posted. */
export async function selectRoomIds(db: Db, userId: string, limit: number): Promise<string[]> {
  const rows = await db.selectFrom('rooms').select('threadId').where('userId', '=', userId).limit(limit).execute()
  return rows.map((row) => row.threadId)
}

export async function deleteRoom(tx: Db, userId: string, threadId: string): Promise<void> {
  await tx.deleteFrom('rooms').where('userId', '=', userId).where('threadId', '=', threadId).execute()
}

import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import { tally } from '../../db/tallies.ts'
import type { StoredImage } from '../../lib/image-store.ts'

/** Deletes a user; names, sessions and mailed links go with the row. */
export async function deleteUser(tx: Db, userId: string): Promise<void> {
  await tx.deleteFrom('users').where('id', '=', userId).execute()
  await tally(tx, 'users', [userId], -1)
}

/** An account that was deleted and whose name may still stand at posts. */
export interface Departure {
  readonly userId: string
  readonly picture: StoredImage | null
  readonly createdAt: Date
}

export async function insertDeparture(
  tx: Db,
  { userId, picture, at }: { userId: string; picture: StoredImage | null; at: Date },
): Promise<void> {
  await tx
    .insertInto('departures')
    .values({ userId, picture: picture === null ? null : JSON.stringify(picture), createdAt: at })
    .execute()
}

export const selectDeparture = (db: Db, userId: string): Promise<Departure | undefined> =>
  db.selectFrom('departures').selectAll().where('userId', '=', userId).executeTakeFirst()

/** Who left and is not erased yet, the longest first. */
export async function selectDepartedIds(db: Db, limit: number): Promise<string[]> {
  const rows = await db.selectFrom('departures').select('userId').orderBy('createdAt').limit(limit).execute()
  return rows.map((row) => row.userId)
}

export async function deleteDeparture(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('departures').where('userId', '=', userId).execute()
}

/** Some of the threads in which a user has posted. */
export async function selectRoomIds(db: Db, userId: string, limit: number): Promise<string[]> {
  const rows = await db.selectFrom('rooms').select('threadId').where('userId', '=', userId).limit(limit).execute()
  return rows.map((row) => row.threadId)
}

export async function deleteRoom(tx: Db, userId: string, threadId: string): Promise<void> {
  await tx.deleteFrom('rooms').where('userId', '=', userId).where('threadId', '=', threadId).execute()
}

export interface LockedThread {
  readonly id: string
  readonly categoryId: string
  readonly userId: string | null
  readonly postCount: number
}

/** Locks a thread, before its posts as everywhere: whoever posts into it waits. */
export const lockThread = (tx: Db, threadId: string): Promise<LockedThread | undefined> =>
  tx
    .selectFrom('threads')
    .select(['id', 'categoryId', 'userId', 'postCount'])
    .where('id', '=', threadId)
    .forNoKeyUpdate()
    .executeTakeFirst()

/** Takes a user's name off their posts with a number in (after, upTo]. @returns the ids of these */
export async function clearPosts(
  tx: Db,
  { userId, threadId, after, upTo }: { userId: string; threadId: string; after: number; upTo: number },
): Promise<string[]> {
  const rows = await tx
    .updateTable('posts')
    .set({ name: null, userId: null })
    .where('threadId', '=', threadId)
    .where('number', '>', after)
    .where('number', '<=', upTo)
    .where('userId', '=', userId)
    .returning('id')
    .execute()
  return rows.map((row) => row.id)
}

/** Takes a user's name off a thread if they opened it, and raises its revision. @returns the revision */
export async function clearThread(tx: Db, userId: string, threadId: string): Promise<number> {
  const { rows } = await sql<{ revision: number }>`
    update threads set revision = revision + 1,
      nickname = case when "userId" = ${userId}::uuid then null else nickname end,
      "userId" = nullif("userId", ${userId}::uuid)
    where id = ${threadId}::uuid
    returning revision`.execute(tx)
  return rows[0]!.revision
}

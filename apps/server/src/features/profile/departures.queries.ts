import type { Db } from '../../db/client.ts'
import type { StoredImage } from '../../db/tables.ts'

/** A deleted account whose name may still be on posts. */
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

/** Ids of deleted members that are not erased yet, earliest first. */
export async function selectDepartedIds(db: Db, limit: number): Promise<string[]> {
  const rows = await db.selectFrom('departures').select('userId').orderBy('createdAt').limit(limit).execute()
  return rows.map((row) => row.userId)
}

export async function deleteDeparture(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('departures').where('userId', '=', userId).execute()
}

import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'

export const selectKnownVisitor = (
  db: Db,
  visitorId: string,
): Promise<{ firstPostAt: Date | null; provenUntil: Date | null } | undefined> =>
  db
    .selectFrom('knownVisitors')
    .select(['firstPostAt', 'provenUntil'])
    .where('visitorId', '=', visitorId)
    .executeTakeFirst()

export interface FirstPost {
  readonly visitorId: string
  /** ISO 8601. */
  readonly at: string
}

/** Notes when visitors wrote for the first time; who has written before keeps the earlier time. */
export async function insertFirstPosts(db: Db, posts: readonly FirstPost[]): Promise<void> {
  // In the order of the keys, so that two servers never wait for each other in a circle.
  await sql`
    insert into "knownVisitors" as known ("visitorId", "firstPostAt")
    select "visitorId", min(at) from json_to_recordset(${JSON.stringify(posts)}::text::json) as post("visitorId" uuid, at timestamptz)
    group by "visitorId" order by "visitorId"
    on conflict ("visitorId") do update set "firstPostAt" = excluded."firstPostAt" where known."firstPostAt" is null`.execute(
    db,
  )
}

export async function saveProof(db: Db, visitorId: string, provenUntil: Date): Promise<void> {
  await db
    .insertInto('knownVisitors')
    .values({ visitorId, firstPostAt: null, provenUntil })
    .onConflict((conflict) => conflict.column('visitorId').doUpdateSet({ provenUntil }))
    .execute()
}

/** Proofs that count no more, of visitors who never wrote. */
export async function deleteOldProofs(db: Db, at: Date): Promise<void> {
  await db.deleteFrom('knownVisitors').where('firstPostAt', 'is', null).where('provenUntil', '<=', at).execute()
}

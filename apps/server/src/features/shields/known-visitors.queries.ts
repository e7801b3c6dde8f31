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

export interface WrittenOn {
  readonly visitorId: string
  /** ISO 8601. */
  readonly at: string
  /** Its day (UTC): the last post needs no more precision. */
  readonly day: string
}

/** Stores the time of a visitor's first post, which never changes, and the day of the last one. */
export async function insertWriters(db: Db, posts: readonly WrittenOn[]): Promise<void> {
  // Sorted by key, so that two servers cannot deadlock.
  await sql`
    insert into "knownVisitors" as known ("visitorId", "firstPostAt", "seenAt")
    select "visitorId", min(at), max(day)
    from json_to_recordset(${JSON.stringify(posts)}::text::json) as post("visitorId" uuid, at timestamptz, day timestamptz)
    group by "visitorId" order by "visitorId"
    on conflict ("visitorId") do update set "firstPostAt" = coalesce(known."firstPostAt", excluded."firstPostAt"),
      "seenAt" = greatest(known."seenAt", excluded."seenAt")
    where known."firstPostAt" is null or known."seenAt" < excluded."seenAt"`.execute(db)
}

export async function saveProof(
  db: Db,
  visitorId: string,
  { provenUntil, day }: { readonly provenUntil: Date; readonly day: Date },
): Promise<void> {
  await db
    .insertInto('knownVisitors')
    .values({ visitorId, firstPostAt: null, seenAt: day, provenUntil })
    .onConflict((conflict) => conflict.column('visitorId').doUpdateSet({ provenUntil, seenAt: day }))
    .execute()
}

/** Deletes up to `limit` expired proofs of visitors who never wrote. @returns how many */
export async function deleteOldProofs(db: Db, at: Date, limit: number): Promise<number> {
  const { rows } = await sql`
    delete from "knownVisitors" where "visitorId" = any(array(
      select "visitorId" from "knownVisitors" where "firstPostAt" is null and "provenUntil" <= ${at}::timestamptz
      order by "provenUntil" limit ${limit} for update skip locked
    )) returning 1`.execute(db)
  return rows.length
}

/** Deletes up to `limit` visitors who were last seen before a time. @returns how many */
export async function deleteUnseenVisitors(db: Db, before: Date, limit: number): Promise<number> {
  const { rows } = await sql`
    delete from "knownVisitors" where "visitorId" = any(array(
      select "visitorId" from "knownVisitors" where "seenAt" < ${before}::timestamptz
      order by "seenAt" limit ${limit} for update skip locked
    )) returning 1`.execute(db)
  return rows.length
}

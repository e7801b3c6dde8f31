import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'

/** A nickname in a thread, folded by `foldName`, and who wants or owns it. */
export interface NicknameClaim {
  readonly threadId: string
  readonly name: string
  readonly visitorId: string
}

/** Who owns a nickname in a thread. */
export const selectNicknameOwner = (
  db: Db,
  threadId: string,
  name: string,
): Promise<{ visitorId: string } | undefined> =>
  db
    .selectFrom('nicknames')
    .select('visitorId')
    .where('threadId', '=', threadId)
    .where('name', '=', name)
    .executeTakeFirst()

/**
 * Claims nicknames: the first visitor of a thread gets a name, everybody else learns who owns it. Names of threads that do not
 * exist are left out. Expects each name of a thread once.
 */
export async function claimNicknames(db: Db, claims: readonly NicknameClaim[], at: Date): Promise<NicknameClaim[]> {
  // "do update" changes nothing; it only makes the row of an earlier owner come back.
  const { rows } = await sql<NicknameClaim>`
    insert into nicknames ("threadId", name, "visitorId", "createdAt")
    select claim."threadId", claim.name, claim."visitorId", ${at}::timestamptz
    from json_to_recordset(${JSON.stringify(claims)}::text::json) as claim("threadId" uuid, name text, "visitorId" uuid)
    join threads on threads.id = claim."threadId"
    order by claim."threadId", claim.name
    on conflict ("threadId", name) do update set name = excluded.name
    returning "threadId", name, "visitorId"`.execute(db)
  return rows
}

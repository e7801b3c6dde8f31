import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import { isHeld } from '../accounts/user-names.queries.ts'

/** A nickname in a thread, folded by `foldName`, and the visitor who wants it. */
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

/** Who owns a nickname that was asked for. */
export interface NicknameOwner {
  readonly threadId: string
  readonly name: string
  /** The visitor, or the member whose name it is. */
  readonly ownerId: string
  /** A member's name is theirs only as long as they bear it; a visitor's is theirs in the thread for good. */
  readonly isMember: boolean
}

/**
 * Claims nicknames: the first visitor of a thread gets a name, everybody else learns who owns it. A member's name is nobody else's,
 * unless a visitor had it in the thread before. Names of threads that do not exist are left out. Expects each name of a thread once.
 */
export async function claimNicknames(db: Db, claims: readonly NicknameClaim[], at: Date): Promise<NicknameOwner[]> {
  // "do update" changes nothing; it only makes the row of an earlier owner come back.
  const { rows } = await sql<NicknameOwner>`
    with claim as (
      select claim.*, taken."userId" as "memberId"
      from json_to_recordset(${JSON.stringify(claims)}::text::json) as claim("threadId" uuid, name text, "visitorId" uuid)
      join threads on threads.id = claim."threadId"
      left join "userNames" as taken on taken.name = claim.name and ${isHeld('taken', at)}
        and not exists (select from nicknames as own where own."threadId" = claim."threadId" and own.name = claim.name)
    ), claimed as (
      insert into nicknames ("threadId", name, "visitorId", "createdAt")
      select "threadId", name, "visitorId", ${at}::timestamptz from claim where "memberId" is null order by "threadId", name
      on conflict ("threadId", name) do update set name = excluded.name
      returning "threadId", name, "visitorId"
    )
    select "threadId", name, "visitorId" as "ownerId", false as "isMember" from claimed
    union all select "threadId", name, "memberId", true from claim where "memberId" is not null`.execute(db)
  return rows
}

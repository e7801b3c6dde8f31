import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import { isDistributed } from '../../db/distribution.ts'
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
  if (await isDistributed(db)) return claimOverCluster(db, claims, at)
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

/** The same in steps: members' names lie on another server than threads do. */
async function claimOverCluster(db: Db, claims: readonly NicknameClaim[], at: Date): Promise<NicknameOwner[]> {
  const names = claims.map(({ name }) => name)
  const members = await db
    .selectFrom('userNames')
    .select(['name', 'userId'])
    .where('name', 'in', names)
    .where(isHeld('userNames', at))
    .execute()
  const memberOf = new Map(members.map(({ name, userId }) => [name, userId]))
  const table = (some: readonly NicknameClaim[]) =>
    sql`json_to_recordset(${JSON.stringify(some)}::text::json) as claim("threadId" uuid, name text, "visitorId" uuid)`
  const ofMembers = claims.filter(({ name }) => memberOf.has(name))
  const { rows: had } = await sql<NicknameClaim>`
    select own."threadId", own.name, own."visitorId"
    from ${table(ofMembers)} join nicknames as own on own."threadId" = claim."threadId" and own.name = claim.name`.execute(
    db,
  )
  const isHad = new Set(had.map(({ threadId, name }) => `${threadId} ${name}`))
  const isFree = ({ threadId, name }: NicknameClaim) => !memberOf.has(name) || isHad.has(`${threadId} ${name}`)
  const { rows: claimed } = await sql<NicknameClaim>`
    insert into nicknames ("threadId", name, "visitorId", "createdAt")
    select claim."threadId", claim.name, claim."visitorId", ${at}::timestamptz
    from ${table(claims.filter(isFree))} join threads on threads.id = claim."threadId"
    on conflict ("threadId", name) do update set name = excluded.name
    returning "threadId", name, "visitorId"`.execute(db)
  const { rows: standing } = await sql<{ threadId: string; name: string }>`
    select claim."threadId", claim.name
    from ${table(claims.filter((claim) => !isFree(claim)))} join threads on threads.id = claim."threadId"`.execute(db)
  return [
    ...claimed.map(({ threadId, name, visitorId }) => ({ threadId, name, ownerId: visitorId, isMember: false })),
    ...standing.map(({ threadId, name }) => ({ threadId, name, ownerId: memberOf.get(name)!, isMember: true })),
  ]
}

/**
 * Whose a nickname is in a thread: of its first writer there, unless a member holds the name. The
 * rule stands in `claimRemembered` (one statement) and in `claimOverCluster` (the same in steps, on
 * Citus). `selectNicknameOwner` only reads the first writer: nicknames.service.ts asks for members.
 */
import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../db/client.ts'
import { inOneTransaction, isDistributed } from '../../db/distribution.ts'
import { idsOf } from '../../db/ids.ts'
import { groupByShard, isOneOf } from '../../db/shards.ts'
import { foldName } from '../../lib/fold.ts'
import { uuidv7Floor } from '../../lib/uuid.ts'
import { isHeld } from '../accounts/user-names.queries.ts'

/** A nickname in a thread, folded by `foldName`, and the visitor who claims it. */
export interface NicknameClaim {
  readonly threadId: string
  readonly name: string
  readonly visitorId: string
}

/** The visitor who owns a nickname in a thread; undefined when it is free. */
export async function selectNicknameOwner(db: Db, threadId: string, name: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('threads as t')
    .leftJoin('nicknames as n', (join) => join.onRef('n.threadId', '=', 't.id').on('n.name', '=', name))
    .select(['n.visitorId', 't.namesForgotten'])
    .where('t.id', '=', threadId)
    .executeTakeFirst()
  if (row?.namesForgotten !== true) return row?.visitorId ?? undefined
  return (await selectFirstWriters(db, threadId)).get(name)?.visitorId
}

/** The owner of a claimed nickname. */
export interface NicknameOwner {
  readonly threadId: string
  readonly name: string
  /** The visitor, or the member whose name it is. */
  readonly ownerId: string
  /**
   * A member owns a name only while it is the profile name; a visitor owns it in the thread
   * permanently.
   */
  readonly isMember: boolean
}

/**
 * Claims nicknames: the first visitor of a thread gets a name, later claims return its owner. A
 * member's name belongs to the member, unless a visitor had it in the thread before. Leaves out
 * names of threads that do not exist. Each name of a thread must occur once.
 */
export async function claimNicknames(db: Db, claims: readonly NicknameClaim[], at: Date): Promise<NicknameOwner[]> {
  const claim = (some: readonly NicknameClaim[]) => claimRemembered(db, some, at)
  const owners = await claim(claims)
  if (owners.length === claims.length) return owners
  // Claims without a row belong to a thread that does not exist, or whose nicknames were deleted.
  const isAnswered = new Set(owners.map(({ threadId, name }) => `${threadId} ${name}`))
  const left = claims.filter(({ threadId, name }) => !isAnswered.has(`${threadId} ${name}`))
  const isRemembered = new Set<string>()
  for (const threadId of new Set(left.map((one) => one.threadId))) {
    if (await rememberNicknames(db, threadId)) isRemembered.add(threadId)
  }
  const again = left.filter(({ threadId }) => isRemembered.has(threadId))
  return again.length === 0 ? owners : [...owners, ...(await claim(again))]
}

/** Claims nicknames in threads whose nicknames are not deleted; leaves out the others. */
async function claimRemembered(db: Db, claims: readonly NicknameClaim[], at: Date): Promise<NicknameOwner[]> {
  if (await isDistributed(db)) return claimOverCluster(db, claims, at)
  // "do update" changes nothing; without it the row of an earlier owner is not returned.
  const { rows } = await sql<NicknameOwner>`
    with claim as (
      select claim.*, taken."userId" as "memberId"
      from ${claimTable(claims)}
      join threads on threads.id = claim."threadId" and not threads."namesForgotten"
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

/** The same in steps: on Citus members' names are on another node than threads. */
async function claimOverCluster(db: Db, claims: readonly NicknameClaim[], at: Date): Promise<NicknameOwner[]> {
  const names = claims.map(({ name }) => name)
  const members = await db
    .selectFrom('userNames')
    .select(['name', 'userId'])
    .where('name', 'in', names)
    .where(isHeld('userNames', at))
    .execute()
  const memberOf = new Map(members.map(({ name, userId }) => [name, userId]))
  const owners: NicknameOwner[] = []
  for (const ofShard of await groupByShard(db, claims)) owners.push(...(await claimInShard(db, ofShard, memberOf, at)))
  return owners
}

async function claimInShard(
  db: Db,
  claims: readonly NicknameClaim[],
  memberOf: ReadonlyMap<string, string>,
  at: Date,
): Promise<NicknameOwner[]> {
  const threadIds = [...new Set(claims.map(({ threadId }) => threadId))]
  const ofMembers = claims.filter(({ name }) => memberOf.has(name))
  const { rows: standing } =
    ofMembers.length === 0
      ? { rows: [] }
      : await sql<{ threadId: string; name: string; hadBefore: boolean }>`
          select t.id as "threadId", claim.name, own.name is not null as "hadBefore"
          from ${claimTable(ofMembers)} join threads as t on t.id = claim."threadId" and not t."namesForgotten"
          left join nicknames as own
            on own."threadId" = t.id and own.name = claim.name and ${isOneOf('own.threadId', threadIds)}
          where ${isOneOf('t.id', threadIds)}`.execute(db)
  const isHad = new Set(standing.filter((own) => own.hadBefore).map(({ threadId, name }) => `${threadId} ${name}`))
  const isFree = ({ threadId, name }: Pick<NicknameClaim, 'threadId' | 'name'>) =>
    !memberOf.has(name) || isHad.has(`${threadId} ${name}`)
  const free = claims.filter(isFree)
  const { rows: claimed } =
    free.length === 0
      ? { rows: [] }
      : await sql<NicknameClaim>`
          insert into nicknames ("threadId", name, "visitorId", "createdAt")
          select t.id, claim.name, claim."visitorId", ${at}::timestamptz
          from ${claimTable(free)} join threads as t on t.id = claim."threadId" and not t."namesForgotten"
          where ${isOneOf('t.id', threadIds)} order by t.id, claim.name
          on conflict ("threadId", name) do update set name = excluded.name
          returning "threadId", name, "visitorId"`.execute(db)
  return [
    ...claimed.map(({ threadId, name, visitorId }) => ({ threadId, name, ownerId: visitorId, isMember: false })),
    ...standing
      .filter((claim) => !isFree(claim))
      .map(({ threadId, name }) => ({ threadId, name, ownerId: memberOf.get(name)!, isMember: true })),
  ]
}

/** SQL: claims as rows. */
const claimTable = (claims: readonly NicknameClaim[]): RawBuilder<unknown> =>
  sql`json_to_recordset(${JSON.stringify(claims)}::text::json) as claim("threadId" uuid, name text, "visitorId" uuid)`

interface FirstWriter {
  readonly visitorId: string
  readonly createdAt: Date
}

/**
 * The first writer of each folded name in a thread, read from its posts. Posts whose text was
 * purged after removal have no name any more. The cost is bounded by the length of a thread.
 */
async function selectFirstWriters(db: Db, threadId: string): Promise<ReadonlyMap<string, FirstWriter>> {
  const { rows } = await sql<FirstWriter & { name: string }>`
    select name, "visitorId", min("createdAt") as "createdAt" from posts
    where "threadId" = ${threadId}::uuid and name is not null and "visitorId" is not null and "userId" is null
    group by name, "visitorId" order by min(number) desc`.execute(db)
  // In descending order, so that the first writer is set last and wins.
  return new Map(rows.map(({ name, ...writer }) => [foldName(name), writer]))
}

/**
 * Rebuilds the nicknames of a thread if they were deleted.
 * @returns false when there is no such thread
 */
const rememberNicknames = (db: Db, threadId: string): Promise<boolean> =>
  inOneTransaction(db, async (tx) => {
    const thread = await tx
      .selectFrom('threads')
      .select('namesForgotten')
      .where('id', '=', threadId)
      .forNoKeyUpdate()
      .executeTakeFirst()
    // Another request may have rebuilt them first.
    if (thread?.namesForgotten !== true) return thread !== undefined
    const writers = [...(await selectFirstWriters(tx, threadId))].map(([name, writer]) => ({ name, ...writer }))
    // A name that was claimed while the sweep deleted the others returns to its first writer.
    await sql`
      insert into nicknames as own ("threadId", name, "visitorId", "createdAt")
      select ${threadId}::uuid, name, "visitorId", "createdAt"
      from json_to_recordset(${JSON.stringify(writers)}::text::json) as writer(name text, "visitorId" uuid, "createdAt" timestamptz)
      on conflict ("threadId", name) do update set "visitorId" = excluded."visitorId", "createdAt" = excluded."createdAt"
      where own."createdAt" > excluded."createdAt"`.execute(tx)
    await tx.updateTable('threads').set({ namesForgotten: false }).where('id', '=', threadId).execute()
    return true
  })

/**
 * Deletes the nicknames of threads without a post since a time. Examines the next `limit` threads
 * that have nicknames, oldest first.
 * @param after the last thread that was examined
 * @returns the last thread of this part; null at the end
 */
export async function forgetNicknames(
  db: Db,
  { before, after, limit }: { readonly before: Date; readonly after: string; readonly limit: number },
): Promise<string | null> {
  const { rows: named } = await sql<{ threadId: string }>`
    select "threadId" from nicknames
    where "threadId" > ${after}::uuid and "threadId" < ${uuidv7Floor(before.getTime())}::uuid
    group by "threadId" order by "threadId" limit ${limit}`.execute(db)
  const ids = named.map(({ threadId }) => threadId)
  const { rows: quiet } = await sql<{ id: string }>`
    select id from threads where id in ${idsOf(ids)} and "lastPostAt" < ${before}::timestamptz`.execute(db)
  for (const { id } of quiet) {
    // One statement per thread, as Citus requires. Checks the time again: the thread may have a new
    // post.
    await sql`
      with forgotten as (
        update threads set "namesForgotten" = true where id = ${id}::uuid and "lastPostAt" < ${before}::timestamptz returning id
      )
      delete from nicknames using forgotten where "threadId" = ${id}::uuid and "threadId" = forgotten.id`.execute(db)
  }
  return ids.length < limit ? null : ids.at(-1)!
}

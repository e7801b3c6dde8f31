import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import { deleteOfThread } from '../../db/delete-of-thread.ts'
import { idsOf } from '../../db/ids.ts'

/** An order to log who writes into a thread, while it runs. */
export interface RunningIpLogging {
  readonly id: string
  readonly threadId: string
  readonly endsAt: Date
}

/** Orders that nobody has ended; those whose time is over are among them until the next sweep. */
export const selectRunningIpLogging = (db: Db): Promise<RunningIpLogging[]> =>
  db.selectFrom('traceOrders').select(['id', 'threadId', 'endsAt']).where('endedAt', 'is', null).execute()

export interface IpLoggingRow extends RunningIpLogging {
  readonly title: string
  readonly reason: string
  readonly createdBy: string | null
  readonly createdAt: Date
  readonly entries: number
}

/** Orders that run at that time, newest first, with how much each has gathered. */
export async function selectIpLogging(db: Db, at: Date, threadId: string | null = null): Promise<IpLoggingRow[]> {
  const { rows: orders } = await sql<Omit<IpLoggingRow, 'entries'>>`
    select o.id, o."threadId", o."endsAt", t.title, o.reason, u.name as "createdBy", o."createdAt"
    from "traceOrders" as o join threads as t on t.id = o."threadId" left join users as u on u.id = o."createdBy"
    where o."endedAt" is null and o."endsAt" > ${at}::timestamptz
      and (${threadId}::uuid is null or o."threadId" = ${threadId}::uuid)
    order by o.id desc`.execute(db)
  const { rows } = await sql<{ id: string; entries: number }>`
    select "orderId" as id, count(*)::integer as entries from traces
    where "orderId" in ${idsOf(orders.map(({ id }) => id))} group by "orderId"`.execute(db)
  const counts = new Map(rows.map(({ id, entries }) => [id, entries]))
  return orders.map((order) => ({ ...order, entries: counts.get(order.id) ?? 0 }))
}

export interface NewIpLogging {
  readonly id: string
  readonly threadId: string
  readonly reason: string
  readonly createdBy: string
  readonly createdAt: Date
  readonly endsAt: Date
}

/** @throws a unique violation when one runs for this thread */
export async function insertIpLogging(tx: Db, order: NewIpLogging): Promise<void> {
  await tx.insertInto('traceOrders').values(order).execute()
}

export interface EndedIpLogging {
  readonly threadId: string
  readonly categoryId: string | null
  readonly title: string | null
}

/** Ends an order; undefined when it has ended before. From then on nothing is added to it. */
export async function endIpLoggingIn(tx: Db, id: string, at: Date): Promise<EndedIpLogging | undefined> {
  const { rows } = await sql<EndedIpLogging>`
    with ended as (
      update "traceOrders" set "endedAt" = ${at}::timestamptz where id = ${id}::uuid and "endedAt" is null returning "threadId"
    )
    select ended."threadId", t."categoryId", t.title from ended left join threads as t on t.id = ended."threadId"`.execute(
    tx,
  )
  return rows[0]
}

/** Orders that have ended and whose entries are still there. */
export async function selectEndedWithEntries(db: Db): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from "traceOrders"
    where "endedAt" is not null and id in (select "orderId" from traces)`.execute(db)
  return rows.map(({ id }) => id)
}

/**
 * Deletes orders that ended before a time. Their entries were deleted when they ended. Few rows: an
 * administrator makes each.
 */
export async function deleteEndedIpLogging(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('traceOrders').where('endedAt', '<', before).execute()
}

/** Deletes some of an order's entries. @returns how many there were */
export async function deleteIpLogEntries(db: Db, orderId: string, limit: number): Promise<number> {
  const { rows } = await sql`
    delete from traces where ("threadId", "postId") in (
      select "threadId", "postId" from traces where "orderId" = ${orderId}::uuid limit ${limit}
    ) returning "postId"`.execute(db)
  return rows.length
}

export interface NewIpLogEntry {
  readonly threadId: string
  readonly postId: string
  readonly orderId: string
  readonly sealed: string
  readonly createdAt: Date
}

/** Adds to an order that still runs. Its row is locked meanwhile: an end waits for this entry, or this entry sees the end. */
export async function insertIpLogEntry(
  db: Db,
  { threadId, postId, orderId, sealed, createdAt }: NewIpLogEntry,
): Promise<void> {
  await sql`
    with running as (
      select id from "traceOrders"
      where id = ${orderId}::uuid and "endedAt" is null and "endsAt" > ${createdAt}::timestamptz for share
    )
    insert into traces ("threadId", "postId", "orderId", sealed, "createdAt")
    select ${threadId}::uuid, ${postId}::uuid, id, ${sealed}::text, ${createdAt}::timestamptz from running
    on conflict ("threadId", "postId") do nothing`.execute(db)
}

export interface IpLogEntryRow {
  readonly postId: string
  readonly number: number
  readonly sealed: string
  readonly createdAt: Date
}

/** The newest entries of an order by number; those of posts that were refused in the end belong to none, and are left out. */
export async function selectIpLogEntries(db: Db, orderId: string, limit: number): Promise<IpLogEntryRow[]> {
  const { rows } = await sql<IpLogEntryRow>`
    select entry."postId", p.number, entry.sealed, entry."createdAt"
    from traces as entry join posts as p on p.id = entry."postId" and p."threadId" = entry."threadId"
    where entry."orderId" = ${orderId}::uuid
    order by p.number desc limit ${limit}`.execute(db)
  return rows.toReversed()
}

/** What is known of a post's writer while its thread is logged. */
export async function selectIpLogEntry(
  db: Db,
  { threadId, postId, at }: { readonly threadId: string; readonly postId: string; readonly at: Date },
): Promise<string | undefined> {
  const { rows } = await sql<{ sealed: string }>`
    select sealed from traces as entry join "traceOrders" as o on o.id = entry."orderId"
    where entry."threadId" = ${threadId}::uuid and entry."postId" = ${postId}::uuid
      and o."endedAt" is null and o."endsAt" > ${at}::timestamptz`.execute(db)
  return rows[0]?.sealed
}

/** Deletes some of what was logged of a thread, and its orders after the last of it. @returns whether there may be more */
export async function deleteIpLogOfThread(db: Db, threadId: string, limit: number): Promise<boolean> {
  if (await deleteOfThread(db, 'traces', threadId, limit)) return true
  await db.deleteFrom('traceOrders').where('threadId', '=', threadId).execute()
  return false
}

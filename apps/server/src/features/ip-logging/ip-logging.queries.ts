import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import { deleteOfThread } from '../../db/delete-of-thread.ts'
import { idsOf } from '../../db/ids.ts'

/** An active order to log the addresses of those who post in a thread. */
export interface RunningIpLogging {
  readonly id: string
  readonly threadId: string
  readonly endsAt: Date
}

/** Orders that have not been ended. Expired ones are included until the next sweep. */
export const selectRunningIpLogging = (db: Db): Promise<RunningIpLogging[]> =>
  db.selectFrom('traceOrders').select(['id', 'threadId', 'endsAt']).where('endedAt', 'is', null).execute()

export interface IpLoggingRow extends RunningIpLogging {
  readonly title: string
  readonly reason: string
  readonly createdBy: string | null
  readonly createdAt: Date
  readonly entries: number
}

/** Orders active at a time, newest first, with the number of their entries. */
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

/** @throws a unique violation when the thread has an active order */
export async function insertIpLogging(tx: Db, order: NewIpLogging): Promise<void> {
  await tx.insertInto('traceOrders').values(order).execute()
}

export interface EndedIpLogging {
  readonly threadId: string
  readonly categoryId: string | null
  readonly title: string | null
}

/** Ends an order; undefined when it was ended before. Afterwards no entries are added to it. */
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

/** Ended orders that still have entries. */
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

/** Deletes some of an order's entries. @returns the number of deleted ones */
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

/**
 * Adds an entry to an active order. The order's row is locked meanwhile: either its end waits for
 * this entry, or no entry is added.
 */
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

/**
 * The newest entries of an order, by post number. Entries of posts that were refused after all are
 * left out.
 */
export async function selectIpLogEntries(db: Db, orderId: string, limit: number): Promise<IpLogEntryRow[]> {
  const { rows } = await sql<IpLogEntryRow>`
    select entry."postId", p.number, entry.sealed, entry."createdAt"
    from traces as entry join posts as p on p.id = entry."postId" and p."threadId" = entry."threadId"
    where entry."orderId" = ${orderId}::uuid
    order by p.number desc limit ${limit}`.execute(db)
  return rows.toReversed()
}

/** The sealed origin of a post while its thread is logged. */
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

/**
 * Deletes some entries of a thread, and its orders once no entry is left.
 * @returns whether there may be more
 */
export async function deleteIpLogOfThread(db: Db, threadId: string, limit: number): Promise<boolean> {
  if (await deleteOfThread(db, 'traces', threadId, limit)) return true
  await db.deleteFrom('traceOrders').where('threadId', '=', threadId).execute()
  return false
}

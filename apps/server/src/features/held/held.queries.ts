import { sql, type RawBuilder, type Selectable } from 'kysely'
import type { Db } from '../../db/client.ts'
import { isDistributed } from '../../db/distribution.ts'
import { idsOf, isWithin } from '../../db/ids.ts'
import type { HeldPayload, HeldPostsTable } from '../../db/tables.ts'
import { isThreadVisible } from '../../db/visible.ts'
import type { Scope } from '../../http/session.ts'
import type { StoredImage } from '../../lib/image-store.ts'

type Row = Selectable<HeldPostsTable>

/** Something that waits, with where it would stand. */
export type HeldRow = Omit<Row, 'payload'> & {
  readonly payload: HeldPayload
  readonly category: string
  /** Null for a thread. */
  readonly title: string | null
  readonly lockedAt: Date | null
}

/** A thread that was moved meanwhile takes what waits for it along. */
const categoryOf = sql`coalesce(t."categoryId", h."categoryId")`
/** What waits for a thread that was removed is seen again when the thread comes back. */
const waiting = sql`h.status = 'waiting' and (h."threadId" is null or (t.id is not null and ${isThreadVisible('t')}))`

/** The threads, for a left join; a cluster first gathers those that something waits for. */
const threadsOfHeld = async (db: Db): Promise<RawBuilder<unknown>> =>
  (await isDistributed(db))
    ? sql`(select * from threads where id in (select "threadId" from "heldPosts" where "threadId" is not null))`
    : sql`threads`

const selectHeld = async (db: Db): Promise<RawBuilder<unknown>> => sql`
  select h.id, h.status, c.id as "categoryId", c.name as category, h."threadId", t.title, t."lockedAt", h."visitorId", h."userId", h."clientId",
    h.why, h.detail, h.payload, h."createdAt", h."decidedAt"
  from "heldPosts" as h left join ${await threadsOfHeld(db)} as t on t.id = h."threadId" join categories as c on c.id = ${categoryOf}`

/** What waits in a moderator's part of the board, oldest first. */
export async function selectHeldPage(
  db: Db,
  { scope, cursor, limit }: { scope: Scope; cursor: string | null; limit: number },
): Promise<HeldRow[]> {
  const after = cursor === null ? sql`true` : sql`h.id > ${cursor}::uuid`
  // On its own: who joins the categories at once gathers all that waits before the first page. So does who expects hardly anything to be within
  // the scope; of a case PostgreSQL expects half.
  const { rows: page } = await sql<{ id: string }>`
    select h.id from "heldPosts" as h left join ${await threadsOfHeld(db)} as t on t.id = h."threadId"
    where ${waiting} and case when ${isWithin(scope, categoryOf)} then true end and ${after} order by h.id limit ${limit}`.execute(
    db,
  )
  const { rows } = await sql<HeldRow>`
    ${await selectHeld(db)} where h.id in ${idsOf(page.map(({ id }) => id))} order by h.id`.execute(db)
  return rows
}

/** Something held, whatever became of it; nobody else decides about it until the transaction ends. */
export async function lockHeld(tx: Db, id: string): Promise<HeldRow | undefined> {
  // On its own: joined with threads that are spread over a cluster it would not be locked.
  const { rows: own } = await sql`select from "heldPosts" where id = ${id}::uuid for update`.execute(tx)
  if (own.length === 0) return undefined
  const { rows } = await sql<HeldRow>`${await selectHeld(tx)} where h.id = ${id}::uuid`.execute(tx)
  return rows[0]
}

/** @param threadId of the thread that was opened; the post's own stays */
export async function markHeld(
  tx: Db,
  id: string,
  { status, at, threadId }: { status: 'approved' | 'rejected'; at: Date; threadId: string | null },
): Promise<void> {
  await tx.updateTable('heldPosts').set({ status, threadId, decidedAt: at }).where('id', '=', id).execute()
}

/** Leaves something to a person: from now on it waits for another reason than raid mode, and time does not publish it. */
export async function leaveHeld(tx: Db, id: string, { why, detail }: Pick<HeldRow, 'why' | 'detail'>): Promise<void> {
  await tx.updateTable('heldPosts').set({ why, detail }).where('id', '=', id).execute()
}

/** What raid mode has held since before a time, by age. */
export async function selectReleasable(
  db: Db,
  { before, after, limit }: { before: Date; after: string | null; limit: number },
): Promise<{ id: string; categoryId: string }[]> {
  const from = after === null ? sql`true` : sql`h.id > ${after}::uuid`
  const { rows } = await sql<{ id: string; categoryId: string }>`
    select h.id, ${categoryOf} as "categoryId" from "heldPosts" as h left join ${await threadsOfHeld(db)} as t on t.id = h."threadId"
    where ${waiting} and h.why = 'shield' and h."createdAt" <= ${before}::timestamptz and ${from} order by h.id limit ${limit}`.execute(
    db,
  )
  return rows
}

/** Lets nothing wait for threads, in categories, or of members, that are gone for good. */
export async function rejectOrphans(db: Db, at: Date): Promise<void> {
  const [users, categories, threads] = [
    await selectGone(db, 'userId', 'users'),
    await selectGone(db, 'categoryId', 'categories'),
    await selectGone(db, 'threadId', 'threads'),
  ]
  await sql`
    update "heldPosts" set status = 'rejected', "decidedAt" = ${at}::timestamptz
    where status = 'waiting' and ("userId" in ${idsOf(users)} or "threadId" in ${idsOf(threads)}
      or ("threadId" is null and "categoryId" in ${idsOf(categories)}))`.execute(db)
}

/** What waiting posts name, and is not there any more. */
async function selectGone(
  db: Db,
  column: 'userId' | 'categoryId' | 'threadId',
  table: 'users' | 'categories' | 'threads',
): Promise<string[]> {
  const { rows: named } = await sql<{ id: string }>`
    select distinct ${sql.ref(column)} as id from "heldPosts" where status = 'waiting' and ${sql.ref(column)} is not null`.execute(
    db,
  )
  const { rows } = await sql<{ id: string }>`
    select id from ${sql.table(table)} where id in ${idsOf(named.map(({ id }) => id))}`.execute(db)
  const standing = new Set(rows.map(({ id }) => id))
  return named.map(({ id }) => id).filter((id) => !standing.has(id))
}

/** Takes the text from what was decided before a time. @returns pictures that no post shows */
export async function clearPayloads(db: Db, before: Date, limit: number): Promise<HeldPayload['image'][]> {
  const { rows } = await sql<{ image: HeldPayload['image'] }>`
    with decided as (
      select id, status, payload from "heldPosts" where status <> 'waiting' and "decidedAt" <= ${before}::timestamptz and payload is not null
      order by "decidedAt" limit ${limit} for update
    ), cleared as (
      update "heldPosts" as h set payload = null, detail = null from decided where decided.id = h.id
    )
    select case when status = 'rejected' then nullif(payload -> 'image', 'null'::jsonb) end as image from decided`.execute(
    db,
  )
  return rows.map(({ image }) => image)
}

export async function deleteDecided(db: Db, before: Date): Promise<void> {
  await db
    .deleteFrom('heldPosts')
    .where('status', '<>', 'waiting')
    .where('decidedAt', '<=', before)
    .where('payload', 'is', null)
    .execute()
}

/** The name a member bears now; undefined when the account is gone. */
export const selectMemberName = (db: Db, userId: string): Promise<{ name: string } | undefined> =>
  db.selectFrom('users').select('name').where('id', '=', userId).executeTakeFirst()

/**
 * What waits for a moderator of a category goes elsewhere: threads, and posts whose threads went before. One that is being decided on at
 * this moment is left alone: its decision may be waiting for the category, which the caller has locked. `countHeldOfCategory` tells of it.
 */
export async function moveHeldOfCategory(tx: Db, from: string, to: string): Promise<void> {
  await sql`
    update "heldPosts" set "categoryId" = ${to}::uuid
    where id in (select id from "heldPosts" where "categoryId" = ${from}::uuid for update skip locked)`.execute(tx)
}

/** Waits until what `moveHeldOfCategory` has left alone is decided. Not in a transaction: it must hold nothing that a decision waits for. */
export async function awaitDecisions(db: Db, id: string): Promise<void> {
  const rows = await db
    .selectFrom('heldPosts')
    .select('id')
    .where('status', '=', 'waiting')
    .where('categoryId', '=', id)
    .execute()
  for (const row of rows) await db.selectFrom('heldPosts').select('id').where('id', '=', row.id).forUpdate().execute()
}

/** How much waits for a moderator of a category. */
export async function countHeldOfCategory(db: Db, id: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from "heldPosts" where status = 'waiting' and "categoryId" = ${id}::uuid`.execute(
    db,
  )
  return rows[0]!.count
}

/**
 * Posts that wait go along with threads that are moved. One that is being decided on at this moment is left alone: its decision may be
 * waiting for the thread, and it waits no longer than that.
 */
export async function moveHeldOfThreads(tx: Db, threadIds: readonly string[], categoryId: string): Promise<void> {
  await sql`
    update "heldPosts" set "categoryId" = ${categoryId}::uuid
    where id in (
      select id from "heldPosts" where status = 'waiting' and "threadId" in ${idsOf(threadIds)} for update skip locked
    )`.execute(tx)
}

/** Deletes posts that wait for a place in a thread. @returns their images */
export async function deleteHeldOf(db: Db, threadId: string): Promise<StoredImage[]> {
  const rows = await db.deleteFrom('heldPosts').where('threadId', '=', threadId).returning('payload').execute()
  // What was decided a day ago has no text any more.
  return rows.flatMap(({ payload }) => payload?.image ?? [])
}

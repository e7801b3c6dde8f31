import { sql, type RawBuilder, type Selectable } from 'kysely'
import type { Db } from '../../db/client.ts'
import { isDistributed } from '../../db/distribution.ts'
import { idsOf, isWithin } from '../../db/ids.ts'
import type { HeldPayload, HeldPostsTable, StoredImage } from '../../db/tables.ts'
import { isThreadVisible } from '../../db/visible.ts'
import type { Scope } from '@shinobi/contract/permissions'

type Row = Selectable<HeldPostsTable>

/** A held post or thread, with the thread and category it is for. */
export type HeldRow = Omit<Row, 'payload' | 'why'> & {
  readonly payload: HeldPayload
  /** Of one that waits. */
  readonly why: Exclude<Row['why'], 'expired'>
  readonly category: string
  /** Null for a thread. */
  readonly title: string | null
  readonly lockedAt: Date | null
}

/** Held posts follow a thread that was moved. */
const categoryOf = sql`coalesce(t."categoryId", h."categoryId")`
/**
 * Posts held for a removed thread are left out; they are listed again when the thread is restored.
 */
const waiting = sql`h.status = 'waiting' and (h."threadId" is null or (t.id is not null and ${isThreadVisible('t')}))`

/**
 * The threads, for a left join. On a cluster, a subquery first selects the threads with held posts.
 */
const threadsOfHeld = async (db: Db): Promise<RawBuilder<unknown>> =>
  (await isDistributed(db))
    ? sql`(select * from threads where id in (select "threadId" from "heldPosts" where "threadId" is not null))`
    : sql`threads`

const selectHeld = async (db: Db): Promise<RawBuilder<unknown>> => sql`
  select h.id, h.status, c.id as "categoryId", c.name as category, h."threadId", t.title, t."lockedAt", h."visitorId", h."userId", h."clientId",
    h.why, h.detail, h.payload, h."createdAt", h."decidedAt"
  from "heldPosts" as h left join ${await threadsOfHeld(db)} as t on t.id = h."threadId" join categories as c on c.id = ${categoryOf}`

/** The waiting posts and threads in a moderator's categories, oldest first. */
export async function selectHeldPage(
  db: Db,
  { scope, cursor, limit }: { scope: Scope; cursor: string | null; limit: number },
): Promise<HeldRow[]> {
  const after = cursor === null ? sql`true` : sql`h.id > ${cursor}::uuid`
  // A query of its own: joined with the categories, PostgreSQL gathers all waiting rows before the
  // first page. It does the same where it estimates that hardly any row is within the scope; for a
  // CASE it estimates half of them.
  const { rows: page } = await sql<{ id: string }>`
    select h.id from "heldPosts" as h left join ${await threadsOfHeld(db)} as t on t.id = h."threadId"
    where ${waiting} and case when ${isWithin(scope, categoryOf)} then true end and ${after} order by h.id limit ${limit}`.execute(
    db,
  )
  const { rows } = await sql<HeldRow>`
    ${await selectHeld(db)} where h.id in ${idsOf(page.map(({ id }) => id))} order by h.id`.execute(db)
  return rows
}

/** Selects a held post or thread of any status, and locks its row until the transaction ends. */
export async function lockHeld(tx: Db, id: string): Promise<HeldRow | undefined> {
  // A query of its own: in a join with threads that are distributed over a cluster, the row would
  // not be locked.
  const { rows: own } = await sql`select from "heldPosts" where id = ${id}::uuid for update`.execute(tx)
  if (own.length === 0) return undefined
  const { rows } = await sql<HeldRow>`${await selectHeld(tx)} where h.id = ${id}::uuid`.execute(tx)
  return rows[0]
}

/**
 * @param threadId the opened thread of a held thread, null for one that is not published; for a
 * held post, the thread it belongs to
 * @param why for one that is rejected because it can no longer be published
 */
export async function markHeld(
  tx: Db,
  id: string,
  {
    at,
    ...decision
  }: Pick<Row, 'threadId'> & {
    readonly status: Exclude<HeldRow['status'], 'waiting'>
    readonly at: Date
    readonly why?: 'expired'
  },
): Promise<void> {
  await tx
    .updateTable('heldPosts')
    .set({ ...decision, decidedAt: at })
    .where('id', '=', id)
    .execute()
}

/**
 * Leaves the decision to a moderator: with a reason other than raid mode it is never released
 * automatically.
 */
export async function leaveHeld(tx: Db, id: string, { why, detail }: Pick<HeldRow, 'why' | 'detail'>): Promise<void> {
  await tx.updateTable('heldPosts').set({ why, detail }).where('id', '=', id).execute()
}

/**
 * Whether the opener of a thread has silenced an ID. @param since the beginning of the day, at
 * which silences end
 */
export async function isSilenced(
  tx: Db,
  { threadId, posterId, since }: { threadId: string; posterId: string; since: Date },
): Promise<boolean> {
  const row = await tx
    .selectFrom('ownerActions')
    .select('id')
    .where('threadId', '=', threadId)
    .where('kind', '=', 'silence')
    .where('posterId', '=', posterId)
    .where('at', '>=', since)
    .where('undoneBy', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}

/** Posts and threads that raid mode held before a time, oldest first. */
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

/** Expires what waits for deleted threads, in deleted categories or from deleted members. */
export async function expireOrphans(db: Db, at: Date): Promise<void> {
  const [users, categories, threads] = [
    await selectGone(db, 'userId', 'users'),
    await selectGone(db, 'categoryId', 'categories'),
    await selectGone(db, 'threadId', 'threads'),
  ]
  await sql`
    update "heldPosts" set status = 'rejected', why = 'expired', "decidedAt" = ${at}::timestamptz
    where status = 'waiting' and ("userId" in ${idsOf(users)} or "threadId" in ${idsOf(threads)}
      or ("threadId" is null and "categoryId" in ${idsOf(categories)}))`.execute(db)
}

/** Ids that waiting posts refer to and whose rows are deleted. */
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

/**
 * Clears the texts of posts that were decided before a time.
 * @returns the pictures of those that were not published
 */
export async function clearPayloads(db: Db, before: Date, limit: number): Promise<HeldPayload['image'][]> {
  const { rows } = await sql<{ image: HeldPayload['image'] }>`
    with decided as (
      select id, status, payload from "heldPosts" where status <> 'waiting' and "decidedAt" <= ${before}::timestamptz and payload is not null
      order by "decidedAt" limit ${limit} for update
    ), cleared as (
      update "heldPosts" as h set payload = null, detail = null from decided where decided.id = h.id
    )
    select case when status <> 'approved' then nullif(payload -> 'image', 'null'::jsonb) end as image from decided`.execute(
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

/** The current name of a member; undefined when the account is deleted. */
export const selectMemberName = (db: Db, userId: string): Promise<{ name: string } | undefined> =>
  db.selectFrom('users').select('name').where('id', '=', userId).executeTakeFirst()

/**
 * Moves held threads, and held posts whose threads were moved before, to another category. A row
 * locked by a decision is skipped: the decision may be waiting for the category, which the caller
 * has locked. `countHeldOfCategory` finds skipped rows.
 */
export async function moveHeldOfCategory(tx: Db, from: string, to: string): Promise<void> {
  await sql`
    update "heldPosts" set "categoryId" = ${to}::uuid
    where id in (select id from "heldPosts" where "categoryId" = ${from}::uuid for update skip locked)`.execute(tx)
}

/**
 * Waits until the rows that `moveHeldOfCategory` skipped are decided. Call it outside a
 * transaction: it must hold no lock that a decision waits for.
 */
export async function awaitDecisions(db: Db, id: string): Promise<void> {
  const rows = await db
    .selectFrom('heldPosts')
    .select('id')
    .where('status', '=', 'waiting')
    .where('categoryId', '=', id)
    .execute()
  for (const row of rows) await db.selectFrom('heldPosts').select('id').where('id', '=', row.id).forUpdate().execute()
}

/** Number of posts and threads that wait in a category. */
export async function countHeldOfCategory(db: Db, id: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from "heldPosts" where status = 'waiting' and "categoryId" = ${id}::uuid`.execute(
    db,
  )
  return rows[0]!.count
}

/**
 * Moves held posts along with their threads. A row locked by a decision is skipped: the decision
 * may be waiting for the thread, and after it the post no longer waits.
 */
export async function moveHeldOfThreads(tx: Db, threadIds: readonly string[], categoryId: string): Promise<void> {
  await sql`
    update "heldPosts" set "categoryId" = ${categoryId}::uuid
    where id in (
      select id from "heldPosts" where status = 'waiting' and "threadId" in ${idsOf(threadIds)} for update skip locked
    )`.execute(tx)
}

/** Deletes the held posts of a thread. @returns their images */
export async function deleteHeldOf(db: Db, threadId: string): Promise<StoredImage[]> {
  const rows = await db.deleteFrom('heldPosts').where('threadId', '=', threadId).returning('payload').execute()
  // The text is cleared a day after the decision.
  return rows.flatMap(({ payload }) => payload?.image ?? [])
}

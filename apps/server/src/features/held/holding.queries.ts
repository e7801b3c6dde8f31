import { sql, type Selectable } from 'kysely'
import type { Db } from '../../db/client.ts'
import type { HeldPostsTable } from '../../db/tables.ts'
import type { HeldText } from '../admission/holding.ts'

/** A held text and its writer. */
export type NewHeldPost = HeldText & Pick<HeldState, 'visitorId' | 'userId'>

/**
 * Stores a held post or thread; false when the same client id is stored already, waiting or
 * decided.
 */
export async function insertHeldPost(db: Db, { payload, at, ...held }: NewHeldPost): Promise<boolean> {
  const { rows } = await sql`
    insert into "heldPosts" (id, status, "categoryId", "threadId", "visitorId", "userId", "clientId", why, detail, payload, "createdAt")
    values (${held.id}::uuid, 'waiting', ${held.categoryId}::uuid, ${held.threadId}::uuid, ${held.visitorId}::uuid, ${held.userId}::uuid,
      ${held.clientId}::uuid, ${held.why}, ${held.detail}, ${JSON.stringify(payload)}::text::jsonb, ${at}::timestamptz)
    on conflict ((coalesce("threadId", "clientId")), "clientId") where "clientId" is not null do nothing
    returning id`.execute(db)
  return rows.length > 0
}

export type HeldState = Pick<
  Selectable<HeldPostsTable>,
  'id' | 'status' | 'why' | 'categoryId' | 'threadId' | 'visitorId' | 'userId'
>

const state = ['id', 'status', 'why', 'categoryId', 'threadId', 'visitorId', 'userId'] as const

/** The held post or thread of a client id. @param threadId null for a thread */
export const selectHeldByClientId = (
  db: Db,
  threadId: string | null,
  clientId: string,
): Promise<HeldState | undefined> =>
  db
    .selectFrom('heldPosts')
    .select(state)
    .where(sql`coalesce("threadId", "clientId")`, '=', threadId ?? clientId)
    .where('clientId', '=', clientId)
    .executeTakeFirst()

export const selectHeldState = (db: Db, id: string): Promise<HeldState | undefined> =>
  db.selectFrom('heldPosts').select(state).where('id', '=', id).executeTakeFirst()

/**
 * Number of waiting posts and threads of a member, or of a visitor's browser without an account,
 * counted up to a limit.
 */
export async function countWaiting(
  db: Db,
  { userId, visitorId }: Pick<HeldState, 'userId' | 'visitorId'>,
  limit: number,
): Promise<number> {
  const isTheirs =
    userId === null ? sql`"visitorId" = ${visitorId}::uuid and "userId" is null` : sql`"userId" = ${userId}::uuid`
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from (
      select from "heldPosts" where ${isTheirs} and status = 'waiting' limit ${limit}
    ) as waiting`.execute(db)
  return rows[0]!.count
}

/**
 * Removes the name of a deleted member from held posts. Those that still wait expire in the
 * sweep, as they have no writer any more.
 */
export async function forgetHeldName(db: Db, userId: string): Promise<void> {
  await sql`
    update "heldPosts" set payload = payload || '{"name": null}'::jsonb
    where "userId" = ${userId}::uuid and payload ->> 'name' is not null`.execute(db)
}

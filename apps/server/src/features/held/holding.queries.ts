import { sql, type Selectable } from 'kysely'
import type { Db } from '../../db/client.ts'
import type { HeldPayload, HeldPostsTable } from '../../db/tables.ts'

export interface NewHeldPost {
  readonly id: string
  readonly categoryId: string
  /** Null for a thread. */
  readonly threadId: string | null
  readonly visitorId: string
  readonly userId: string | null
  readonly clientId: string | null
  readonly why: HeldPostsTable['why']
  readonly detail: string | null
  readonly payload: HeldPayload
  readonly at: Date
}

/** Stores what has to wait; false when the same sending waits, or was decided, already. */
export async function insertHeldPost(db: Db, { payload, at, ...held }: NewHeldPost): Promise<boolean> {
  const { rows } = await sql`
    insert into "heldPosts" (id, status, "categoryId", "threadId", "visitorId", "userId", "clientId", why, detail, payload, "createdAt")
    values (${held.id}::uuid, 'waiting', ${held.categoryId}::uuid, ${held.threadId}::uuid, ${held.visitorId}::uuid, ${held.userId}::uuid,
      ${held.clientId}::uuid, ${held.why}, ${held.detail}, ${JSON.stringify(payload)}::text::jsonb, ${at}::timestamptz)
    on conflict ((coalesce("threadId", "clientId")), "clientId") where "clientId" is not null do nothing
    returning id`.execute(db)
  return rows.length > 0
}

export type HeldState = Pick<Selectable<HeldPostsTable>, 'id' | 'status' | 'threadId' | 'visitorId' | 'userId'>

const state = ['id', 'status', 'threadId', 'visitorId', 'userId'] as const

/** What became of a sending that was held. @param threadId null for a thread */
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

/** How much of a member's, or of a browser's that is nobody's, waits, counted up to a limit. */
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

/** Takes the name of a member who left off what was held of them. What still waits of it is rejected, as it is nobody's any more. */
export async function forgetHeldName(db: Db, userId: string): Promise<void> {
  await sql`
    update "heldPosts" set payload = payload || '{"name": null}'::jsonb
    where "userId" = ${userId}::uuid and payload ->> 'name' is not null`.execute(db)
}

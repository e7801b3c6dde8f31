import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import { uuidv7Floor } from '../../lib/uuid.ts'

export interface EarlierText {
  readonly id: string
  /** Null where the account is gone. */
  readonly actorId: string | null
  readonly content: string
}

/** Posts since a time, the newest first. @param before begins before this id */
export async function selectEarlierTexts(
  db: Db,
  { since, before, limit }: { readonly since: number; readonly before: string | null; readonly limit: number },
): Promise<EarlierText[]> {
  const { rows } = await sql<EarlierText>`
    select id, coalesce("userId", "visitorId") as "actorId", content from posts
    where id >= ${uuidv7Floor(since)}::uuid and ${before === null ? sql`true` : sql`id < ${before}::uuid`}
    order by id desc limit ${limit}`.execute(db)
  return rows
}

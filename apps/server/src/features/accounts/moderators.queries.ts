import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'

export interface ModeratorRow {
  /** Null: the whole board. */
  readonly categoryIds: string[] | null
}

export const selectModerator = (db: Db, userId: string): Promise<ModeratorRow | undefined> =>
  db.selectFrom('moderators').select('categoryIds').where('userId', '=', userId).executeTakeFirst()

export async function upsertModerator(
  tx: Db,
  { userId, categoryIds, at }: ModeratorRow & { readonly userId: string; readonly at: Date },
): Promise<void> {
  const ids = categoryIds === null ? null : JSON.stringify(categoryIds)
  await sql`
    insert into moderators ("userId", "categoryIds", "createdAt") values (${userId}, ${ids}::text::jsonb, ${at})
    on conflict ("userId") do update set "categoryIds" = excluded."categoryIds"`.execute(tx)
}

export async function deleteModerator(tx: Db, userId: string): Promise<void> {
  await tx.deleteFrom('moderators').where('userId', '=', userId).execute()
}

export interface StaffRow {
  readonly name: string
  readonly email: string | null
  readonly isConfirmed: boolean
  readonly isAdmin: boolean
  /** Names of the moderated categories; null for the whole board. */
  readonly categories: string[] | null
}

/** All administrators and moderators: administrators first, the oldest account first. */
export async function selectStaff(db: Db): Promise<StaffRow[]> {
  const { rows } = await sql<StaffRow>`
    select u.name, u.email, u."emailVerifiedAt" is not null as "isConfirmed", u."isAdmin", case when m."categoryIds" is null then null else (
      select coalesce(json_agg(c.name order by c.position, c.id), '[]') from categories as c
      where jsonb_exists(m."categoryIds", c.id::text)
    ) end as categories
    from users as u left join moderators as m on m."userId" = u.id
    where u.email is not null and (u."isAdmin" or m."userId" is not null)
    order by u."isAdmin" desc, u.id`.execute(db)
  return rows
}

/**
 * Moderators of a category moderate the one that its threads moved to.
 * @returns the members who moderated it
 */
export async function moveModerators(tx: Db, from: string, to: string): Promise<string[]> {
  const { rows } = await sql<{ userId: string }>`
    update moderators set "categoryIds" = (
      select jsonb_agg(distinct id order by id)
      from jsonb_array_elements("categoryIds" - ${from}::text || to_jsonb(${to}::text)) as id
    ) where jsonb_exists("categoryIds", ${from}::text) returning "userId"`.execute(tx)
  return rows.map((row) => row.userId)
}

/** Removes a deleted category from its moderators. @returns the members who moderated it */
export async function takeFromModerators(tx: Db, categoryId: string): Promise<string[]> {
  const { rows } = await sql<{ userId: string }>`
    update moderators set "categoryIds" = "categoryIds" - ${categoryId}::text
    where jsonb_exists("categoryIds", ${categoryId}::text) returning "userId"`.execute(tx)
  return rows.map((row) => row.userId)
}

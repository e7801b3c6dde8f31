import { sql } from 'kysely'
import type { PosterIds } from '@shinobi/contract/categories'
import type { Db } from '../../db/client.ts'
import { keyShare, prepareToChangeCopied } from '../../db/distribution.ts'
import { isPostVisible, isThreadVisible } from '../../db/visible.ts'
import { UUID } from '../../lib/uuid.ts'

const columns = ['id', 'name', 'description', 'postLimit', 'posterIds', 'holdImages'] as const

export interface CategoryRow {
  readonly id: string
  readonly name: string
  readonly description: string
  /** Posts of a thread here; null for the number in the settings. */
  readonly postLimit: number | null
  readonly posterIds: PosterIds
  readonly holdImages: boolean
}

export const selectCategories = (db: Db): Promise<CategoryRow[]> =>
  db.selectFrom('categories').select(columns).orderBy('position').orderBy('id').execute()

/**
 * Newest posts that rank categories: a day of a lively board, and few enough to count each time the
 * list is computed.
 */
const RECENT_POSTS = 1_000

/**
 * How many of the board's newest posts are in each category, by its id; categories without any are
 * missing.
 */
export async function countRecentPosts(db: Db): Promise<Map<string, number>> {
  // Removed posts are excluded after the limit: otherwise a removed flood would make the statement
  // scan further back.
  const { rows } = await sql<{ categoryId: string; posts: number }>`
    select t."categoryId", count(*)::integer as posts
    from (select "threadId", "deletedAt" from posts order by id desc limit ${RECENT_POSTS}) as p
    join threads as t on t.id = p."threadId"
    where ${isPostVisible('p')} and ${isThreadVisible('t')}
    group by 1`.execute(db)
  return new Map(rows.map(({ categoryId, posts }) => [categoryId, posts]))
}

/** The category of an id or a name. */
export const selectCategory = (db: Db, ref: string): Promise<CategoryRow | undefined> =>
  db
    .selectFrom('categories')
    .select(columns)
    .where(UUID.test(ref) ? 'id' : 'name', '=', ref)
    .executeTakeFirst()

export async function countCategories(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::integer as count from categories`.execute(db)
  return rows[0]!.count
}

/** Whether all of these ids are categories. */
export async function areCategories(db: Db, ids: readonly string[]): Promise<boolean> {
  const rows = await db
    .selectFrom('categories')
    .select('id')
    .where('id', 'in', [...new Set(ids)])
    .execute()
  return rows.length === new Set(ids).size
}

export interface NewCategory {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly postLimit: number | null
  readonly posterIds: PosterIds
  readonly holdImages: boolean
  readonly at: Date
}

/** Adds a category after the others, in a transaction that has locked them. */
export async function insertCategory(tx: Db, category: NewCategory): Promise<void> {
  const { id, name, description, postLimit, posterIds, holdImages, at } = category
  await sql`
    insert into categories (id, name, description, "postLimit", "posterIds", "holdImages", position, "createdAt")
    select ${id}::uuid, ${name}::text, ${description}::text, ${postLimit}::integer, ${posterIds}::text, ${holdImages}::boolean, coalesce(max(position), -1) + 1, ${at}::timestamptz
    from categories`.execute(tx)
}

/** What an administrator may change of a category. */
export type CategoryChange = {
  readonly [K in 'description' | 'postLimit' | 'posterIds' | 'holdImages']?: CategoryRow[K] | undefined
}

/** @returns the category before and after the change; undefined when there is none */
export async function updateCategory(
  tx: Db,
  id: string,
  change: CategoryChange,
): Promise<{ before: CategoryRow; after: CategoryRow } | undefined> {
  await prepareToChangeCopied(tx)
  const before = await tx.selectFrom('categories').select(columns).where('id', '=', id).forUpdate().executeTakeFirst()
  if (before === undefined) return undefined
  if (Object.values(change).every((value) => value === undefined)) return { before, after: before }
  const updated = tx.updateTable('categories').set(change).where('id', '=', id).returning(columns)
  return { before, after: await updated.executeTakeFirstOrThrow() }
}

/** Locks a category against deletion until the transaction ends; false when it is gone already. */
export async function holdCategory(tx: Db, id: string): Promise<boolean> {
  const { rows } = await sql`select from categories where id = ${id}::uuid ${await keyShare(tx)}`.execute(tx)
  return rows.length > 0
}

/**
 * Locks all categories until the transaction ends: none is created or deleted, and no thread is
 * opened in any. Sorted, so that two transactions cannot deadlock.
 */
export async function lockCategories(tx: Db): Promise<string[]> {
  await prepareToChangeCopied(tx)
  const rows = await tx.selectFrom('categories').select('id').orderBy('id').forUpdate().execute()
  return rows.map((row) => row.id)
}

/** Deletes an empty category, in a transaction that has locked it. */
export async function deleteCategory(tx: Db, id: string): Promise<void> {
  await tx.deleteFrom('categories').where('id', '=', id).execute()
}

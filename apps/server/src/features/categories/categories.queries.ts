import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import { keyShare, prepareToChangeCopied } from '../../db/distribution.ts'
import { isPostVisible, isThreadVisible } from '../../db/visible.ts'
import { UUID } from '../../lib/uuid.ts'

const columns = ['id', 'name', 'description'] as const

export interface CategoryRow {
  readonly id: string
  readonly name: string
  readonly description: string
}

export const selectCategories = (db: Db): Promise<CategoryRow[]> =>
  db.selectFrom('categories').select(columns).orderBy('position').orderBy('id').execute()

/** Posts that say which categories are busy: a day of a lively board, and few enough to count whenever the list is asked for anew. */
const RECENT_POSTS = 1_000

/** How many of the board's newest posts stand in each category, by its id; one without any is not named. */
export async function countRecentPosts(db: Db): Promise<Map<string, number>> {
  // Removed ones are left out after the limit: a flood that was removed shall not make the statement read further back.
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
  readonly at: Date
}

/** Adds a category behind the others. @throws a unique violation for a name that is taken */
export async function insertCategory(tx: Db, { id, name, description, at }: NewCategory): Promise<void> {
  await sql`
    insert into categories (id, name, description, position, "createdAt")
    select ${id}::uuid, ${name}::text, ${description}::text, coalesce(max(position), -1) + 1, ${at}::timestamptz from categories`.execute(
    tx,
  )
}

/** Keeps a category from being deleted until the transaction ends; false when it is gone already. */
export async function holdCategory(tx: Db, id: string): Promise<boolean> {
  const { rows } = await sql`select from categories where id = ${id}::uuid ${await keyShare(tx)}`.execute(tx)
  return rows.length > 0
}

/** All categories; until the transaction ends none of them goes, and no thread is opened in any. In one order, so that nobody waits in a circle. */
export async function lockCategories(tx: Db): Promise<string[]> {
  await prepareToChangeCopied(tx)
  const rows = await tx.selectFrom('categories').select('id').orderBy('id').forUpdate().execute()
  return rows.map((row) => row.id)
}

/** Deletes a category that nothing stands in, in a transaction that has locked it. */
export async function deleteCategory(tx: Db, id: string): Promise<void> {
  await tx.deleteFrom('categories').where('id', '=', id).execute()
}

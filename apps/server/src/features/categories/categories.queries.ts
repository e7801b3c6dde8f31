import type { Db } from '../../db/client.ts'
import { UUID } from '../../lib/uuid.ts'

const columns = ['id', 'name', 'description'] as const

export interface CategoryRow {
  readonly id: string
  readonly name: string
  readonly description: string
}

export const selectCategories = (db: Db): Promise<CategoryRow[]> =>
  db.selectFrom('categories').select(columns).orderBy('position').orderBy('id').execute()

/** The category of an id or a name. */
export const selectCategory = (db: Db, ref: string): Promise<CategoryRow | undefined> =>
  db
    .selectFrom('categories')
    .select(columns)
    .where(UUID.test(ref) ? 'id' : 'name', '=', ref)
    .executeTakeFirst()

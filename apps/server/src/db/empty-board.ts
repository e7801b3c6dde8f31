/** Whether a database contains a board that has been used. */
import { sql } from 'kysely'
import type { Db } from './client.ts'

/** Tables that migrations and an unused server write to. */
const WRITTEN_BY_ITSELF = new Set([
  ...['kysely_migration', 'kysely_migration_lock'],
  ...['bannedWords', 'categories', 'imageTotals', 'revisions', 'searchBuckets', 'settings', 'shields', 'tallies'],
])

/**
 * The tables with user data; none in an empty database, or where a board was set up and never used.
 */
export async function findUsedTables(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_class as c
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and not exists (select from pg_depend as d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
    order by 1`.execute(db)
  const used: string[] = []
  for (const { name } of rows) {
    if (WRITTEN_BY_ITSELF.has(name)) continue
    const found = await sql`select from ${sql.id(name)} limit 1`.execute(db)
    if (found.rows.length > 0) used.push(name)
  }
  return used
}

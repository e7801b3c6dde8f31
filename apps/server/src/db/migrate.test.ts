import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { openTestDatabase } from '../testing/board.ts'
import { migrateToLatest, migrateToNothing } from './migrate.ts'

it('migrations go down to nothing and up again', async () => {
  const database = await openTestDatabase()
  const tables = async () => {
    const { rows } = await sql<{ name: string }>`
      select table_name as name from information_schema.tables where table_schema = 'public' and table_name not like 'kysely%' order by 1`.execute(
      database.db,
    )
    return rows.map((row) => row.name)
  }
  const before = await tables()
  expect(before).toContain('posts')
  await migrateToNothing(database.db)
  expect(await tables()).toEqual([])
  await migrateToLatest(database.db)
  expect(await tables()).toEqual(before)
  await database.close()
})

it('two servers that start at once migrate once', async () => {
  const database = await openTestDatabase()
  await migrateToNothing(database.db)
  await Promise.all([migrateToLatest(database.db), migrateToLatest(database.db)])
  expect(await database.db.selectFrom('categories').select('name').execute()).toHaveLength(7)
  await database.close()
})

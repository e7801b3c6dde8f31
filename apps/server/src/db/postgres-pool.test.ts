import { sql } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'
import { openTestDatabase } from '../testing/board.ts'
import { openDatabase } from './client.ts'

it('a statement is prepared once for a connection, but not a list of many rows, whose text has many lengths', async () => {
  const test = await openTestDatabase()
  const database = openDatabase({ url: test.url, pool: 1 })
  onTestFinished(async () => {
    await database.close()
    await test.close()
  })
  const { db } = database
  const list = (rows: number) =>
    sql`select count(*) from (values ${sql.join(Array.from({ length: rows }, (_, row) => sql`(${row}::integer)`))}) as listed(row)`
  for (const rows of [2, 2, 1_000, 1_001]) await list(rows).execute(db)
  const { rows } = await sql<{ statement: string; uses: string }>`
    select statement, generic_plans + custom_plans as uses from pg_prepared_statements where statement like '%as listed(row)'`.execute(
    db,
  )
  expect(rows.map(({ uses }) => Number(uses))).toEqual([2])
})

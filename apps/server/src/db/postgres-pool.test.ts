import { sql } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'
import { openTestDatabase } from '../testing/board.ts'
import { createStatementMeter } from './activity.ts'
import { openDatabase } from './client.ts'
import { openPool } from './postgres-pool.ts'
import { createWorkers } from './workers.ts'

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

it('work that lifts the limit of statements waits for their answers, however late, until the limit is back', async () => {
  const test = await openTestDatabase()
  const { pool } = openPool(test.url, {
    ...{ size: 1, meter: createStatementMeter(), workers: createWorkers() },
    // Longer than a busy machine takes to answer the statement that sets the limit again.
    queryTimeoutMs: 2_000,
  })
  onTestFinished(async () => {
    await pool.end()
    await test.close()
  })
  const client = await pool.connect()
  const wait = async () => (await client.query<{ is: number }>('select 1 as is from pg_sleep(2.5)', [])).rows
  await client.query('set statement_timeout = 0', [])
  expect(await wait()).toEqual([{ is: 1 }])
  await client.query('reset statement_timeout', [])
  await expect(wait()).rejects.toThrow('Query read timeout')
  client.release()
})

/**
 * Checks every statement of the board on another version of PostgreSQL than the one of the other
 * tests.
 */
import pg from 'pg'
import { expect, it } from 'vitest'
import { openTestDatabase } from '../testing/board.ts'
import { readStatements } from '../testing/statements.ts'

/** Other statements (begin, set, lock …) cannot be prepared, and are no queries. */
const CAN_BE_PREPARED = /^\s*(select|insert|update|delete|with|merge|values)\b/i
/** Tests query system tables, which differ between versions; those of Citus are not there. */
const OF_THE_SYSTEM = /\bpg_(stat|locks|catalog|proc|class|index|dist)|\bcitus_/

/** PostgreSQL's code for an unknown table, such as one that a test creates. */
const UNDEFINED_TABLE = '42P01'

// scripts/test.mjs runs this after the other tests, on the system's PostgreSQL.
const statements = process.env['TEST_DATABASE_URL'] === undefined ? null : readStatements()

it.runIf(statements !== null)('accepts every statement that the tests have sent', async () => {
  const texts = [...new Set(statements!.map(({ text }) => text))]
  const queries = texts.filter((text) => CAN_BE_PREPARED.test(text) && !OF_THE_SYSTEM.test(text))
  expect(queries.length).toBeGreaterThan(400)
  const database = await openTestDatabase()
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  const refused: string[] = []
  for (const text of queries) {
    try {
      await client.query(`prepare one as ${text}`)
      await client.query('deallocate one')
    } catch (error) {
      const { code, message } = error as Error & { code?: string }
      if (code !== UNDEFINED_TABLE) refused.push(`${message}: ${text}`)
    }
  }
  await client.end()
  await database.close()
  expect(refused).toEqual([])
})

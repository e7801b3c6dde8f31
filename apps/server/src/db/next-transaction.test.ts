import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../testing/board.ts'
import { isConnectionLost } from '../lib/api-error.ts'
import type { Db } from './client.ts'
import { createTransactionsInTurn, type TransactionsInTurn } from './next-transaction.ts'

let database: TestDatabase
let transactions: TransactionsInTurn
beforeEach(async () => {
  database = await openTestDatabase()
  transactions = createTransactionsInTurn(database.db)
})
afterEach(() => database.close())

const isExpected = () => true
const isNotExpected = () => false

const note = (key: string) => (tx: Db) => tx.insertInto('settings').values({ key, value: '{}' }).execute()
const noted = async () => {
  const { rows } = await sql<{ key: string }>`select key from settings where key like 'note.%' order by key`.execute(
    database.db,
  )
  return rows.map(({ key }) => key)
}
/** The connections whose transaction is open and waits for its next statement, by their process. */
const readWaiting = async () => {
  const { rows } = await sql<{ pid: number }>`
    select pid from pg_stat_activity
    where datname = current_database() and state = 'idle in transaction'`.execute(database.db)
  return rows.map(({ pid }) => pid)
}
const countOpen = async () => (await readWaiting()).length
const readConnection = async (tx: Db) =>
  (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)).rows[0]!.pid

test('the next transaction is begun before its work comes, and only one', async () => {
  await transactions.run(note('note.one'), isExpected)
  await expect.poll(countOpen).toBe(1)
  const [waiting] = await readWaiting()
  const [ahead, other] = await Promise.all([
    transactions.run(readConnection, isExpected),
    transactions.run(readConnection, isExpected),
  ])
  expect(ahead).toBe(waiting)
  expect(other).not.toBe(waiting)
  await expect.poll(countOpen).toBe(1)
  transactions.release()
  await expect.poll(countOpen).toBe(0)
  expect(await noted()).toEqual(['note.one'])
})

test('none is begun when no work waits', async () => {
  await transactions.run(note('note.one'), isNotExpected)
  expect(await countOpen()).toBe(0)
})

test('a failure undoes its own work, and ends the transaction that was begun ahead', async () => {
  await transactions.run(note('note.one'), isExpected)
  const failing = transactions.run(async (tx) => {
    await note('note.two')(tx)
    await transactions.run(note('note.between'), isExpected)
    throw new Error('the paper is wet')
  }, isNotExpected)
  await expect(failing).rejects.toThrow('the paper is wet')
  await expect.poll(countOpen).toBe(0)
  await transactions.run(note('note.three'), isNotExpected)
  expect(await noted()).toEqual(['note.between', 'note.one', 'note.three'])
})

test('the loss of the connection of the transaction that was begun ahead fails its work only', async () => {
  await transactions.run(note('note.one'), isExpected)
  await expect.poll(countOpen).toBe(1)
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and state = 'idle in transaction'`.execute(database.db)
  await expect.poll(countOpen).toBe(0)
  await expect(transactions.run(note('note.two'), isNotExpected)).rejects.toSatisfy(isConnectionLost)
  await transactions.run(note('note.three'), isNotExpected)
  expect(await noted()).toEqual(['note.one', 'note.three'])
})

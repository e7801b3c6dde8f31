import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../testing/board.ts'
import { afterCommit, beforeCommit, inTransaction } from './transaction.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.close())

const write = (key: string) => ({ key, value: '{}' })
const keys = async () => (await database.db.selectFrom('settings').select('key').execute()).map((row) => row.key)

test('effects run after the commit, in order', async () => {
  const seen: unknown[] = []
  await inTransaction(database.db, async (tx) => {
    await tx.insertInto('settings').values(write('one')).execute()
    afterCommit(tx, () => void seen.push('first'))
    afterCommit(tx, () => void seen.push('second'))
    expect(seen).toEqual([])
  })
  expect(seen).toEqual(['first', 'second'])
  expect(await keys()).toContain('one')
})

test('what many change is written last, and a failure of it undoes everything', async () => {
  const seen: string[] = []
  const failing = inTransaction(database.db, async (tx) => {
    beforeCommit(tx, async () => void seen.push('shared'))
    beforeCommit(tx, async () => {
      throw new Error('nobody is there')
    })
    await tx.insertInto('settings').values(write('zero')).execute()
    afterCommit(tx, () => void seen.push('told'))
    seen.push('own')
  })
  await expect(failing).rejects.toThrow('nobody is there')
  expect(seen).toEqual(['own', 'shared'])
  expect(await keys()).not.toContain('zero')
})

test('a rolled-back transaction has no effects', async () => {
  const seen: unknown[] = []
  const failing = inTransaction(database.db, async (tx) => {
    await tx.insertInto('settings').values(write('two')).execute()
    afterCommit(tx, () => void seen.push('told'))
    throw new Error('changed my mind')
  })
  await expect(failing).rejects.toThrow('changed my mind')
  expect([seen, await keys()]).toEqual([[], ['one']])
})

test('a failing effect undoes neither the commit nor the other effects, and is reported as an unhandled rejection', async () => {
  const told = Promise.withResolvers<unknown>()
  // The test runner listens for these as well, and would fail the run.
  const others = process.listeners('unhandledRejection')
  process.removeAllListeners('unhandledRejection').once('unhandledRejection', told.resolve)
  const seen: unknown[] = []
  const result = await inTransaction(database.db, async (tx) => {
    await tx.insertInto('settings').values(write('three')).execute()
    afterCommit(tx, () => {
      throw new Error('the loudspeaker broke')
    })
    afterCommit(tx, () => void seen.push('told'))
    return 'done'
  })
  expect(await told.promise).toMatchObject({ message: 'the loudspeaker broke' })
  for (const listener of others) process.on('unhandledRejection', listener)
  expect([result, seen]).toEqual(['done', ['told']])
  expect(await keys()).toContain('three')
})

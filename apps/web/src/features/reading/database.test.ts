import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import type * as Database from './database.ts'
import { newRecord, type ThreadRecord } from './record.ts'

const browser = vi.hoisted(() => ({ rows: new Map<string, { threadId: string }>(), isLost: false }))

/** The part of IndexedDB that a change of a record uses; a lost connection begins nothing. */
vi.mock('../../lib/open-database.ts', () => ({
  answerOf: async ({ result }: { result: unknown }) => result,
  createDatabase: () => ({
    async begin() {
      if (browser.isLost) return null
      let open = 0
      const transaction = { oncomplete: () => {}, onabort: () => {}, objectStore: () => store }
      const answer = (result: unknown) => {
        const request = { result, onsuccess: () => {} }
        open += 1
        queueMicrotask(() => {
          request.onsuccess()
          open -= 1
          if (open === 0) transaction.oncomplete()
        })
        return request
      }
      const store = {
        get: (id: string) => answer(browser.rows.get(id)),
        getAll: () => answer([...browser.rows.values()]),
        count: () => answer(browser.rows.size),
        put: (row: { threadId: string }) => void browser.rows.set(row.threadId, row),
        delete: (id: string) => void browser.rows.delete(id),
      }
      return transaction
    },
  }),
}))

let database: typeof Database

beforeEach(async () => {
  browser.rows.clear()
  browser.isLost = false
  // The state is kept in the module.
  vi.resetModules()
  database = await import('./database.ts')
})

// Other files of this worker would get the modules that have this browser.
afterAll(() => void vi.resetModules())

const record = (change: Partial<ThreadRecord>): ThreadRecord => ({ ...newRecord('a'), ...change })
const readTo = (readThrough: number, at: number) => (before: ThreadRecord | undefined) => ({
  ...(before ?? newRecord('a')),
  ...{ readThrough, updatedAt: at },
})

test('a write that failed takes away nothing of the record that was stored', async () => {
  browser.rows.set('a', record({ favouriteAt: 1, ownPosts: [3], readThrough: 3, updatedAt: 1 }))
  browser.isLost = true
  await database.updateRecord('a', readTo(5, 2))
  browser.isLost = false
  expect(await database.readRecord('a')).toMatchObject({ favouriteAt: 1, ownPosts: [3], readThrough: 5 })
  expect(await database.readRecords()).toMatchObject([{ favouriteAt: 1, readThrough: 5 }])
  await database.updateRecord('a', readTo(7, 3))
  expect(browser.rows.get('a')).toMatchObject({ favouriteAt: 1, ownPosts: [3], readThrough: 7 })
})
test('what another tab has written since stays, and a record that could not be removed stays away', async () => {
  browser.isLost = true
  await database.updateRecord('a', readTo(5, 2))
  browser.isLost = false
  browser.rows.set('a', record({ favouriteAt: 4, readThrough: 9, updatedAt: 4 }))
  expect(await database.readRecord('a')).toMatchObject({ favouriteAt: 4, readThrough: 9 })
  browser.isLost = true
  await database.updateRecord('a', () => null)
  browser.isLost = false
  expect(await database.readRecord('a')).toBeUndefined()
  expect(await database.readRecords()).toEqual([])
})

import { beforeEach, expect, test, vi } from 'vitest'
import type { UnsentPost } from './delivery.ts'
import type * as UnsentStore from './unsent-store.ts'

const database = vi.hoisted(() => ({ rows: new Map<string, { id: string }>(), isFull: false, isAway: false }))
let unsent: typeof UnsentStore

/** The part of IndexedDB that the store uses: a transaction whose writes a full disk aborts. */
vi.mock('../../../lib/open-database.ts', () => ({
  answerOf: async ({ result }: { result: unknown }) => result,
  createDatabase: () => ({
    async begin() {
      if (database.isAway) return null
      const writes: (() => void)[] = []
      const transaction = { oncomplete: () => {}, onabort: () => {}, objectStore: () => store }
      const store = {
        transaction,
        getAll: () => ({ result: [...database.rows.values()] }),
        get(id: string) {
          const request = { result: database.rows.get(id), onsuccess: () => {} }
          queueMicrotask(() => {
            request.onsuccess()
            if (database.isFull && writes.length > 0) return transaction.onabort()
            for (const write of writes) write()
            return transaction.oncomplete()
          })
          return request
        },
        put: (row: { id: string }) => writes.push(() => database.rows.set(row.id, row)),
        delete: (id: string) => writes.push(() => database.rows.delete(id)),
      }
      return transaction
    },
  }),
}))

const post = (id: string): UnsentPost => ({
  ...{ id, threadId: 'a', threadTitle: '月', owner: null, content: id, name: '忍', hasKey: false, sage: false },
  ...{ asStaff: false, image: null, wantedAt: 0, notBefore: 0, refusal: null, isTold: false, answer: null },
})
const ids = async () => (await unsent.readUnsent()).map(({ id }) => id)

beforeEach(async () => {
  database.rows.clear()
  database.isFull = false
  database.isAway = false
  // The state is kept in the module.
  vi.resetModules()
  unsent = await import('./unsent-store.ts')
})

test('nothing is known before the database has answered', async () => {
  database.isAway = true
  await expect(unsent.readUnsent()).resolves.toEqual([])
  expect(unsent.isUnsentKnown()).toBe(false)
  database.isAway = false
  await unsent.readUnsent()
  expect(unsent.isUnsentKnown()).toBe(true)
})

test('a post that was sent is gone', async () => {
  database.rows.set('1', post('1')).set('2', post('2'))
  expect(await unsent.changeUnsent('1', () => null)).toEqual(post('1'))
  expect(await ids()).toEqual(['2'])
  expect(await unsent.changeUnsent('1', () => null)).toBeUndefined()
})
test('on a full disk a post that was sent is gone for this page, and a refusal lasts as long', async () => {
  database.rows.set('3', post('3')).set('4', post('4'))
  database.isFull = true
  expect(await unsent.changeUnsent('3', () => null)).toEqual(post('3'))
  expect(await unsent.changeUnsent('3', () => null)).toBeUndefined()
  await unsent.changeUnsent('4', (before) => ({ ...before, refusal: '使えません。' }))
  expect(await unsent.readUnsent()).toEqual([{ ...post('4'), refusal: '使えません。' }])
  expect([...database.rows.keys()]).toEqual(['3', '4'])
})
test('a database that does not answer for a moment hides no post, and a post that was sent then is gone', async () => {
  database.rows.set('5', post('5')).set('6', post('6'))
  expect(await ids()).toEqual(['5', '6'])
  database.isAway = true
  expect(await ids()).toEqual(['5', '6'])
  expect(await unsent.changeUnsent('5', () => null)).toEqual(post('5'))
  expect(await ids()).toEqual(['6'])
})

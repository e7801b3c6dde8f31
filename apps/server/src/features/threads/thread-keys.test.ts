/** Keys of threads, by which browsers of 2ch know them. */
import { expect } from 'vitest'
import type { Thread } from '@shinobi/contract/threads'
import { inTransaction } from '../../db/transaction.ts'
import { timeOfUuid, uuidv7 } from '../../lib/uuid.ts'
import { startThread, visit } from '../../testing/board.ts'
import { boardTest } from '../../testing/fixtures.ts'
import { giveThreadKeys, selectThreadKeys, selectThreadOfKey } from './thread-keys.queries.ts'

const it = boardTest.extend('helpers', ({ board }) => ({
  keyOf: async ({ _id, categoryId }: Thread) =>
    (await selectThreadKeys(board.database.db, [_id], categoryId)).get(_id) ?? null,
  secondOf: ({ _id }: Thread): number => Math.floor(timeOfUuid(_id) / 1_000),
  categoryId: async (name: string): Promise<string> => {
    const { db } = board.database
    return (await db.selectFrom('categories').select('id').where('name', '=', name).executeTakeFirstOrThrow()).id
  },
}))

it('the key is the second of the opening', async ({ guest, board, helpers }) => {
  const thread = await startThread(guest)
  expect(await helpers.keyOf(thread)).toBe(helpers.secondOf(thread))
  expect(await selectThreadOfKey(board.database.db, thread.categoryId, helpers.secondOf(thread))).toBe(thread._id)
})

it('threads of one second have different keys, also when they are opened at once', async ({ board, helpers }) => {
  board.clock.now += 3_600_000
  const openers = Array.from({ length: 8 }, (_, index) => visit(board, `198.51.100.${index}`))
  const threads = await Promise.all(openers.map((opener) => startThread(opener)))
  const keys = await Promise.all(threads.map((thread) => helpers.keyOf(thread)))
  const second = Math.floor(board.clock.now / 1_000)
  expect(new Set(keys)).toEqual(new Set(Array.from({ length: 8 }, (_, index) => second + index)))
})

it('a key is found behind a thousand that are taken', async ({ board, helpers }) => {
  const { db } = board.database
  const categoryId = await helpers.categoryId('economy')
  const id = uuidv7(board.clock.now + 86_400_000)
  const second = Math.floor(timeOfUuid(id) / 1_000)
  await db
    .insertInto('threadKeys')
    .values(Array.from({ length: 1_200 }, (_, index) => ({ categoryId, key: second + index, threadId: uuidv7(index) })))
    .execute()
  await inTransaction(db, (tx) => giveThreadKeys(tx, [id], categoryId))
  expect((await selectThreadKeys(db, [id], categoryId)).get(id)).toBe(second + 1_200)
})

it('a moved thread has a key in both categories, and its old one when it comes back', async ({
  board,
  guest,
  admin,
  helpers,
}) => {
  board.clock.now += 60_000
  const { db } = board.database
  const thread = await startThread(guest)
  const target = await helpers.categoryId('politics')
  // The second is taken there.
  const key = helpers.secondOf(thread)
  await db
    .insertInto('threadKeys')
    .values({ categoryId: target, key, threadId: uuidv7(1) })
    .execute()
  const move = (categoryId: string) => admin.put(`/api/admin/threads/${thread._id}`, { categoryId })
  expect((await move(target)).status).toBe(200)
  expect(await selectThreadOfKey(db, target, key + 1)).toBe(thread._id)
  expect(await selectThreadOfKey(db, thread.categoryId, key)).toBe(thread._id)
  await move(thread.categoryId)
  expect(await helpers.keyOf(thread)).toBe(key)
})

/** Node has no IndexedDB, so these tests run as in a browser that forbids it. */
import { afterEach, expect, test } from 'vitest'
import { rememberOwnPost, rememberOwnThread } from './own-posts.ts'
import { newRecord } from './record.ts'
import { readRecord, readRecords, updateRecord } from './store.ts'
import { unreadOf } from './unread.ts'

afterEach(async () => {
  for (const { threadId } of await readRecords()) await updateRecord(threadId, () => null)
})

const visited = (through: number) =>
  updateRecord('a', () => ({ ...newRecord('a'), readThrough: through, postCount: through, visitedAt: 1 }))

/** As the tabs of a browser do, in the order in which the server answered them. */
async function write(...numbers: readonly number[]): Promise<void> {
  for (const number of numbers) rememberOwnPost({ threadId: 'a', number })
  await expect.poll(async () => (await readRecord('a'))?.ownPosts).toHaveLength(numbers.length)
}

test('an own post after all that was read is read too, in whatever order tabs send them', async () => {
  await visited(5)
  await write(7, 6)
  const record = await readRecord('a')
  expect(record).toMatchObject({ readThrough: 7, postCount: 7, ownPosts: [6, 7] })
  expect(unreadOf(record, 7)).toBe(0)
})

test('an own post marks no post of others before it as read', async () => {
  await visited(5)
  await write(6, 8)
  expect(await readRecord('a')).toMatchObject({ readThrough: 6, postCount: 6 })
  expect(unreadOf(await readRecord('a'), 8)).toBe(2)
})

test('a thread that is known as an own one late keeps the posts that its writer has added since', async () => {
  await visited(5)
  await updateRecord('a', (before) => ({ ...before!, categoryId: 'c' }))
  await write(4)
  rememberOwnThread({ _id: 'a', title: '遅れて立った話', categoryId: null })
  await expect.poll(async () => (await readRecord('a'))?.isOwn).toBe(true)
  expect(await readRecord('a')).toMatchObject({
    title: '遅れて立った話',
    categoryId: 'c',
    readThrough: 5,
    ownPosts: [1, 4],
  })
})

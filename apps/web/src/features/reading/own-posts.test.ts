/** Node has no IndexedDB, so these tests run as in a browser that forbids it. */
import { afterEach, expect, test, vi } from 'vitest'
import { rememberOwnPost } from './own-posts.ts'
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
  await vi.waitFor(async () => expect((await readRecord('a'))?.ownPosts).toHaveLength(numbers.length))
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

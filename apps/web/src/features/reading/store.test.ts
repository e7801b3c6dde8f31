/** Node has no IndexedDB, so these tests run as in a browser that forbids it. */
import { afterEach, expect, onTestFinished, test } from 'vitest'
import { newRecord } from './record.ts'
import { readRecord, readRecords, subscribeRecords, updateRecord } from './store.ts'

afterEach(async () => {
  for (const { threadId } of await readRecords()) await updateRecord(threadId, () => null)
})

test('records last as long as the page where no database is available', async () => {
  expect(await readRecord('a')).toBeUndefined()
  await updateRecord('a', () => ({ ...newRecord('a'), readThrough: 5 }))
  await updateRecord('a', (before) => ({ ...(before ?? newRecord('a')), readThrough: 3, title: '忍具' }))
  expect(await readRecord('a')).toEqual({ ...newRecord('a'), readThrough: 5, title: '忍具' })
  await updateRecord('b', () => newRecord('b'))
  expect((await readRecords()).map(({ threadId }) => threadId)).toEqual(['a', 'b'])
  await updateRecord('a', () => null)
  expect((await readRecords()).map(({ threadId }) => threadId)).toEqual(['b'])
})

test('listeners here and in other tabs hear of a change, and of nothing else', async () => {
  const heard: (readonly string[])[] = []
  onTestFinished(subscribeRecords((threadIds) => heard.push(threadIds)))
  const other = new BroadcastChannel('records')
  onTestFinished(() => other.close())
  const told: unknown[] = []
  other.onmessage = ({ data }) => told.push(data)
  await updateRecord('a', () => newRecord('a'))
  await updateRecord('a', (before) => before)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- for windows; a channel has no target
  other.postMessage(['c'])
  await expect.poll(() => heard).toEqual([['a'], ['c']])
  await expect.poll(() => told).toEqual([['a']])
})

test('a change that throws rejects and changes nothing', async () => {
  await updateRecord('a', () => newRecord('a'))
  const failing = updateRecord('a', () => {
    throw new Error('a bug')
  })
  await expect(failing).rejects.toThrow('a bug')
  expect(await readRecord('a')).toEqual(newRecord('a'))
})

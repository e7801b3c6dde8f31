import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { replaceLikes, withLikes } from './replace-likes.ts'

const list = () => ({
  pages: [{ items: [{ _id: 'a', likes: 1, title: '月' }], next: null }, { items: [{ _id: 'b', likes: 2 }] }],
  pageParams: [null, 'x'],
})

test('a count changes wherever it occurs, and unaffected objects keep their identity', () => {
  const before = list()
  const after = withLikes(before, (id, likes) => (id === 'b' ? 3 : likes))
  expect(after).toEqual({ ...list(), pages: [list().pages[0], { items: [{ _id: 'b', likes: 3 }] }] })
  expect(after.pages[0]).toBe(before.pages[0])
  expect(after.pageParams).toBe(before.pageParams)
})

test('unknown ids, equal counts and names of built-in properties change nothing', () => {
  const client = new QueryClient()
  const before = [...list().pages, { _id: 'constructor', likes: 1 }, null, 'a', { _id: 5, likes: 0 }]
  client.setQueryData(['list'], before)
  const kept = client.getQueryData(['list'])
  replaceLikes(client, { c: 9, a: 1 })
  expect(client.getQueryData(['list'])).toBe(kept)
})

test('stale data stays stale', () => {
  const client = new QueryClient()
  client.setQueryData(['list'], list(), { updatedAt: 1 })
  client.setQueryData(['other'], ['x'], { updatedAt: 1 })
  const other = client.getQueryData(['other'])
  replaceLikes(client, { a: 7 })
  expect(client.getQueryData<ReturnType<typeof list>>(['list'])?.pages[0]?.items[0]?.likes).toBe(7)
  expect(client.getQueryState(['list'])?.dataUpdatedAt).toBe(1)
  expect(client.getQueryData(['other'])).toBe(other)
})

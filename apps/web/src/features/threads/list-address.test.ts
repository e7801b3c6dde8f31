import { expect, test } from 'vitest'
import { cursorOf, listQuery, readListView } from './list-address.ts'

test('equal views have equal addresses: defaults, order and spaces leave no trace', () => {
  const plain = readListView(new URLSearchParams('sort=newest&search=%20%E8%8D%89%20'))
  expect(listQuery(plain)).toBe('?search=%E8%8D%89')
  expect(listQuery(readListView(new URLSearchParams('?sort=worst&search=&cursor=')))).toBe('')
})

test('a view survives its address', () => {
  const view = { search: 'AI & 忍者', sort: 'liked', cursor: 'a+b/=' } as const
  expect(readListView(new URLSearchParams(listQuery(view)))).toEqual(view)
})

test("the cursor comes out of the API's Link", () => {
  expect(cursorOf('/api/threads?sort=liked&cursor=a%2Bb')).toBe('a+b')
  expect(cursorOf(null)).toBeNull()
})

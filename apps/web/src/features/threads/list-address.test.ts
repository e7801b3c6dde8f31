import { expect, test } from 'vitest'
import { cursorOf, listQuery, readListView } from './list-address.ts'

test('equal views have equal addresses: defaults, order and spaces make no difference', () => {
  const plain = readListView(new URLSearchParams('sort=newest&search=%20%E8%8D%89%20'))
  expect(listQuery(plain)).toBe('?search=%E8%8D%89')
  expect(listQuery(readListView(new URLSearchParams('?sort=worst&search=&cursor=')))).toBe('')
})

test('a view survives the conversion to an address and back', () => {
  const view = { search: 'AI & 忍者', sort: 'liked', cursor: 'a+b/=' } as const
  expect(readListView(new URLSearchParams(listQuery(view)))).toEqual(view)
})

test('a search keeps its filter, and drops what it does not know; without words nothing is filtered', () => {
  const address = '?search=%E8%8D%89&sort=liked&within=week&name=%E5%BD%B1&image=1'
  const view = readListView(new URLSearchParams(address))
  expect(view.filter).toEqual({ within: 'week', name: '影', image: true })
  expect(listQuery(view)).toBe(address)
  expect(listQuery(readListView(new URLSearchParams('?search=a&within=hour&name=+&image=yes&color=red')))).toBe(
    '?search=a',
  )
  expect(listQuery(readListView(new URLSearchParams('?within=week&image=1')))).toBe('')
  expect(listQuery({ ...view, search: '' })).toBe('?sort=liked')
})

test("the cursor is read from the API's Link header", () => {
  expect(cursorOf('/api/threads?sort=liked&cursor=a%2Bb')).toBe('a+b')
  expect(cursorOf(null)).toBeNull()
})

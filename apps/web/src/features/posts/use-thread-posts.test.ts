import { expect, test } from 'vitest'
import { pagesBetween } from './use-thread-posts.ts'

test('the pages of a thread are aligned, begin with the one of the next post, and end with the newest', () => {
  expect(pagesBetween(0, 1)).toEqual([{ after: 0, limit: 100 }])
  expect(pagesBetween(99, 201)).toEqual([
    { after: 0, limit: 100 },
    { after: 100, limit: 100 },
    { after: 200, limit: 100 },
  ])
  expect(pagesBetween(100, 200)).toEqual([{ after: 100, limit: 100 }])
  expect(pagesBetween(200, 200)).toEqual([])
})

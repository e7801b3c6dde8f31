import { expect, test } from 'vitest'
import { spansOf } from './popover-posts.tsx'

test('adjacent numbers are fetched in one request', () => {
  expect(spansOf([5, 3, 4, 9])).toEqual([
    { after: 2, limit: 3 },
    { after: 8, limit: 1 },
  ])
  expect(spansOf([])).toEqual([])
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mergeRecords } from './merge.ts'
import { anyRecord } from './record-fixtures.ts'
import { newRecord, type ThreadRecord } from './record.ts'

const record = (fields: Partial<ThreadRecord> = {}): ThreadRecord => ({ ...newRecord('a'), ...fields })

test('merging loses nothing, in any order and however often', () => {
  fc.assert(
    fc.property(anyRecord, anyRecord, (a, b) => {
      const merged = mergeRecords(a, b)
      expect(mergeRecords(b, a)).toEqual(merged)
      expect(mergeRecords(merged, b)).toEqual(merged)
      expect(merged.readThrough).toBe(Math.max(a.readThrough, b.readThrough))
      const removed = Math.max(a.ownPostsRemovedThrough ?? 0, b.ownPostsRemovedThrough ?? 0)
      const written = [...a.ownPosts, ...b.ownPosts].filter((number) => number > removed)
      expect(new Set(merged.ownPosts)).toEqual(new Set(written))
    }),
  )
})

test('a favourite stays removed if that was decided later, and comes back if it was chosen again', () => {
  const chosen = record({ favouriteAt: 5 })
  const removed = record({ favouriteAt: null, favouriteRemovedAt: 7 })
  expect(mergeRecords(removed, chosen).favouriteAt).toBeNull()
  expect(mergeRecords(removed, record({ favouriteAt: 9 })).favouriteAt).toBe(9)
  expect(mergeRecords(record(), chosen).favouriteAt).toBe(5)
})

test('what was removed from the other lists stays removed', () => {
  const all = record({ visitedAt: 5, isOwn: true, ownPosts: [1, 4], updatedAt: 5 })
  const removed = record({ visitRemovedAt: 7, isOwnRemoved: true, ownPostsRemovedThrough: 4, updatedAt: 7 })
  expect(mergeRecords(removed, all)).toMatchObject({ visitedAt: null, isOwn: false, ownPosts: [] })
  expect(mergeRecords(removed, record({ visitedAt: 9, ownPosts: [6] }))).toMatchObject({ visitedAt: 9, ownPosts: [6] })
})

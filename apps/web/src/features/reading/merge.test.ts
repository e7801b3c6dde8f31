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
      expect(merged.ownPosts).toEqual(expect.arrayContaining([...a.ownPosts, ...b.ownPosts]))
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

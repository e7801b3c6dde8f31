import { expect, test } from 'vitest'
import { changeRecord, newRecord, surplusRecords, type ThreadRecord } from './record.ts'

const record = (change: Partial<ThreadRecord>): ThreadRecord => ({ ...newRecord('a'), ...change })

test('the read position and the number of posts only rise', () => {
  const before = record({ readThrough: 480, postCount: 960 })
  const next = changeRecord(before, () => record({ readThrough: 12, postCount: 970, title: '忍具' }))
  expect(next).toEqual(record({ readThrough: 480, postCount: 970, title: '忍具' }))
})

test('a change may leave a record as it is, or remove it', () => {
  const before = record({ readThrough: 3 })
  expect(changeRecord(before, () => before)).toBe(before)
  expect(changeRecord(before, () => null)).toBeNull()
  expect(changeRecord(undefined, () => undefined)).toBeUndefined()
})

test('beyond the limit the oldest go first, and those the visitor chose or wrote in go last', () => {
  const records = [
    record({ threadId: 'favourite', favouriteAt: 1, updatedAt: 1 }),
    record({ threadId: 'opened', isOwn: true, updatedAt: 2 }),
    record({ threadId: 'answered', ownPosts: [7], updatedAt: 3 }),
    record({ threadId: 'older', updatedAt: 4 }),
    record({ threadId: 'newer', updatedAt: 5 }),
    record({ threadId: 'current', updatedAt: 0 }),
  ]
  const surplus = (max: number) => surplusRecords(records, 'current', max)
  expect(surplus(6)).toEqual([])
  expect(surplus(5)).toEqual(['older'])
  expect(surplus(3)).toEqual(['older', 'newer', 'answered'])
  expect(surplus(1)).toEqual(['older', 'newer', 'answered', 'favourite', 'opened'])
})

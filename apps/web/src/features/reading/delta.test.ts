import { newEntry } from '@shinobi/contract/notebook-entry'
import { expect, test } from 'vitest'
import { deltaOf } from './delta.ts'
import { newRecord, type ThreadRecord } from './record.ts'

const NOW = 100
const record = (fields: Partial<ThreadRecord> = {}): ThreadRecord => ({ ...newRecord('a'), ...fields })
const entry = (fields: object) => ({ ...newEntry('a'), updatedAt: NOW, ...fields })

test('only what was changed is told', () => {
  const before = record({ readThrough: 480, favouriteAt: 5, isOwn: true, ownPosts: [1, 7], visitedAt: 5, updatedAt: 5 })
  const delta = (fields: Partial<ThreadRecord>) => deltaOf('a', before, { ...before, ...fields }, NOW)
  expect(delta({ readThrough: 490, updatedAt: 9 })).toEqual(entry({ readThrough: 490 }))
  expect(delta({ ownPosts: [1, 7, 9] })).toEqual(entry({ ownPosts: [9] }))
  expect(delta({ favouriteAt: null, favouriteRemovedAt: 9 })).toEqual(entry({ favouriteRemovedAt: 9 }))
  expect(delta({ visitedAt: null, visitRemovedAt: 9 })).toEqual(entry({ visitRemovedAt: 9 }))
  expect(delta({ isOwn: false, isOwnRemoved: true })).toEqual(entry({ isOwnRemoved: true }))
  expect(delta({ ownPosts: [], ownPostsRemovedThrough: 7 })).toEqual(entry({ ownPostsRemovedThrough: 7 }))
  expect(delta({ title: '月見', postCount: 960, lastPostAt: 9, updatedAt: 9 })).toBeNull()
  expect(delta({ isGone: true })).toBeNull()
})

test('a first visit and the end of a record are told', () => {
  expect(deltaOf('a', undefined, record({ visitedAt: 9 }), NOW)).toEqual(entry({ visitedAt: 9 }))
  expect(deltaOf('a', record({ updatedAt: 300 }), null, NOW)).toEqual(entry({ updatedAt: 300, forgottenAt: 300 }))
})

import { NOTEBOOK_FILE_BYTES } from '@shinobi/contract/limits'
import { messages } from '@shinobi/contract/messages'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { newRecord } from '../reading/record.ts'
import type { ThreadRecord } from '../reading/store.ts'
import { mergeRecords, readNotebook, writeNotebook } from './file.ts'

const NOW = Date.parse('2026-11-23T12:00:00Z')
const ID = '01900000-0000-7000-8000-000000000001'
const record = (fields: Partial<ThreadRecord> = {}): ThreadRecord => ({ ...newRecord(ID), title: '月見', ...fields })

const number = fc.integer({ min: 0, max: 1_000 })
const orNull = fc.option(number)
const records = fc
  .record({
    title: fc.string(),
    readThrough: number,
    postCount: number,
    visitedAt: orNull,
    favouriteAt: orNull,
    isOwn: fc.boolean(),
    ownPosts: fc.uniqueArray(number).map((numbers) => numbers.toSorted((a, b) => a - b)),
    updatedAt: number,
    removedAt: orNull,
    lastPostAt: orNull,
  })
  .map(({ removedAt, lastPostAt, ...fields }) => {
    const isFavourite = fields.favouriteAt !== null && fields.favouriteAt >= (removedAt ?? 0)
    return record({
      ...fields,
      favouriteAt: isFavourite ? fields.favouriteAt : null,
      ...(removedAt !== null && { favouriteRemovedAt: removedAt }),
      ...(lastPostAt !== null && { lastPostAt }),
    })
  })

test('a file gives back what was written', () => {
  fc.assert(
    fc.property(fc.array(records), (written) => {
      expect(readNotebook(writeNotebook(written, NOW), NOW)).toEqual(written)
    }),
  )
})

test('merging loses nothing, in any order and however often', () => {
  fc.assert(
    fc.property(records, records, (a, b) => {
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

test('times of a clock that is ahead become now', () => {
  const ahead = record({ favouriteAt: NOW + 1e9, updatedAt: NOW + 1e9 })
  expect(readNotebook(writeNotebook([ahead], NOW), NOW)).toEqual([record({ favouriteAt: NOW, updatedAt: NOW })])
})

test('a file that is something else is refused as a whole, with the reason', () => {
  const file = (change: object) =>
    JSON.stringify({ ...(JSON.parse(writeNotebook([record()], NOW)) as object), ...change })
  const spoilt = (fields: object) => file({ threads: [record(), { ...record(), ...fields }] })
  const refused: readonly string[] = [
    ...['', '草', '[]', 'null', '{}', file({ kind: 'something else' }), file({ version: 0 }), file({ threads: {} })],
    ...[spoilt({ threadId: '../admin' }), spoilt({ readThrough: -1 }), spoilt({ postCount: 1e12 })],
    ...[
      spoilt({ title: 7 }),
      spoilt({ ownPosts: ['1'] }),
      spoilt({ categoryId: '<b>' }),
      spoilt({ visitedAt: '今日' }),
    ],
  ]
  for (const text of refused) expect(() => readNotebook(text, NOW)).toThrow(messages.notebook_file_bad)
  expect(() => readNotebook(file({ version: 2 }), NOW)).toThrow(messages.notebook_file_newer)
  expect(() => readNotebook(' '.repeat(NOTEBOOK_FILE_BYTES + 1), NOW)).toThrow(messages.notebook_file_too_large)
})

import { NOTEBOOK_FILE_BYTES } from '@shinobi/contract/limits'
import { messages } from '@shinobi/contract/messages'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { newRecord } from '../reading/record.ts'
import { anyRecord } from '../reading/record-fixtures.ts'
import type { ThreadRecord } from '../reading/store.ts'
import { readNotebook, writeNotebook } from './file.ts'

const NOW = Date.parse('2026-11-23T12:00:00Z')
const ID = '01900000-0000-7000-8000-000000000001'
const record = (fields: Partial<ThreadRecord> = {}): ThreadRecord => ({ ...newRecord(ID), title: '月見', ...fields })

test('a file gives back what was written', () => {
  fc.assert(
    fc.property(fc.array(anyRecord), (written) => {
      expect(readNotebook(writeNotebook(written, NOW), NOW)).toEqual(written)
    }),
  )
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

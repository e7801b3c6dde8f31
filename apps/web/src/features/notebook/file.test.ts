import { NOTEBOOK_FILE_BYTES } from '@shinobi/contract/limits'
import { messages } from '@shinobi/contract/messages'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { HidingRule } from '../hiding/rules.ts'
import { newRecord } from '../reading/record.ts'
import { anyRecord } from '../reading/record-fixtures.ts'
import type { ThreadRecord } from '../reading/store.ts'
import { readNotebook, writeNotebook, type NotebookFile } from './file.ts'

const NOW = Date.parse('2026-11-23T12:00:00Z')
const ID = '01900000-0000-7000-8000-000000000001'
const fileOf = (...threads: readonly ThreadRecord[]): NotebookFile => ({ threads, hiding: [] })
const record = (fields: Partial<ThreadRecord> = {}): ThreadRecord => ({ ...newRecord(ID), title: '月見', ...fields })

test('a file gives back what was written', () => {
  fc.assert(
    fc.property(fc.array(anyRecord), (written) => {
      expect(readNotebook(writeNotebook(fileOf(...written), NOW), NOW)).toEqual(fileOf(...written))
    }),
  )
})

test('times of a clock that is ahead become now', () => {
  const ahead = record({ favouriteAt: NOW + 1e9, updatedAt: NOW + 1e9 })
  expect(readNotebook(writeNotebook(fileOf(ahead), NOW), NOW)).toEqual(
    fileOf(record({ favouriteAt: NOW, updatedAt: NOW })),
  )
})

test('rules of hiding are in the file, except for what no version of the board has written', () => {
  const rule: HidingRule = {
    id: 'a',
    kind: 'word',
    text: '宣伝',
    threadId: null,
    chain: true,
    traceless: false,
    endsAt: null,
    createdAt: NOW,
  }
  const text = writeNotebook({ threads: [], hiding: [rule] }, NOW)
  expect(readNotebook(text, NOW).hiding).toEqual([rule])
  const ofId: HidingRule = { ...rule, id: 'b', kind: 'id', text: 'k3x9pQ_a' }
  expect(readNotebook(writeNotebook({ threads: [], hiding: [ofId] }, NOW), NOW).hiding).toEqual([ofId])
  const odd = JSON.stringify({ ...(JSON.parse(text) as object), hiding: [rule, { ...rule, kind: 'smell' }, null, 7] })
  expect(readNotebook(odd, NOW).hiding).toEqual([rule])
  // Files of before have no rules.
  const { hiding: _, ...before } = JSON.parse(text) as NotebookFile
  expect(readNotebook(JSON.stringify(before), NOW)).toEqual(fileOf())
})

test('a file that is something else is refused as a whole, with the reason', () => {
  const file = (change: object) =>
    JSON.stringify({ ...(JSON.parse(writeNotebook(fileOf(record()), NOW)) as object), ...change })
  const spoilt = (fields: object) => file({ threads: [record(), { ...record(), ...fields }] })
  const refused: readonly string[] = [
    ...[
      '',
      '草',
      '[]',
      'null',
      '{}',
      file({ kind: 'something else' }),
      file({ version: 0 }),
      file({ threads: {} }),
      file({ hiding: {} }),
    ],
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

import { expect, test } from 'vitest'
import { pinsFor } from './pins.ts'

const values = (...args: Parameters<typeof pinsFor>) => pinsFor(...args).map(({ value }) => value)

test('a moderator of the whole board may pin a thread anywhere', () => {
  for (const pinned of [null, 'category', 'board'] as const) {
    expect(values(pinned, true)).toEqual(['none', 'category', 'board'])
  }
})

test('a moderator of some categories may pin within them, and may not change a thread pinned to all lists', () => {
  expect(values(null, false)).toEqual(['none', 'category'])
  expect(values('category', false)).toEqual(['none', 'category'])
  expect(values('board', false)).toEqual([])
})

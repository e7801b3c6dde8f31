import { expect, test } from 'vitest'
import { pinsFor } from './pins.ts'

const values = (...args: Parameters<typeof pinsFor>) => pinsFor(...args).map(({ value }) => value)

test('who runs the whole board pins anywhere', () => {
  for (const pinned of [null, 'category', 'board'] as const) {
    expect(values(pinned, true)).toEqual(['none', 'category', 'board'])
  }
})

test('a moderator of some categories pins within them, and leaves alone what is pinned to all lists', () => {
  expect(values(null, false)).toEqual(['none', 'category'])
  expect(values('category', false)).toEqual(['none', 'category'])
  expect(values('board', false)).toEqual([])
})

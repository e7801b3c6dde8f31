import { expect, test } from 'vitest'
import { numberOfHash, pathOfPlace, postPath, rangePath, readPostRange } from './post-address.ts'

const read = (query: string) => readPostRange(new URLSearchParams(query))

test('an address without a range starts at post 1, and so does an invalid one', () => {
  expect(read('')).toEqual({ after: 0 })
  expect(read('after=x')).toEqual({ after: 0 })
  expect(read('after=-5')).toEqual({ after: 0 })
  expect(read('after=99999999999')).toEqual({ after: 0 })
})
test('a valid range is used as written', () => {
  for (const range of [{ after: 0 }, { after: 50 }, { last: true }] as const) {
    expect(read(rangePath('t', range).split('?')[1] ?? '')).toEqual(range)
  }
})
test('a post is linked on its page', () => {
  expect(postPath('t', 1)).toBe('/thread/t#1')
  expect(postPath('t', 50)).toBe('/thread/t#50')
  expect(postPath('t', 51)).toBe('/thread/t?after=50#51')
  expect(postPath('t', 12)).toBe('/thread/t#12')
  expect(postPath('t', 120)).toBe('/thread/t?after=100#120')
})
test('only a post number is read from a fragment', () => {
  expect(numberOfHash('#12')).toBe(12)
  for (const hash of ['', '#', '#0', '#main', '#1x', '#9999999999']) expect(numberOfHash(hash)).toBeNull()
})
test.each([
  ['480', '/thread/t?after=450#480'],
  ['480-', '/thread/t?after=450#480'],
  ['1-50', '/thread/t#1'],
  ['100-200n', '/thread/t?after=50#100'],
  ['-30', '/thread/t'],
  ['l50', '/thread/t?last=1'],
  ['l10n', '/thread/t?last=1'],
  ['0', null],
  ['l0', null],
  ['abc', null],
  ['1-2-3', null],
  ['12345678901', null],
])('the 2ch notation for a part of a thread, %s, leads to %s', (place, path) => {
  expect(pathOfPlace('t', place)).toBe(path)
})

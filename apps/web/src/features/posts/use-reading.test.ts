import { expect, test } from 'vitest'
import { unseenOf } from './use-reading.ts'

test('own posts of another tab are no news, and the first news is the first post of others', () => {
  expect(unseenOf(10, 11, new Set([3, 11]))).toEqual({ unseen: 0, firstUnseen: 12 })
  expect(unseenOf(10, 13, new Set([11, 13]))).toEqual({ unseen: 1, firstUnseen: 12 })
})

test('own posts that are not here yet hide no news', () => {
  expect(unseenOf(10, 11, new Set([12]))).toEqual({ unseen: 1, firstUnseen: 11 })
})

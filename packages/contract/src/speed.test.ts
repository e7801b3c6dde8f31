import { expect, test } from 'vitest'
import { speedOf } from './speed.ts'

const createdAt = '2026-11-21T00:00:00Z'
const after = (hours: number) => new Date(Date.parse(createdAt) + hours * 3_600_000)

test('the speed of a thread is its posts a day since it was opened', () => {
  expect(speedOf({ postCount: 960, createdAt }, after(24))).toBe(960)
  expect(speedOf({ postCount: 960, createdAt }, after(240))).toBe(96)
})

test('posts with sage do not count for the speed', () => {
  expect(speedOf({ postCount: 960, sages: 480, createdAt }, after(24))).toBe(480)
})

test('a thread counts as an hour old at least, also for a clock that is behind', () => {
  for (const hours of [-1, 0, 0.5, 1]) expect(speedOf({ postCount: 2, createdAt }, after(hours))).toBe(48)
})

import { expect, test } from 'vitest'
import { createRestartPauses, FIRST_PAUSE_MS, LONGEST_PAUSE_MS, SOON_MS } from './restart-pauses.ts'

test('a worker that ends soon is replaced after the first pause, and each further one after twice the pause before', () => {
  const pauses = createRestartPauses()
  expect([1, 2, 3].map(() => pauses.next(SOON_MS))).toEqual([FIRST_PAUSE_MS, 2 * FIRST_PAUSE_MS, 4 * FIRST_PAUSE_MS])
})

test('no pause is longer than the longest', () => {
  const pauses = createRestartPauses()
  expect(Array.from({ length: 20 }, () => pauses.next(0)).at(-1)).toBe(LONGEST_PAUSE_MS)
})

test('a worker that lived long is replaced at once, and the next early end has the first pause again', () => {
  const pauses = createRestartPauses()
  expect([0, 0, SOON_MS + 1, 0].map((lived) => pauses.next(lived))).toEqual([
    FIRST_PAUSE_MS,
    2 * FIRST_PAUSE_MS,
    0,
    FIRST_PAUSE_MS,
  ])
})

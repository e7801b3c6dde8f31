import { expect, test } from 'vitest'
import { firstInView } from './rows-in-view.ts'

test('the first row in view is the first that ends below the line, found without measuring all rows', () => {
  let measured = 0
  const bottomOf = (index: number) => {
    measured += 1
    return (index + 1) * 80 - 40_000
  }
  expect(firstInView(1_000, bottomOf, 64)).toBe(500)
  expect(measured).toBeLessThanOrEqual(10)
})

test('no row is in view when all are above the line, or when there is none', () => {
  expect(firstInView(3, () => -1, 64)).toBe(-1)
  expect(firstInView(0, () => 0, 64)).toBe(-1)
})

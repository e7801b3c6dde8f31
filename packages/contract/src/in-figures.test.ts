import fc from 'fast-check'
import { expect, it } from 'vitest'
import { inFigures } from './in-figures.ts'

it('groups the digits of whole numbers as Intl does', () => {
  const format = new Intl.NumberFormat('ja-JP')
  expect([0, 999, 1_000, 12_345, 1_234_567, -1_000, -999].map(inFigures)).toEqual([
    ...['0', '999', '1,000', '12,345', '1,234,567', '-1,000', '-999'],
  ])
  fc.assert(
    fc.property(fc.maxSafeInteger(), (value) => {
      expect(inFigures(value)).toBe(format.format(value))
    }),
  )
})

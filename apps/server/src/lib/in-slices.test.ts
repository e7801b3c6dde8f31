import { expect, test } from 'vitest'
import { inSlices } from './in-slices.ts'

test('a long computation gives its results in order, and other work a turn meanwhile', async () => {
  let turns = 0
  let isOver = false
  const other = (): void => {
    turns += 1
    if (!isOver) setImmediate(other)
  }
  setImmediate(other)
  function* numbers() {
    // Until somebody else had three turns: without slices it would never end.
    for (let number = 0; turns < 3; number += 1) yield number
  }
  const found = await inSlices(numbers())
  isOver = true
  expect(found).toEqual(found.map((_, index) => index))
  expect(turns).toBeGreaterThanOrEqual(3)
})

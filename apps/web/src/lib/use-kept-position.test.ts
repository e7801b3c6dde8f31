import { expect, test } from 'vitest'
import { parsePosition } from './use-kept-position.ts'

test('a text that is not a valid position is ignored', () => {
  expect(parsePosition('{"anchor":"a","offset":70,"pages":2}')).toEqual({ anchor: 'a', offset: 70, pages: 2 })
  expect(parsePosition('{"anchor":"a"}')).toBeNull()
  expect(parsePosition('{')).toBeNull()
  expect(parsePosition(null)).toBeNull()
})

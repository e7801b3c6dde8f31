import { expect, test } from 'vitest'
import { autoOpened } from './answer-paths.ts'

test('a small tree of answers is open in all its levels', () => {
  const answers = new Map([
    [1, [2, 3]],
    [2, [4]],
    [4, [5]],
  ])
  expect([...autoOpened(answers, 1)]).toEqual(['1/2', '1/2/4'])
})

test('a post that answers two others is in two places', () => {
  const answers = new Map([
    [1, [2, 3]],
    [2, [4]],
    [3, [4]],
    [4, [5]],
  ])
  expect([...autoOpened(answers, 1)]).toEqual(['1/2', '1/3', '1/2/4', '1/3/4'])
})

test('a tree that branches without end is opened only until it holds enough posts', () => {
  const numbers = Array.from({ length: 60 }, (_, index) => index + 1)
  const answers = new Map(numbers.map((number) => [number, numbers.filter((other) => other > number)]))
  expect(autoOpened(answers, 1, 100).size).toBeLessThan(10)
})

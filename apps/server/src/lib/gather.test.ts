import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createGatherer } from './gather.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function open(max = 100) {
  const told: [key: string, value: number][] = []
  const gatherer = createGatherer<string, number>({
    everyMs: 1_000,
    merge: (before, after) => before + after,
    tell: (key, value) => void told.push([key, value]),
    max,
  })
  return { gatherer, told }
}

test('the first change is told at once, the following ones together when a second has passed', () => {
  const { gatherer, told } = open()
  for (const value of [1, 2, 3]) gatherer.add('a', value)
  gatherer.add('b', 7)
  expect(told).toEqual([
    ['a', 1],
    ['b', 7],
  ])
  vi.advanceTimersByTime(999)
  expect(told).toHaveLength(2)
  vi.advanceTimersByTime(1)
  expect(told).toEqual([
    ['a', 1],
    ['b', 7],
    ['a', 5],
  ])
})

test('what goes on without end is told once a second, and after a pause at once again', () => {
  const { gatherer, told } = open()
  for (let tick = 0; tick < 50; tick += 1) {
    gatherer.add('a', 1)
    vi.advanceTimersByTime(100)
  }
  expect(told.map(([, value]) => value)).toEqual([1, 9, 10, 10, 10, 10])
  vi.advanceTimersByTime(2_000)
  gatherer.add('a', 4)
  expect(told.at(-1)).toEqual(['a', 4])
  expect(vi.getTimerCount()).toBe(1)
})

test('nothing is left over at the end, and nothing waits afterwards', () => {
  const { gatherer, told } = open()
  for (const value of [1, 2]) gatherer.add('a', value)
  gatherer.close()
  gatherer.add('a', 4)
  gatherer.add('a', 8)
  expect(told.map(([, value]) => value)).toEqual([1, 2, 4, 8])
  expect(vi.getTimerCount()).toBe(0)
})

test('a flush tells what waits, and the second goes on', () => {
  const { gatherer, told } = open()
  for (const value of [1, 2]) gatherer.add('a', value)
  gatherer.flush()
  gatherer.flush()
  gatherer.add('a', 4)
  expect(told.map(([, value]) => value)).toEqual([1, 2])
  vi.advanceTimersByTime(1_000)
  expect(told.map(([, value]) => value)).toEqual([1, 2, 4])
})

test('more things and values than may be remembered are told sooner instead', () => {
  const { gatherer, told } = open(3)
  for (const key of ['a', 'b', 'c', 'd', 'd']) gatherer.add(key, 1)
  expect(told).toHaveLength(5)
  for (const value of [1, 2, 3]) gatherer.add('a', value)
  expect(told.at(-1)).toEqual(['a', 6])
})

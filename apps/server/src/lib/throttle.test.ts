import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createThrottle } from './throttle.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function open(max = 100) {
  const told: [key: string, value: number][] = []
  const throttle = createThrottle<string, number>({
    everyMs: 1_000,
    merge: (before, after) => before + after,
    tell: (key, value) => void told.push([key, value]),
    max,
  })
  return { throttle, told }
}

test('the first change is delivered at once, the following ones together after a second', () => {
  const { throttle, told } = open()
  for (const value of [1, 2, 3]) throttle.add('a', value)
  throttle.add('b', 7)
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

test('continuous changes are delivered once a second, and at once again after a pause', () => {
  const { throttle, told } = open()
  for (let tick = 0; tick < 50; tick += 1) {
    throttle.add('a', 1)
    vi.advanceTimersByTime(100)
  }
  expect(told.map(([, value]) => value)).toEqual([1, 9, 10, 10, 10, 10])
  vi.advanceTimersByTime(2_000)
  throttle.add('a', 4)
  expect(told.at(-1)).toEqual(['a', 4])
  expect(vi.getTimerCount()).toBe(1)
})

test('nothing remains at the end, and no timer runs afterwards', () => {
  const { throttle, told } = open()
  for (const value of [1, 2]) throttle.add('a', value)
  throttle.close()
  throttle.add('a', 4)
  throttle.add('a', 8)
  expect(told.map(([, value]) => value)).toEqual([1, 2, 4, 8])
  expect(vi.getTimerCount()).toBe(0)
})

test('a flush delivers waiting values, and the interval goes on', () => {
  const { throttle, told } = open()
  for (const value of [1, 2]) throttle.add('a', value)
  throttle.flush()
  throttle.flush()
  throttle.add('a', 4)
  expect(told.map(([, value]) => value)).toEqual([1, 2])
  vi.advanceTimersByTime(1_000)
  expect(told.map(([, value]) => value)).toEqual([1, 2, 4])
})

test('above the maximum of keys and values, changes are delivered earlier', () => {
  const { throttle, told } = open(3)
  for (const key of ['a', 'b', 'c', 'd', 'd']) throttle.add(key, 1)
  expect(told).toHaveLength(5)
  for (const value of [1, 2, 3]) throttle.add('a', value)
  expect(told.at(-1)).toEqual(['a', 6])
})

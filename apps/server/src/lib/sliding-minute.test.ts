import { expect, test } from 'vitest'
import { createSlidingMinute } from './sliding-minute.ts'

const START = Date.parse('2026-11-21T04:03:00Z')
const at = (seconds: number): number => START + seconds * 1_000

test('counts events within the last 60 seconds', () => {
  const minute = createSlidingMinute()
  for (const second of [0, 0, 1, 30]) minute.add(at(second))
  expect(minute.count(at(30))).toBe(4)
  expect(minute.count(at(59))).toBe(4)
  expect(minute.count(at(60))).toBe(2)
  expect(minute.count(at(61))).toBe(1)
  expect(minute.count(at(90))).toBe(0)
})

test('resets after a long pause', () => {
  const minute = createSlidingMinute()
  minute.add(at(0))
  expect(minute.count(at(100_000))).toBe(0)
  minute.add(at(100_000))
  expect(minute.count(at(100_000))).toBe(1)
})

test('equals a plain list of times, for any sequence of events', () => {
  const minute = createSlidingMinute()
  const seconds: number[] = []
  let seed = 7
  let now = 0
  for (let step = 0; step < 5_000; step += 1) {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    now += seed % 11 === 0 ? seed % 97 : seed % 3
    minute.add(at(now))
    seconds.push(now)
    expect(minute.count(at(now))).toBe(seconds.filter((second) => second > now - 60).length)
  }
})

test('loses nothing when the clock goes back', () => {
  const minute = createSlidingMinute()
  minute.add(at(10))
  minute.add(at(5))
  expect(minute.count(at(10))).toBe(2)
})

test('begins anew when the clock was hours ahead', () => {
  const minute = createSlidingMinute()
  minute.add(at(36_000), 100)
  minute.add(at(5))
  expect(minute.count(at(5))).toBe(1)
  expect(minute.count(at(65))).toBe(0)
})

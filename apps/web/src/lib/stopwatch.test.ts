import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startStopwatch } from './stopwatch.ts'

let pageTime = 0
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
  vi.spyOn(performance, 'now').mockImplementation(() => pageTime)
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

test('a clock that is set back does not stop it', () => {
  const elapsed = startStopwatch()
  vi.setSystemTime(Date.now() - 3_600_000)
  pageTime += 20_000
  expect(elapsed()).toBe(20_000)
})

test('it counts the time for which the device slept', () => {
  const elapsed = startStopwatch()
  vi.setSystemTime(Date.now() + 600_000)
  expect(elapsed()).toBe(600_000)
})

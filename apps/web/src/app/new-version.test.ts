import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { followVersion } from './new-version.ts'

const findNewVersion = vi.fn(async () => false)
beforeEach(() => {
  vi.useFakeTimers()
  findNewVersion.mockClear()
  vi.stubGlobal('window', { findNewVersion })
  vi.stubGlobal('document', Object.assign(new EventTarget(), { visibilityState: 'visible' }))
  vi.stubGlobal('addEventListener', () => {})
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('a page goes on looking for a new version where the clock is set back', async () => {
  const leave = followVersion()
  await vi.advanceTimersByTimeAsync(4 * 60_000)
  expect(findNewVersion).toHaveBeenCalledTimes(1)
  vi.setSystemTime(Date.now() - 3_600_000)
  await vi.advanceTimersByTimeAsync(4 * 60_000)
  expect(findNewVersion).toHaveBeenCalledTimes(2)
  leave()
})

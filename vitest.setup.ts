/** For every test: random data has a fixed seed, so that a failure can be reproduced. */
import fc from 'fast-check'
import { afterAll, vi } from 'vitest'

fc.configureGlobal({ seed: 20_261_121 })

// Files of unit tests share a worker (vitest.config.ts): none leaves its clock or spies behind.
afterAll(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { ApiError, refuse } from './api-error.ts'
import { createKeyLimits, takeAll } from './key-limit.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const create = () =>
  createKeyLimits(null)({
    name: 'tries',
    points: 2,
    seconds: 60,
    refusal: () => refuse('too_many_requests', 'too_many_requests'),
  })

/** How often a key can be taken. */
async function drain(limit: ReturnType<typeof create>): Promise<number> {
  for (let count = 0; ; count += 1) {
    try {
      await limit.take('楓')
    } catch {
      return count
    }
  }
}

it('returned points can be taken again, and refused ones neither count nor lengthen the wait', async () => {
  const limit = create()
  expect(await drain(limit)).toBe(2)
  expect(await drain(limit)).toBe(0)
  await limit.giveBack('楓')
  expect(await drain(limit)).toBe(1)
  vi.advanceTimersByTime(60_001)
  expect(await drain(limit)).toBe(2)
})

it('points returned after the end of their window add nothing to the next one', async () => {
  const limit = create()
  expect(await drain(limit)).toBe(2)
  vi.advanceTimersByTime(60_001)
  for (let count = 0; count < 2; count += 1) await limit.giveBack('楓')
  expect(await drain(limit)).toBe(2)
})

it('a refusal by one of several limits costs nothing of the others', async () => {
  const [network, address] = [create(), create()]
  await drain(address)
  const both = [
    [network, '楓の網'],
    [address, '楓'],
  ] as const
  for (let tries = 0; tries < 5; tries += 1) await expect(takeAll(both)).rejects.toThrow(ApiError)
  await takeAll([
    [network, '楓の網'],
    [address, '別の人'],
  ])
})

import { afterEach, expect, it, vi } from 'vitest'
import { SPAM_ADDRESS_FACTOR } from '@shinobi/contract/limits'
import { readConfig } from '../config.ts'
import { defaultSettings } from '../features/settings/settings.service.ts'
import { createKeyLimits } from '../lib/key-limit.ts'
import { createLimits } from './limits.ts'
import type { Visitor } from './visitor.ts'

afterEach(() => {
  vi.useRealTimers()
})

const visitor = (visitorId: string): Visitor => ({
  member: null,
  visitorId,
  addressHash: 'the same',
  origin: { address: '203.0.113.7', agent: '' },
})
/** Two posts a visitor. */
const limitsOfTwo = () =>
  createLimits({ current: defaultSettings(readConfig({ SPAM_POSTS: '2' })) }, createKeyLimits(null))

it('an address that is refused fills the memory with no more visitors', async () => {
  vi.useFakeTimers()
  const { posts } = limitsOfTwo()
  const take = (count: number) =>
    posts.take(visitor(`browser ${count}`)).then(
      () => true,
      () => false,
    )
  const allowed = 2 * SPAM_ADDRESS_FACTOR
  for (let count = 0; count < allowed; count += 1) expect(await take(count)).toBe(true)
  // Each visitor who is counted is forgotten by a timer.
  const counted = vi.getTimerCount()
  for (let count = allowed; count < 1_000; count += 1) expect(await take(count)).toBe(false)
  expect(vi.getTimerCount()).toBe(counted)
})

it('a visitor who is refused takes nothing from the others at the address', async () => {
  const { posts } = limitsOfTwo()
  const take = (name: string) =>
    posts.take(visitor(name)).then(
      () => true,
      () => false,
    )
  const tries = []
  for (let count = 0; count < 20; count += 1) tries.push(await take('影'))
  expect(tries.filter(Boolean)).toHaveLength(2)
  expect([await take('楓'), await take('楓'), await take('楓')]).toEqual([true, true, false])
})

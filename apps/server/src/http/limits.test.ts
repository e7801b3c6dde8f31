import { afterEach, expect, it, vi } from 'vitest'
import { readConfig } from '../config.ts'
import { defaultSettings } from '../features/settings/settings.service.ts'
import { createKeyLimits } from '../lib/key-limit.ts'
import { createLimits } from './limits.ts'
import type { Visitor } from './visitor.ts'

afterEach(() => {
  vi.useRealTimers()
})

const visitor = (visitorId: string, address = '203.0.113.7'): Visitor => ({
  member: null,
  visitorId,
  addressHash: `hash of ${address}`,
  origin: { address, agent: '' },
})
/** Two posts a visitor, ten an IPv4 address. */
const limitsOfTwo = (settings: Record<string, string> = {}) => {
  const config = readConfig({ SPAM_POSTS: '2', SPAM_POSTS_PER_ADDRESS: '10', ...settings })
  return createLimits({ current: defaultSettings(config) }, createKeyLimits(null))
}

it('an address that is refused fills the memory with no more visitors', async () => {
  vi.useFakeTimers()
  const { posts } = limitsOfTwo()
  const take = (count: number) =>
    posts.take(visitor(`browser ${count}`)).then(
      () => true,
      () => false,
    )
  const allowed = 10
  for (let count = 0; count < allowed; count += 1) expect(await take(count)).toBe(true)
  // Each visitor who is counted is forgotten by a timer.
  const counted = vi.getTimerCount()
  for (let count = allowed; count < 1_000; count += 1) expect(await take(count)).toBe(false)
  expect(vi.getTimerCount()).toBe(counted)
})

it.each([
  ['an IPv4 address has what the setting says', '203.0.113.7', {}, 10],
  ['an IPv4 address of a socket has the same', '::ffff:203.0.113.7', {}, 10],
  ['an IPv6 /64, which is one household, has four times a visitor', '2001:db8::7', {}, 4 * 2],
  ['an IPv4 address never has less than one visitor', '203.0.113.7', { SPAM_POSTS_PER_ADDRESS: '1' }, 2],
])('%s', async (_title, address, settings, allowed) => {
  const { posts } = limitsOfTwo(settings)
  let posted = 0
  for (let browser = 0; browser < 50; browser += 1) {
    posted += await posts.take(visitor(`browser ${browser}`, address)).then(
      () => 1,
      () => 0,
    )
  }
  expect(posted).toBe(allowed)
})

it('the hundreds behind one NAT of a carrier write in a live thread, each up to their own limit', async () => {
  const { posts } = createLimits({ current: defaultSettings(readConfig({})) }, createKeyLimits(null))
  for (let writer = 0; writer < 300; writer += 1) {
    for (let post = 0; post < 3; post += 1) await posts.take(visitor(`watcher ${writer}`))
  }
  const alone = visitor('flooder')
  for (let post = 0; post < 50; post += 1) await posts.take(alone)
  await expect(posts.take(alone)).rejects.toMatchObject({ code: 'spam' })
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

import { afterEach, describe, expect, it, vi } from 'vitest'
import { SPAM_ADDRESS_FACTOR } from '@shinobi/contract/limits'
import { readConfig } from '../config.ts'
import { defaultSettings } from '../features/settings/settings.service.ts'
import type { ApiError } from '../lib/api-error.ts'
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
  networkHash: null,
  origin: { address, agent: '' },
})
/** Two posts per visitor, ten per IPv4 address. */
const limitsOfTwo = (settings: Record<string, string> = {}) => {
  const config = readConfig({ SPAM_POSTS: '3', SPAM_POSTS_PER_ADDRESS: '10', ...settings })
  return createLimits({ current: defaultSettings(config) }, createKeyLimits(null), 1)
}

it('a refused address adds no more visitors to memory', async () => {
  vi.useFakeTimers()
  const { posts } = limitsOfTwo()
  const take = (count: number) =>
    posts.take(visitor(`browser ${count}`)).then(
      () => true,
      () => false,
    )
  const allowed = 10
  for (let count = 0; count < allowed; count += 1) expect(await take(count)).toBe(true)
  // A timer forgets each counted visitor.
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

it('hundreds behind one NAT of a carrier write in a live thread, each up to their own limit', async () => {
  const { posts } = createLimits({ current: defaultSettings(readConfig({})) }, createKeyLimits(null), 1)
  for (let writer = 0; writer < 300; writer += 1) {
    for (let post = 0; post < 3; post += 1) await posts.take(visitor(`watcher ${writer}`))
  }
  const alone = visitor('flooder')
  for (let post = 1; post < 50; post += 1) await posts.take(alone)
  await expect(posts.take(alone)).rejects.toMatchObject({ code: 'spam' })
})

it('a refused visitor does not use up the limit of the address', async () => {
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

describe('kilobytes of pictures per day', () => {
  /** A thousand per visitor: four thousand per address, sixteen thousand per /48. */
  const { imageKilobytes } = createLimits({ current: defaultSettings(readConfig({})) }, createKeyLimits(null), 1)
  let visitors = 0
  const take = (from: { addressHash: string; networkHash: string | null }, count: number, name?: string) =>
    imageKilobytes.take({ ...visitor(name ?? `another ${(visitors += 1)}`), ...from }, count).then(
      () => 'taken',
      (error: ApiError) => `${error.code}, wait ${error.retryAfter}`,
    )
  const full = 'too_many_requests, wait 86400'

  it('run out for a visitor, and then for all visitors of the address', async () => {
    const home = { addressHash: 'home', networkHash: null }
    expect(await take(home, 600, '影')).toBe('taken')
    expect(await take(home, 600, '影')).toBe(full)
    // A refused picture has not been counted.
    expect(await take(home, 400, '影')).toBe('taken')
    for (let count = 0; count < 3; count += 1) expect(await take(home, 1_000)).toBe('taken')
    expect(await take(home, 1)).toBe(full)
    expect(await take({ ...home, addressHash: 'next door' }, 1)).toBe('taken')
  })

  it('run out for all addresses of an IPv6 /48', async () => {
    for (let count = 0; count < SPAM_ADDRESS_FACTOR * 4; count += 1) {
      expect(await take({ addressHash: `line ${count}`, networkHash: 'site' }, 1_000)).toBe('taken')
    }
    expect(await take({ addressHash: 'one more line', networkHash: 'site' }, 1)).toBe(full)
    expect(await take({ addressHash: 'one more line', networkHash: 'another site' }, 1)).toBe('taken')
    // An address refused by its network has not been counted.
    expect(await take({ addressHash: 'one more line', networkHash: null }, 999)).toBe('taken')
  })

  it('are given back when a picture was not stored', async () => {
    const one = { ...visitor('楓'), addressHash: 'inn', networkHash: 'valley' }
    await imageKilobytes.take(one, 1_000)
    await imageKilobytes.giveBack(one, 1_000)
    expect(await take(one, 1_000, '楓')).toBe('taken')
  })
})

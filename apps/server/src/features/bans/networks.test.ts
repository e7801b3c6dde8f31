import { describe, expect, it } from 'vitest'
import { createNetworkHasher, dayOf, keyOfHash, networkOf } from './networks.ts'

describe('networkOf', () => {
  it.each([
    ['203.0.113.7', '203.0.113.0/24'],
    ['203.0.113.255', '203.0.113.0/24'],
    ['203.0.114.7', '203.0.114.0/24'],
    ['::ffff:203.0.113.7', '203.0.113.0/24'],
    ['::FFFF:cb00:7107', '203.0.113.0/24'],
    ['0:0:0:0:0:ffff:203.0.113.9', '203.0.113.0/24'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::', '2001:db8:1:2::/64'],
    ['2001:db8:1::7', '2001:db8:1:0::/64'],
    ['2001:db8:1:3::7', '2001:db8:1:3::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
  ])('of %s is %s', (address, network) => {
    expect(networkOf(address)).toBe(network)
  })

  it('accepts a text that is no address', () => {
    expect(() => networkOf('unknown')).not.toThrow()
    expect(() => networkOf('')).not.toThrow()
  })
})

describe('the hash of a network', () => {
  const hasher = createNetworkHasher('a secret')

  it('is the same for a network on a day, and different on another day, for another network, and with another secret', () => {
    const hash = hasher.hash('203.0.113.7', 20_000)
    expect(hasher.hash('203.0.113.99', 20_000)).toBe(hash)
    const others = [
      hasher.hash('203.0.113.7', 20_001),
      hasher.hash('203.0.113.7', 'net'),
      hasher.hash('203.0.112.7', 20_000),
      createNetworkHasher('another').hash('203.0.113.7', 20_000),
    ]
    const bare = (one: string) => one.slice(one.indexOf(':') + 1)
    expect(new Set([hash, ...others].map(bare)).size).toBe(5)
  })

  it('contains the number of its key, and does not reveal the address', () => {
    expect(keyOfHash(hasher.hash('203.0.113.7', 20_000))).toBe(20_000)
    expect(keyOfHash(hasher.hash('203.0.113.7', 'net'))).toBe('net')
    expect(hasher.hash('203.0.113.7', 20_000)).toMatch(/^20000:[\w-]{22}$/)
  })

  it('changes at midnight UTC', () => {
    const midnight = Date.parse('2026-11-22T00:00:00Z')
    expect(dayOf(midnight) - dayOf(midnight - 1)).toBe(1)
    expect(dayOf(midnight + 86_399_999)).toBe(dayOf(midnight))
  })
})

import { describe, expect, it } from 'vitest'
import { createKeyLimits } from '../../lib/key-limit.ts'
import { createAccountLimits } from './account-limits.ts'

describe.each([
  ['registrations', 5],
  ['mailsFrom', 40],
] as const)('the limit of %s', (name, points) => {
  it('holds for an address, and with four times as many for an IPv6 /48', async () => {
    const limit = createAccountLimits({ registrationsPerHour: 5 }, createKeyLimits(null))[name]
    for (let count = 0; count < points; count += 1) await limit.take('2001:db8:7:0::/64')
    await expect(limit.take('2001:db8:7:0::/64')).rejects.toMatchObject({ status: 429 })
    // The refused attempt does not count.
    for (let count = 1; count <= 3 * points; count += 1) await limit.take(`2001:db8:7:${count.toString(16)}::/64`)
    await expect(limit.take('2001:db8:7:ffff::/64')).rejects.toMatchObject({ status: 429 })
    await limit.take('2001:db8:8:0::/64')
    for (let count = 0; count < points; count += 1) await limit.take('198.51.100.7')
    await expect(limit.take('198.51.100.7')).rejects.toMatchObject({ status: 429 })
    await limit.take('198.51.100.8')
  })
})

/**
 * Networks as subjects of bans: an IPv4 /24 or an IPv6 /64, as a keyed hash (docs/decisions/0016).
 */
import { createHmac } from 'node:crypto'
import { isIPv4 } from 'node:net'

/**
 * The key of a hash: that of a day (UTC, days since 1970), or a constant one, for addresses from a
 * temporary log.
 */
export type NetworkKey = number | 'net'

export const dayOf = (milliseconds: number): number => Math.floor(milliseconds / 86_400_000)

/**
 * The network of an address: the IPv4 /24 or IPv6 /64. Mapped addresses (`::ffff:203.0.113.7`, in
 * every notation) count as IPv4, as all of them share one /64.
 */
export function networkOf(address: string): string {
  const plain = address.toLowerCase().replace(/%.*$/, '')
  const groups = isIPv4(plain) ? null : readGroups(plain)
  const mapped = groups?.slice(0, 6).join(':') === '0:0:0:0:0:ffff' ? groups : null
  const ipv4 = groups === null ? plain.split('.').map(Number) : mapped?.slice(6).flatMap(toBytes)
  if (ipv4 !== undefined) return `${ipv4.slice(0, 3).join('.')}.0/24`
  return `${groups!.slice(0, 4).join(':')}::/64`
}

const toBytes = (group: string): number[] => {
  const value = Number.parseInt(group, 16)
  return [value >> 8, value & 0xff]
}

/** The eight groups of an IPv6 address, without leading zeros. */
function readGroups(address: string): string[] {
  const withoutDots = address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, ...parts: string[]) => {
    const [a, b, c, d] = parts.slice(0, 4).map(Number) as [number, number, number, number]
    return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`
  })
  const [left = [], right = []] = withoutDots.split('::').map((side) => (side === '' ? [] : side.split(':')))
  const zeros = Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => '0')
  return [...left, ...zeros, ...right].map((group) => group.replace(/^0+(?=.)/, ''))
}

export interface NetworkHasher {
  /** `<key>:<hash>`, the format in `origins` and `bans`. */
  hash(address: string, key: NetworkKey): string
}

export function createNetworkHasher(secret: string): NetworkHasher {
  const keys = new Map<NetworkKey, Buffer>()
  function keyOf(key: NetworkKey): Buffer {
    let bytes = keys.get(key)
    if (bytes === undefined) {
      bytes = createHmac('sha256', secret).update(`network ${key}`).digest()
      // One per day, and one for each day in a ban in force.
      if (keys.size > 1_000) keys.clear()
      keys.set(key, bytes)
    }
    return bytes
  }
  return {
    hash: (address, key) =>
      `${key}:${createHmac('sha256', keyOf(key)).update(networkOf(address)).digest('base64url').slice(0, 22)}`,
  }
}

/** The key that a hash was made with. */
export function keyOfHash(hash: string): NetworkKey {
  const key = hash.slice(0, hash.indexOf(':'))
  return key === 'net' ? key : Number(key)
}

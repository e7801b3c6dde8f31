/**
 * Decides which addresses may be requested: an address in an article, a feed or a redirect must
 * never reach the machine's own network.
 */
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { NewsRefusal } from '../news-refusal.ts'

/** Which addresses and ports requests may reach. */
export interface Door {
  readonly address: (address: string) => boolean
  readonly port: (port: number) => boolean
}

/** Every public address, on the ports of the web. */
export const PUBLIC_DOOR: Door = { address: isPublicAddress, port: (port) => port === 80 || port === 443 }

/** Private addresses and all ports as well: for feeds of an intranet, and for tests. */
export const OPEN_DOOR: Door = { address: () => true, port: () => true }

/** All globally reachable IPv6 addresses begin with 001 (RFC 4291). */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * Looks public, but belongs to the host of a virtual machine: Azure gives out credentials there.
 */
const METADATA = new Set(['168.63.129.16'])

/**
 * The interface part of an ISATAP address, before the IPv4 address in it (RFC 5214); the masked bit
 * marks a unique one.
 */
const isIsatap = ({ parts }: ipaddr.IPv6): boolean => (parts[4]! & ~0x0200) === 0 && parts[5] === 0x5efe

/**
 * Whether an address is public. Addresses that contain an IPv4 address (IPv4 in IPv6, NAT64, 6to4,
 * Teredo, ISATAP) are not, because they may lead to a private one.
 */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0) return false
  const parsed = ipaddr.parse(address)
  if (parsed.range() !== 'unicast' || METADATA.has(address)) return false
  return !(parsed instanceof ipaddr.IPv6) || (parsed.match(GLOBAL_UNICAST) && !isIsatap(parsed))
}

/**
 * Parses an address that may be requested. A host name is checked after it is resolved (client.ts).
 * A numeric host is checked here, after `URL` has normalised unusual spellings (0x7f.1,
 * 2130706433).
 * @throws NewsRefusal refused_address
 */
export function parseAddress(text: string, door: Door, base?: URL): URL {
  const url = URL.parse(text, base)
  if (url === null) throw new NewsRefusal('refused_address', 'not an address')
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new NewsRefusal('refused_address', `${url.protocol} is not of the web`)
  }
  if (url.username !== '' || url.password !== '') {
    throw new NewsRefusal('refused_address', `${url.host}: an address with a password`)
  }
  const port = url.port === '' ? (url.protocol === 'http:' ? 80 : 443) : Number(url.port)
  if (!door.port(port)) throw new NewsRefusal('refused_address', `${url.host}: not a port of the web`)
  const literal = url.hostname.replace(/^\[|\]$/g, '')
  if (isIP(literal) !== 0 && !door.address(literal)) {
    throw new NewsRefusal('refused_address', `${url.host}: not a public address`)
  }
  url.hash = ''
  return url
}

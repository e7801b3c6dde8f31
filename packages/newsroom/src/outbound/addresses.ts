/** Which addresses may be reached: what an article, a feed or a redirect names must never open the machine's own network. */
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { NewsRefusal } from '../news-refusal.ts'

/** What lets requests out. */
export interface Door {
  readonly address: (address: string) => boolean
  readonly port: (port: number) => boolean
}

/** Everything that is on the open network, by the ports of the web. */
export const PUBLIC_DOOR: Door = { address: isPublicAddress, port: (port) => port === 80 || port === 443 }

/** Private addresses and all ports as well: for an intranet's feeds, and for tests. */
export const OPEN_DOOR: Door = { address: () => true, port: () => true }

/** All that is given out to be reached over the open network begins with 001 (RFC 4291). */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')

/** Looks public, but is answered by the machine below the machine: Azure gives out credentials there. */
const METADATA = new Set(['168.63.129.16'])

/** The second half of an ISATAP address, in front of the IPv4 address in it (RFC 5214); the bit says that one is unique. */
const isIsatap = ({ parts }: ipaddr.IPv6): boolean => (parts[4]! & ~0x0200) === 0 && parts[5] === 0x5efe

/**
 * Whether an address is on the open network. Addresses that carry another one inside (IPv4 in IPv6, NAT64, 6to4, Teredo, ISATAP) are not,
 * as they lead wherever that one does.
 */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0) return false
  const parsed = ipaddr.parse(address)
  if (parsed.range() !== 'unicast' || METADATA.has(address)) return false
  return !(parsed instanceof ipaddr.IPv6) || (parsed.match(GLOBAL_UNICAST) && !isIsatap(parsed))
}

/**
 * Reads an address that may be asked. Hosts with a name are checked once it is known what they resolve to (client.ts); those that are
 * numbers are checked here, after `URL` has put the odd ways of writing them (0x7f.1, 2130706433) into the plain one.
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

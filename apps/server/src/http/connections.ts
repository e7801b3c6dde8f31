import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { ProxyTrust } from './proxies.ts'
import { addressPrefix, isLoopback, sitePrefix } from './visitor.ts'

/** A customer may have the whole /48 of an IPv6 address, and a carrier has many in one. */
const NETWORK_FACTOR = 4

/**
 * Limits the open connections of one address, each of which takes a descriptor: without, one client
 * takes all of them. Proxies are not counted, as their connections are everybody's.
 * @param max of an IPv4 address or an IPv6 /64
 */
export function boundConnections(
  server: Server,
  { max, trustsProxy }: { readonly max: number; readonly trustsProxy: ProxyTrust },
): void {
  const open = new Map<string, number>()
  const countOf = (key: string): number => open.get(key) ?? 0

  server.on('connection', (socket: Socket) => {
    const { remoteAddress: address } = socket
    if (address === undefined || isLoopback(address) || trustsProxy(address, 0)) return
    const prefix = addressPrefix(address)
    const network = sitePrefix(prefix)
    if (countOf(prefix) >= max || (network !== null && countOf(network) >= NETWORK_FACTOR * max)) {
      socket.destroy()
      return
    }
    const keys = network === null ? [prefix] : [prefix, network]
    for (const key of keys) open.set(key, countOf(key) + 1)
    socket.once('close', () => {
      for (const key of keys) {
        if (countOf(key) > 1) open.set(key, countOf(key) - 1)
        else open.delete(key)
      }
    })
  })
}

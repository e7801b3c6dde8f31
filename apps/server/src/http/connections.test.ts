import { once } from 'node:events'
import { createServer } from 'node:http'
import { Socket } from 'node:net'
import { expect, it } from 'vitest'
import { boundConnections } from './connections.ts'
import { createProxyTrust } from './proxies.ts'

/** A server that trusts the proxies of a setting, and a function that connects from an address. */
function openServer(trust: string[] | boolean = false) {
  const server = createServer()
  boundConnections(server, { max: 2, trustsProxy: createProxyTrust(trust) })
  return (remoteAddress: string): Socket => {
    const socket = new Socket()
    Object.defineProperty(socket, 'remoteAddress', { value: remoteAddress })
    server.emit('connection', socket)
    return socket
  }
}
const isOpen = ({ destroyed }: Socket): boolean => !destroyed

it('closes the connections of an address beyond its limit, and no others', async () => {
  const connect = openServer()
  const [first, ...others] = ['198.51.100.1', '198.51.100.1', '::ffff:198.51.100.1', '198.51.100.2'].map(connect)
  expect([first!, ...others].map(isOpen)).toEqual([true, true, false, true])
  first!.destroy()
  await once(first!, 'close')
  expect([connect('198.51.100.1'), connect('198.51.100.1')].map(isOpen)).toEqual([true, false])
})

it('limits a /64 of IPv6, and its /48 to four times as many', () => {
  const connect = openServer()
  expect(['2001:db8:7:1::1', '2001:db8:7:1::2', '2001:db8:7:1::3'].map(connect).map(isOpen)).toEqual([
    true,
    true,
    false,
  ])
  const networks = Array.from({ length: 8 }, (_, index) => connect(`2001:db8:7:${index + 10}::1`))
  expect(networks.filter(isOpen)).toHaveLength(6)
  expect(isOpen(connect('2001:db8:8::1'))).toBe(true)
})

it('counts neither loopback nor proxies that are trusted', () => {
  for (const [trust, address] of [
    [false, '127.0.0.1'],
    [['10.0.0.0/8'], '10.1.2.3'],
    [true, '198.51.100.1'],
  ] as const) {
    const connect = openServer(typeof trust === 'boolean' ? trust : [...trust])
    expect(Array.from({ length: 5 }, () => connect(address)).every(isOpen)).toBe(true)
  }
})

import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { expect, it } from 'vitest'
import { keepDescriptorsFree } from './free-descriptors.ts'

const HALF = 'GET / HTTP/1.1\r\nhost: localhost\r\n'

it('closes the connection that waits longest of the address with most of them, so that a new visitor is served', async () => {
  const server = createServer()
  keepDescriptorsFree(server, 4)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const sockets: Socket[] = []
  async function open(localAddress: string, bytes: string): Promise<Socket> {
    const { port } = server.address() as AddressInfo
    const socket = connect({ port, host: '127.0.0.1', localAddress })
    sockets.push(socket)
    socket.on('error', () => {}).write(bytes)
    await once(server, 'connection')
    return socket.resume()
  }
  const [reader] = await Promise.all([open('127.0.0.3', `${HALF}\r\n`), once(server, 'request')])
  const silent = await open('127.0.0.4', '')
  const [first, second] = [await open('127.0.0.2', HALF), await open('127.0.0.2', HALF)]
  server.once('request', (_, response: ServerResponse) => response.end('served'))
  const visitor = open('127.0.0.1', `${HALF}\r\n`)
  const [answer] = await once(await visitor, 'data')
  expect(String(answer)).toContain('served')
  if (!first.destroyed) await once(first, 'close')
  expect([reader, silent, second, await visitor].map(({ destroyed }) => destroyed)).toEqual([
    false,
    false,
    false,
    false,
  ])
  // Once each address has one, the one that has waited longest; the reader's never waits.
  await open('127.0.0.5', HALF)
  if (!silent.destroyed) await once(silent, 'close')
  expect([reader, second, await visitor].map(({ destroyed }) => destroyed)).toEqual([false, false, false])
  for (const socket of sockets) socket.destroy()
  server.close()
})

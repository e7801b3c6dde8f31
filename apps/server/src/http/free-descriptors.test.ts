import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { keepDescriptorsFree } from './free-descriptors.ts'

const HALF = 'GET / HTTP/1.1\r\nhost: localhost\r\n'

/** A server that keeps requests, and what opens connections to it. */
async function setUp(max: number) {
  const server = createServer()
  keepDescriptorsFree(server, max)
  const requests: ServerResponse[] = []
  server.on('request', (_, response) => requests.push(response))
  server.on('upgrade', () => {})
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const sockets: Socket[] = []
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  /** Resolves when the server has the connection. */
  async function open(bytes: string): Promise<Socket> {
    const accepted = once(server, 'connection')
    const socket = connect({ port, host: '127.0.0.1' })
    sockets.push(socket)
    socket.on('error', () => {}).write(bytes)
    await accepted
    return socket.resume()
  }
  return { server, requests, open }
}

it('a new connection closes the one that waits longest, and none that is being served', async () => {
  const { server, requests, open } = await setUp(3)
  const asked = once(server, 'request')
  const reader = await open(`${HALF}\r\n`)
  await asked
  const [silent, half] = [await open(''), await open(HALF)]
  await open(`${HALF}\r\n`)
  if (!silent.destroyed) await once(silent, 'close')
  expect([reader.destroyed, half.destroyed]).toEqual([false, false])
  requests[0]!.end('served')
  expect(String(...(await once(reader, 'data')))).toContain('served')
})

it('a browser that opens six connections at once is served on all, whoever waits', async () => {
  const { requests, server, open } = await setUp(8)
  for (let one = 0; one < 8; one += 1) await open(HALF)
  const visitor = await Promise.all(Array.from({ length: 6 }, () => open(`${HALF}\r\n`)))
  while (requests.length < 6) await once(server, 'request')
  const answers = visitor.map((socket) => once(socket, 'data'))
  for (const response of requests) response.end('served')
  expect((await Promise.all(answers)).every(([answer]) => String(answer).includes('served'))).toBe(true)
})

it('where all are being served, a new connection is served too', async () => {
  const { server, requests, open } = await setUp(1)
  const upgraded = once(server, 'upgrade')
  const live = await open(`${HALF}connection: upgrade\r\nupgrade: websocket\r\n\r\n`)
  await upgraded
  const asked = once(server, 'request')
  const visitor = await open(`${HALF}\r\n`)
  await asked
  requests[0]!.end('served')
  expect(String(...(await once(visitor, 'data')))).toContain('served')
  expect(live.destroyed).toBe(false)
})

it('a connection does not wait while its second pipelined request is being answered', async () => {
  const { server, requests, open } = await setUp(1)
  const reader = await open(`${HALF}\r\n${HALF}\r\n`)
  while (requests.length < 2) await once(server, 'request')
  requests[0]!.end('first')
  await once(reader, 'data')
  await open('')
  requests[1]!.end('second')
  expect(String(...(await once(reader, 'data')))).toContain('second')
})

import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { expect, it } from 'vitest'
import { answerUnparsed } from './errors.ts'
import { createHttpServer } from './server.ts'

it('closes the connection of a client that does not read its answer', async () => {
  const server = createHttpServer({ stalledAfterMs: 100 })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {})
  client.pause().write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n')
  const [, response] = (await once(server, 'request')) as [unknown, ServerResponse]
  response.end(Buffer.alloc(64e6))
  await once(response, 'close')
  expect(response.writableFinished).toBe(false)
  client.destroy()
  server.close()
})

it('closes the connection of a client that does not end its headers', async () => {
  const server = createHttpServer({ headersMs: 100 }).on('clientError', answerUnparsed)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {})
  let answer = ''
  client.on('data', (part) => (answer += part.toString())).write('GET / HTTP/1.1\r\nhost: localhost\r\n')
  await once(client, 'close')
  expect(answer).toMatch(/^HTTP\/1.1 408 Request Timeout\r\n/)
  expect(JSON.parse(answer.split('\r\n\r\n')[1]!)).toMatchObject({ code: 'too_slow' })
  server.close()
})

it('answers a request that offers another protocol, as Java does, and passes on websockets of the board', async () => {
  const server = createHttpServer()
    .on('request', (_request, response: ServerResponse) => response.end('answered'))
    .on('upgrade', (_request, socket: Socket) => socket.end('upgraded'))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const offer = async (protocol: string, path: string): Promise<string> => {
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
    const head = `host: localhost\r\nconnection: upgrade, close\r\nupgrade: ${protocol}`
    client.write(`GET ${path} HTTP/1.1\r\n${head}\r\n\r\n`)
    let answer = ''
    client.on('data', (part) => (answer += part.toString()))
    await once(client, 'close')
    return answer
  }
  for (const [protocol, path] of [
    ['h2c', '/socket.io/?EIO=4'],
    ['websocket', '/'],
    ['websocket', '/socket.iox'],
    ['websocket', '//socket.io/'],
  ] as const)
    expect(await offer(protocol, path)).toMatch(/^HTTP\/1.1 200 OK\r\n[^]*answered$/)
  expect(await offer('WebSocket', '/socket.io/?EIO=4')).toBe('upgraded')
  server.close()
})

it('passes on a request with an unknown expectation, so that it is limited like any other', async () => {
  const server = createHttpServer().on('request', (_request, response: ServerResponse) => response.end('answered'))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  client.write('GET / HTTP/1.1\r\nhost: localhost\r\nexpect: miracles\r\nconnection: close\r\n\r\n')
  let answer = ''
  client.on('data', (part) => (answer += part.toString()))
  await once(client, 'close')
  expect(answer).toMatch(/^HTTP\/1.1 200 OK\r\n[^]*answered$/)
  server.close()
})

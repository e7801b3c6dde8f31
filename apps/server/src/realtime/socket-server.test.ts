/** What a source may open and send over all its sockets, by hand-made requests and websockets. */
import { connect, type Socket } from 'node:net'
import { afterEach, expect, onTestFinished, vi } from 'vitest'
import type { Settings } from '../testing/board.ts'
import { boardTest } from '../testing/fixtures.ts'
import { ask } from '../testing/wire.ts'

const it = boardTest.extend('settings', { scope: 'file' }, (): Settings => ({ SOCKETS_PER_ADDRESS: '5000' }))

const sockets = new Set<Socket>()
afterEach(() => {
  for (const socket of sockets) socket.destroy()
  sockets.clear()
})

interface Client {
  readonly socket: Socket
  readonly isOpen: boolean
  /** What the server has sent. */
  heard: string
}

/**
 * Asks for a websocket, and waits for the first answer.
 * @param options.rest bytes that come with the request
 */
async function shake(url: string, address: string, { sid = '', rest = '' } = {}): Promise<Client> {
  const { port, hostname } = new URL(url)
  const socket = connect(Number(port), hostname)
  sockets.add(socket)
  const client = {
    socket,
    heard: '',
    get isOpen() {
      return !socket.closed
    },
  }
  const { promise, resolve } = Promise.withResolvers<void>()
  socket.on('error', () => {})
  // After an upgrade Engine.IO's first packet, after a refusal the end.
  socket.on('data', (bytes: Buffer) => {
    client.heard += bytes.toString('latin1')
    if (client.heard.includes('"sid"')) resolve()
  })
  socket.once('close', () => resolve())
  socket.write(
    `GET /socket.io/?EIO=4&transport=websocket${sid === '' ? '' : `&sid=${sid}`} HTTP/1.1\r\nhost: board\r\n` +
      `x-forwarded-for: ${address}\r\nupgrade: websocket\r\nconnection: upgrade\r\n` +
      `sec-websocket-version: 13\r\nsec-websocket-key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n\r\n${rest}`,
    'latin1',
  )
  await promise
  return client
}
const sidOf = ({ heard }: Client): string => /"sid":"([^"]+)"/.exec(heard)![1]!
const isAccepted = ({ heard }: Client): boolean => heard.startsWith('HTTP/1.1 101 ')

it('closes a second connection for a known sid unread, and keeps the first one', async ({ board }) => {
  const url = await board.listen()
  const first = await shake(url, '198.51.100.1')
  const second = await shake(url, '198.51.100.1', { sid: sidOf(first) })
  expect(second.heard).toMatch(/^HTTP\/1.1 400 /)
  expect([first, second].map(({ isOpen }) => isOpen)).toEqual([true, false])
  const unknown = await shake(url, '198.51.100.1', { sid: 'unknown' })
  expect([unknown.heard.slice(9, 12), unknown.isOpen]).toEqual(['400', false])
})

it('counts what comes with the request for a websocket', async ({ board }) => {
  const rest = '\x89\x80\0\0\0\0'.repeat(60)
  const client = await shake(await board.listen(), '198.51.100.5', { rest })
  await expect.poll(() => client.isOpen).toBe(false)
  // Otherwise Engine.IO closes it, after a ping that nobody answers.
  expect(client.heard).not.toContain('\x81\x012')
})

it('closes a connection that joins again before it has joined, and identifies it once', async ({ board }) => {
  const identify = vi.spyOn(board.deps.visitors, 'meetSocket')
  onTestFinished(() => identify.mockRestore())
  const client = await shake(await board.listen(), '198.51.100.6')
  // CONNECT of Socket.IO, masked with 0.
  client.socket.write(Buffer.from('\x81\x82\0\0\0\x0040'.repeat(1_000), 'latin1'))
  await expect.poll(() => client.heard.includes('\x88')).toBe(true)
  expect(identify).toHaveBeenCalledTimes(1)
})

it('answers a request that is no upgrade as at any address without a page', async ({ board }) => {
  const url = await board.listen()
  const sid = sidOf(await shake(url, '198.51.100.2'))
  for (const query of ['EIO=4&transport=polling', `EIO=4&transport=websocket&sid=${sid}`]) {
    const answers = [await ask(`${url}/socket.io/?${query}`), await ask(`${url}/nothing/?${query}`)]
    const [there, elsewhere] = answers.map(({ status, bytes }) => [status, bytes.toString()])
    expect(there).toEqual(elsewhere)
  }
})

it('refuses a flood of handshakes of one source, but none of others', async ({ board }) => {
  const url = await board.listen()
  const counts = { accepted: 0, refused: 0 }
  const open = async (address: string): Promise<void> => {
    const client = await shake(url, address)
    counts[isAccepted(client) ? 'accepted' : 'refused'] += 1
    client.socket.destroy()
  }
  for (let count = 0; count < 1_500; count += 50)
    await Promise.all(Array.from({ length: 50 }, (_, index) => open(`2001:db8:7:${(count + index).toString(16)}::1`)))
  expect(counts).toEqual({ accepted: 1_500, refused: 0 })
  await open('2001:db8:7:ffff::1')
  expect(counts).toEqual({ accepted: 1_500, refused: 1 })
  await open('2001:db8:8::1')
  expect(counts).toEqual({ accepted: 1_501, refused: 1 })
  board.clock.now += 10
  await open('2001:db8:7:ffff::1')
  expect(counts).toEqual({ accepted: 1_502, refused: 1 })
})

it('closes the sockets of a source that sends too many messages, and opens no more for it', async ({ board }) => {
  const url = await board.listen()
  const other = await shake(url, '198.51.100.4')
  const crowd = await Promise.all(Array.from({ length: 12 }, () => shake(url, '198.51.100.3')))
  // A pong of Engine.IO: of 3, masked with 0.
  const pongs = (count: number): Buffer => Buffer.from('\x81\x81\0\0\0\x003'.repeat(count), 'latin1')
  for (const { socket } of crowd) socket.write(pongs(1_900))
  await expect.poll(() => crowd.filter(({ isOpen }) => !isOpen).length, { timeout: 30_000 }).toBeGreaterThan(0)
  expect(isAccepted(await shake(url, '198.51.100.3'))).toBe(false)
  other.socket.write(pongs(1))
  expect([other.isOpen, isAccepted(await shake(url, '198.51.100.4'))]).toEqual([true, true])
  board.clock.now += 10_000
  expect(isAccepted(await shake(url, '198.51.100.3'))).toBe(true)
})

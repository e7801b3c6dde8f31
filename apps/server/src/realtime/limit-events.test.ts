import { io as connect } from 'socket.io-client'
import { expect } from 'vitest'
import { enter, type LiveClient, type Settings } from '../testing/board.ts'
import { boardTest } from '../testing/fixtures.ts'

const it = boardTest.extend('settings', { scope: 'file' }, (): Settings => ({
  SOCKET_EVENTS_PER_SECOND: '1000',
  SOCKETS_PER_ADDRESS: '2',
}))

async function connectFrom(url: string, address: string): Promise<LiveClient> {
  const socket: LiveClient = connect(url, {
    transports: ['websocket'],
    reconnection: false,
    forceNew: true,
    extraHeaders: { 'x-forwarded-for': address },
  })
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  socket.once('connect', resolve).once('connect_error', reject)
  await promise
  return socket
}

/** Sends events, and returns how many were not refused for their number. */
async function flood(socket: LiveClient, events: number): Promise<number> {
  const answers = await Promise.all(Array.from({ length: events }, async () => enter(socket, 'none')))
  return answers.filter((answer) => 'error' in answer && answer.error.code !== 'too_many_requests').length
}

it('limits the events of all sockets of an IPv6 network together, also after a reconnection', async ({ board }) => {
  const url = await board.listen()
  const [one, two] = [await connectFrom(url, '2001:db8:7:1::1'), await connectFrom(url, '2001:db8:7:2::1')]
  expect(await flood(one, 1_000)).toBe(1_000)
  expect(await flood(two, 600)).toBe(500)
  one.disconnect()
  const again = await connectFrom(url, '2001:db8:7:3::1')
  expect(await flood(again, 1)).toBe(0)
  const other = await connectFrom(url, '2001:db8:8::1')
  expect(await flood(other, 1)).toBe(1)
  board.clock.now += 1_000
  expect(await flood(again, 201)).toBe(200)
  for (const socket of [two, again, other]) socket.disconnect()
})

it('opens as many sockets of an IPv6 network as of four addresses', async ({ board }) => {
  const url = await board.listen()
  const sockets: LiveClient[] = []
  for (let index = 0; index < 8; index += 1) sockets.push(await connectFrom(url, `2001:db8:9:${index}::1`))
  await expect(connectFrom(url, '2001:db8:9:8::1')).rejects.toThrow('websocket error')
  sockets.push(await connectFrom(url, '2001:db8:a::1'))
  for (const socket of sockets) socket.disconnect()
})

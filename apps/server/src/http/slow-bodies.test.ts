import { once } from 'node:events'
import { connect, type AddressInfo, type Socket } from 'node:net'
import Fastify from 'fastify'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createByteBudget } from '../lib/byte-budget.ts'
import { openBoard, startThread, visit } from '../testing/board.ts'
import { ask as askWire } from '../testing/wire.ts'
import { handleErrors } from './errors.ts'
import { boundBodies } from './slow-bodies.ts'

const KB = 1024

async function openApp({ withinMs = 60_000 } = {}) {
  const budget = createByteBudget({ total: 400 * KB, ofOne: 200 * KB })
  const taken = vi.spyOn(budget, 'take')
  const clock = { now: 0 }
  const app = Fastify({ trustProxy: true, bodyLimit: 256 * KB })
  handleErrors(app)
  boundBodies(app, { budget, withinMs, now: () => clock.now })
  app.post('/', async ({ body }) => ({ length: (body as { text: string }).text.length }))
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  onTestFinished(() => {
    app.server.closeAllConnections()
    return app.close()
  })
  const ask = (from: string, length: number) =>
    fetch(`http://127.0.0.1:${port}/`, {
      method: 'POST',
      headers: { 'x-forwarded-for': from, 'content-type': 'application/json' },
      body: JSON.stringify({ text: 'a'.repeat(length) }),
    })
  /** Sends all of a body but its last byte. */
  async function begin(from: string, bytes: number): Promise<Socket> {
    const socket = connect(port, '127.0.0.1').on('error', () => {})
    const before = taken.mock.calls.length
    socket.write(
      `POST / HTTP/1.1\r\nhost: localhost\r\nx-forwarded-for: ${from}\r\ncontent-type: application/json\r\n` +
        `content-length: ${bytes + 1}\r\n\r\n${' '.repeat(bytes)}`,
    )
    const sum = () => taken.mock.calls.slice(before).reduce((all, [, more]) => all + more, 0)
    await expect.poll(() => sum() >= bytes - 16 * KB || socket.closed).toBe(true)
    return socket
  }
  return { ask, begin, clock }
}

it('closes connections of a source that has sent too much of bodies that do not end', async () => {
  const { ask, begin } = await openApp()
  const [first, second] = [await begin('198.51.100.1', 116 * KB), await begin('198.51.100.1', 116 * KB)]
  const third = await begin('198.51.100.1', 116 * KB)
  await expect.poll(() => third.closed).toBe(true)
  expect([first.closed, second.closed]).toEqual([false, false])
  // A short text counts for nothing, and others may send long ones.
  expect(await (await ask('198.51.100.1', 15_000)).json()).toEqual({ length: 15_000 })
  expect(await (await ask('198.51.100.2', 100_000)).json()).toEqual({ length: 100_000 })
  first.destroy()
  await expect.poll(async () => (await ask('198.51.100.1', 100_000)).status).toBe(200)
  for (let count = 0; count < 5; count += 1) expect((await ask('198.51.100.1', 100_000)).status).toBe(200)
})

it('closes the connection of a body that takes too long', async () => {
  const { begin } = await openApp({ withinMs: 100 })
  const socket = await begin('198.51.100.1', 20 * KB)
  if (!socket.closed) await once(socket, 'close')
  expect(socket.closed).toBe(true)
})

it('refuses the long bodies of a source that sends many, but not its short ones, nor those of others', async () => {
  const { ask, clock } = await openApp()
  const statuses: number[] = []
  for (let count = 0; count < 164; count += 1) statuses.push((await ask('198.51.100.1', 200 * KB)).status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(163)
  expect(statuses.at(-1)).toBe(429)
  expect((await ask('198.51.100.1', 15_000)).status).toBe(200)
  expect((await ask('198.51.100.2', 200 * KB)).status).toBe(200)
  clock.now += 1_000
  expect((await ask('198.51.100.1', 200 * KB)).status).toBe(200)
})

it('accepts only short bodies in calls that have no long ones, and long texts of posts', async () => {
  const board = await openBoard()
  onTestFinished(() => board.close())
  const guest = visit(board)
  const thread = await startThread(guest)
  const keys = 'k'.repeat(17_000)
  expect((await guest.post('/auth/login', { username: '忍者', password: keys })).status).toBe(413)
  expect((await guest.post(`/api/threads/${thread._id}/posts/${thread._id}/report`, { reason: keys })).status).toBe(413)
  expect((await guest.post('/api/proofs', { payload: keys })).status).toBe(413)
  const escaped = String.raw`\u5fcd`.repeat(4_000)
  const posted = await askWire(`${await board.listen()}/api/threads/${thread._id}/posts`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': '203.0.113.9' },
    body: `{"name":"影","content":"${escaped}"}`,
  })
  expect(posted.status).toBe(201)
})

it('closes the connection of a read with a body once it has its answer, and of no other', async () => {
  const board = await openBoard()
  onTestFinished(() => board.close())
  const { port, hostname } = new URL(await board.listen())
  async function read(method: string, fields: string, body = ''): Promise<{ status: string; isOpen: boolean }> {
    const socket = connect(Number(port), hostname).on('error', () => {})
    onTestFinished(() => void socket.destroy())
    socket.write(`${method} /api/categories HTTP/1.1\r\nhost: localhost\r\n${fields}\r\n${body}`)
    const [answer] = (await once(socket, 'data')) as [Buffer]
    const closes = /\r\nconnection: close\r\n/i.test(answer.toString())
    if (closes && !socket.closed) await once(socket.resume(), 'close')
    return { status: answer.toString().slice(9, 12), isOpen: !closes }
  }
  // The first answer comes from the route, the next ones from the cache.
  for (const method of ['GET', 'GET', 'HEAD']) {
    expect(await read(method, 'transfer-encoding: chunked\r\n', '1\r\na\r\n')).toEqual({ status: '200', isOpen: false })
    expect(await read(method, 'content-length: 5\r\n', 'a')).toEqual({ status: '200', isOpen: false })
  }
  expect(await read('GET', 'content-length: 0\r\n')).toEqual({ status: '200', isOpen: true })
  expect(await read('GET', '')).toEqual({ status: '200', isOpen: true })
})

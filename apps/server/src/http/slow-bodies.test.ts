import { once } from 'node:events'
import { connect, type AddressInfo, type Socket } from 'node:net'
import Fastify from 'fastify'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createByteBudget } from '../lib/byte-budget.ts'
import { boundBodies } from './slow-bodies.ts'

const KB = 1024

async function openApp({ withinMs = 60_000 } = {}) {
  const budget = createByteBudget({ total: 400 * KB, ofOne: 200 * KB })
  const taken = vi.spyOn(budget, 'take')
  const app = Fastify({ trustProxy: true, bodyLimit: 256 * KB })
  boundBodies(app, { budget, withinMs })
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
    await vi.waitFor(() => expect(sum() >= bytes - 16 * KB || socket.closed).toBe(true))
    return socket
  }
  return { ask, begin }
}

it('closes connections of a source that has sent too much of bodies that do not end', async () => {
  const { ask, begin } = await openApp()
  const [first, second] = [await begin('198.51.100.1', 116 * KB), await begin('198.51.100.1', 116 * KB)]
  const third = await begin('198.51.100.1', 116 * KB)
  await vi.waitFor(() => expect(third.closed).toBe(true))
  expect([first.closed, second.closed]).toEqual([false, false])
  // A short text counts for nothing, and others may send long ones.
  expect(await (await ask('198.51.100.1', 15_000)).json()).toEqual({ length: 15_000 })
  expect(await (await ask('198.51.100.2', 100_000)).json()).toEqual({ length: 100_000 })
  first.destroy()
  await vi.waitFor(async () => expect((await ask('198.51.100.1', 100_000)).status).toBe(200))
  for (let count = 0; count < 5; count += 1) expect((await ask('198.51.100.1', 100_000)).status).toBe(200)
})

it('closes the connection of a body that takes too long', async () => {
  const { begin } = await openApp({ withinMs: 100 })
  const socket = await begin('198.51.100.1', 20 * KB)
  if (!socket.closed) await once(socket, 'close')
  expect(socket.closed).toBe(true)
})

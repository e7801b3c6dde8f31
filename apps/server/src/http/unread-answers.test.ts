import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { boundUnreadAnswers, WatchedResponse } from './unread-answers.ts'

const MB = 1024 * 1024
const LIMITS = { ofOne: 40 * MB, total: 100 * MB }
const senderOf = ({ headers }: IncomingMessage): string => String(headers['x-sender'])

/** Opens a server whose answers have 16 MB, and a function that asks for some and reads none. */
async function openServer() {
  const server = createServer({ ServerResponse: WatchedResponse }, (request, response) => {
    response.end(Buffer.alloc(request.url === '/short' ? 100 : 16 * MB))
  })
  boundUnreadAnswers(server, senderOf, LIMITS)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const clients: Socket[] = []
  onTestFinished(() => {
    for (const client of clients) client.destroy()
    server.close()
  })
  async function ask(sender: string, times = 1): Promise<{ isClosed: () => boolean }> {
    const served = once(server, 'connection')
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {})
    clients.push(client)
    const [socket] = (await served) as [Socket]
    const asked = Promise.withResolvers<void>()
    let left = times
    const count = ({ socket: from }: IncomingMessage): void => {
      if (from === socket && (left -= 1) === 0) asked.resolve()
    }
    server.on('request', count)
    client.pause().write(`GET / HTTP/1.1\r\nhost: localhost\r\nx-sender: ${sender}\r\n\r\n`.repeat(times))
    await asked.promise
    server.off('request', count)
    return { isClosed: () => socket.destroyed }
  }
  return { ask, port: (server.address() as AddressInfo).port }
}

it('closes the connections of a sender who has not read the oldest of its answers, and no others', async () => {
  const { ask } = await openServer()
  const other = await ask('other')
  const answers = []
  for (let count = 0; count < 4; count += 1) answers.push(await ask('deaf'))
  expect(answers.map(({ isClosed }) => isClosed())).toEqual([true, true, false, false])
  expect(other.isClosed()).toBe(false)
})

it('closes the oldest of all when many senders read nothing, so that new ones are answered', async () => {
  const { ask, port } = await openServer()
  const answers = []
  for (let count = 0; count < 8; count += 1) answers.push(await ask(`sender ${count}`))
  expect(answers.map(({ isClosed }) => isClosed())).toEqual([true, true, ...Array.from({ length: 6 }, () => false)])
  const read = await fetch(`http://127.0.0.1:${port}/`)
  expect((await read.arrayBuffer()).byteLength).toBe(16 * MB)
})

it('counts answers that wait behind another one on the same connection', async () => {
  const { ask } = await openServer()
  const piped = await ask('deaf', 4)
  expect(piped.isClosed()).toBe(true)
})

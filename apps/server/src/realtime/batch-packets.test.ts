import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo, Socket as Stream } from 'node:net'
import { Server } from 'socket.io'
import { io as connect } from 'socket.io-client'
import { expect, it, onTestFinished } from 'vitest'
import type { ThreadState } from '@shinobi/contract/events'
import { batchPackets } from './batch-packets.ts'
import type { LiveServer } from './live.ts'

const EVENTS = 100

it('sends packets broadcast at the same moment to each reader with two writes, complete and in order', async () => {
  const http = createServer()
  let writes = 0
  http.on('connection', (stream: Stream) => {
    const internals = stream as unknown as Record<'_write' | '_writev', (...args: unknown[]) => void>
    for (const name of ['_write', '_writev'] as const) {
      const original = internals[name]
      internals[name] = function (...args) {
        writes += 1
        return original.apply(this, args)
      }
    }
  })
  const io: LiveServer = new Server(http, { transports: ['websocket'] })
  batchPackets(io)
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  const client = connect(`http://127.0.0.1:${(http.address() as AddressInfo).port}`, { transports: ['websocket'] })
  onTestFinished(async () => {
    client.disconnect()
    await io.close()
  })
  const received: number[] = []
  const all = Promise.withResolvers<void>()
  client.on('threadChanged', ({ revision }: ThreadState) => {
    received.push(revision)
    if (received.length === EVENTS) all.resolve()
  })
  const welcomed = Promise.withResolvers<void>()
  client.on('connect', welcomed.resolve)
  await welcomed.promise

  writes = 0
  const sent = Array.from({ length: EVENTS }, (_, index) => index)
  for (const revision of sent) io.emit('threadChanged', { threadId: 'a thread', postCount: 1, revision })
  await all.promise

  expect(received).toEqual(sent)
  // The first is written at once, all others together after it.
  expect(writes).toBe(2)
})

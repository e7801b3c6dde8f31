/** Incomplete messages, and events that are not read, over real sockets. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server as HttpServer } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { Server } from 'socket.io'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createByteBudget } from '../lib/byte-budget.ts'
import { createBucket, type Bucket } from '../lib/token-bucket.ts'
import { boundFrames } from './bound-frames.ts'
import type { LiveServer } from './live.ts'

const KB = 1024
const SOON = { timeout: 60_000, interval: 5 }
const clock = { now: 0 }
let http: HttpServer
let io: LiveServer
let frames: ReturnType<typeof boundFrames>
let clients: Socket[]
/** Of the source `crowd`; others have no limit. */
let ofCrowd: Bucket
const ofOthers = createBucket(0, Infinity, () => 0)

const senderOf = ({ url }: IncomingMessage): string => String(url).split('from=')[1]!

beforeEach(async () => {
  clock.now = 0
  clients = []
  http = createServer()
  io = new Server(http, { transports: ['websocket'], maxHttpBufferSize: 10_000 * KB })
  const budget = createByteBudget({ total: 1_000 * KB, ofOne: 600 * KB })
  ofCrowd = createBucket(10, 100, () => clock.now)
  frames = boundFrames(io, {
    budget,
    senderOf,
    messagesOf: (request) => (senderOf(request) === 'crowd' ? ofCrowd : ofOthers),
    now: () => clock.now,
  })
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
})
afterEach(async () => {
  frames.stop()
  for (const client of clients) client.destroy()
  await io.close()
})

interface Client {
  readonly socket: Socket
  /** The server's side. */
  readonly stream: Socket
}

/** A hand-made websocket, because no library can send half a frame. */
async function open(from: string): Promise<Client> {
  const { port } = http.address() as AddressInfo
  const accepted = once(http, 'connection') as Promise<[Socket]>
  const socket = connect(port, '127.0.0.1')
  clients.push(socket)
  socket.on('error', () => {})
  socket.write(
    `GET /socket.io/?EIO=4&transport=websocket&from=${from} HTTP/1.1\r\nhost: board\r\nupgrade: websocket\r\n` +
      'connection: upgrade\r\nsec-websocket-version: 13\r\nsec-websocket-key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n\r\n',
  )
  const [stream] = await accepted
  await once(socket, 'data')
  socket.resume()
  return { socket, stream }
}

/** The header of a masked frame of a given length; a whole text by default. */
function head(bytes: number, first = 0x81): Buffer {
  const start = Buffer.alloc(14)
  start.writeUInt8(first, 0)
  start.writeUInt8(0xff, 1)
  start.writeBigUInt64BE(BigInt(bytes), 2)
  return start
}
/** A complete frame with a mask of 0. */
const whole = (text: string): Buffer => Buffer.concat([head(text.length), Buffer.from(text)])

/** A text of several frames. */
function split(text: string, bytes: number): Buffer {
  const parts = text.match(new RegExp(`.{1,${bytes}}`, 'gs'))!
  const last = parts.length - 1
  return Buffer.concat(
    parts.flatMap((part, index) => [
      head(part.length, (index === 0 ? 1 : 0) + (index === last ? 0x80 : 0)),
      Buffer.from(part),
    ]),
  )
}

/** Sends bytes, and waits until the server has read them or closed the connection. */
async function send({ socket, stream }: Client, bytes: Buffer): Promise<void> {
  const before = stream.bytesRead
  socket.write(bytes)
  await vi.waitUntil(() => stream.bytesRead - before >= bytes.length || stream.destroyed, SOON)
}
/** Engine.IO's close, which no client of these tests answers. */
function closeAll(): void {
  for (const connection of Object.values(io.engine['clients'])) connection.close()
}
const isCut = ({ stream }: Client): Promise<boolean> => vi.waitUntil(() => stream.destroyed, SOON)

describe('incomplete messages', () => {
  it('are cut off when one sender has too many, without affecting others', async () => {
    const first = await open('a')
    await send(first, Buffer.concat([head(5_000 * KB), Buffer.alloc(400 * KB)]))
    const second = await open('a')
    await send(second, Buffer.concat([head(5_000 * KB), Buffer.alloc(400 * KB)]))
    expect(await Promise.race([isCut(first), isCut(second)])).toBe(true)
    const other = await open('b')
    await send(other, Buffer.concat([head(300 * KB), Buffer.alloc(300 * KB)]))
    expect(other.stream.destroyed).toBe(false)
  })

  it('are cut off when they stop growing, or take too long', async () => {
    const still = await open('a')
    const slow = await open('b')
    const small = await open('c')
    await send(still, Buffer.concat([head(500 * KB), Buffer.alloc(100 * KB)]))
    await send(small, Buffer.concat([head(500 * KB), Buffer.alloc(1 * KB)]))
    for (let second = 0; second < 70; second += 5) {
      await send(slow, second === 0 ? Buffer.concat([head(500 * KB), Buffer.alloc(70 * KB)]) : Buffer.alloc(64))
      clock.now += 5_000
      frames.look()
      if (second === 15) expect(await isCut(still)).toBe(true)
      if (second === 30) expect(slow.stream.destroyed).toBe(false)
    }
    expect(await isCut(slow)).toBe(true)
    expect(small.stream.destroyed).toBe(false)
  })

  it('stop counting once they are complete', async () => {
    const client = await open('a')
    // Events of Socket.IO, after the connection was accepted.
    await send(client, whole('40'))
    for (let round = 0; round < 5; round += 1) await send(client, whole(`42["knock","${'a'.repeat(400 * KB)}"]`))
    expect(client.stream.destroyed).toBe(false)
  })

  it('leave small messages of everybody else alone, also when all together have too many', async () => {
    const reader = await open('reader')
    await send(reader, whole('40'))
    for (const [from, bytes] of [
      ['a', 595 * KB],
      ['b', 390 * KB],
    ] as const) {
      const full = await open(from)
      await send(full, Buffer.concat([head(5_000 * KB), Buffer.alloc(bytes)]))
    }
    await send(reader, whole(`42["knock","${'a'.repeat(30 * KB)}"]`))
    expect(reader.stream.destroyed).toBe(false)
  })

  it('of a connection that Engine.IO has closed count until its client hangs up', async () => {
    const first = await open('a')
    closeAll()
    await send(first, Buffer.concat([head(5_000 * KB), Buffer.alloc(400 * KB)]))
    const second = await open('a')
    await send(second, Buffer.concat([head(5_000 * KB), Buffer.alloc(400 * KB)]))
    expect(await isCut(second)).toBe(true)
    first.socket.destroy()
    await isCut(first)
    const third = await open('a')
    await send(third, Buffer.concat([head(5_000 * KB), Buffer.alloc(400 * KB)]))
    expect(third.stream.destroyed).toBe(false)
  })
})

describe('a connection that sends more than events may be', () => {
  const ping = Buffer.from([0x89, 0x80, 0, 0, 0, 0])

  it('is cut off for its pings, and no other', async () => {
    const [flooding, other] = [await open('a'), await open('a')]
    await send(flooding, Buffer.concat(Array.from({ length: 60 }, () => ping)))
    expect(await isCut(flooding)).toBe(true)
    await send(other, Buffer.concat(Array.from({ length: 40 }, () => ping)))
    expect(other.stream.destroyed).toBe(false)
  })

  it('is cut off for its messages, and may send them as fast as people do', async () => {
    const [flooding, slow] = [await open('a'), await open('b')]
    for (const client of [flooding, slow]) await send(client, whole('40'))
    for (let second = 0; second < 60; second += 1) {
      await send(slow, Buffer.concat(Array.from({ length: 50 }, () => whole('3'))))
      clock.now += 1_000
    }
    expect(slow.stream.destroyed).toBe(false)
    await send(flooding, Buffer.concat(Array.from({ length: 2_100 }, () => whole('3'))))
    expect(await isCut(flooding)).toBe(true)
  })

  it('is cut off for its messages also after Engine.IO has closed it', async () => {
    const client = await open('a')
    closeAll()
    await send(client, Buffer.concat(Array.from({ length: 2_100 }, () => whole('3'))))
    // At once, not when its client does not answer the close for half a minute.
    expect(client.stream.destroyed).toBe(true)
  })

  it('is cut off when all of its source send too many messages and pings, and no other', async () => {
    const [first, second, other] = [await open('crowd'), await open('crowd'), await open('a')]
    await send(first, Buffer.concat(Array.from({ length: 60 }, () => whole('3'))))
    await send(second, Buffer.concat(Array.from({ length: 40 }, () => ping)))
    expect([first, second].map(({ stream }) => stream.destroyed)).toEqual([false, false])
    await send(second, ping)
    expect(await isCut(second)).toBe(true)
    await send(other, whole('3'))
    clock.now += 1_000
    await send(first, Buffer.concat(Array.from({ length: 10 }, () => whole('3'))))
    expect([first, other].map(({ stream }) => stream.destroyed)).toEqual([false, false])
    await send(first, whole('3'))
    expect(await isCut(first)).toBe(true)
  })
})

describe('frames of a message', () => {
  const emptyFrame = Buffer.from([0, 0x80, 0, 0, 0, 0])
  const connection = () => Object.values(io.engine['clients'])[0]!
  /** Why Engine.IO closes the one connection; a ping that is not answered is another reason. */
  const closing = () => once(connection(), 'close').then(([reason]) => reason as string)

  it('end the connection when they are many and short, before the message is complete', async () => {
    const client = await open('a')
    const reason = closing()
    await send(client, head(0, 1))
    await send(client, Buffer.concat(Array.from({ length: 3 }, () => emptyFrame)))
    expect(io.engine.clientsCount).toBe(1)
    await send(client, emptyFrame)
    expect(await reason).toBe('transport error')
  })

  it('end the connection when nearly all of them are empty', async () => {
    const client = await open('a')
    const ended = Promise.race([closing(), once(connection(), 'packet').then(() => 'packet')])
    const frames = Array.from({ length: 10_000 }, () => emptyFrame)
    await send(client, Buffer.concat([head(0, 1), ...frames, head(1, 0x80), Buffer.from('3')]))
    expect(await ended).toBe('transport error')
  })

  it('may be as many as of a program that splits all messages by 4 kB', async () => {
    const client = await open('a')
    await send(client, whole('40'))
    const received: number[] = []
    connection().on('data', ({ length }) => received.push(length))
    const event = (length: number): string => `42["knock","${'a'.repeat(length)}"]`
    const lengths = [10, 5 * KB, 100 * KB, 10, 500 * KB, 70 * KB]
    await send(client, Buffer.concat(lengths.map((length) => split(event(length), 4 * KB))))
    await expect.poll(() => received).toEqual(lengths.map((length) => event(length).length - 1))
  })
})

describe('events that are not read', () => {
  it('end the connection when a thousand wait, and no other', async () => {
    const [reading, silent] = [await open('a'), await open('b')]
    const joined = new Promise<void>((resolve) => {
      let count = 0
      io.on('connection', () => (count += 1) === 2 && resolve())
    })
    for (const client of [reading, silent]) await send(client, whole('40'))
    await joined
    silent.socket.pause()
    const waiting = (): number[] => [...io.sockets.sockets.values()].map(({ conn }) => conn['writeBuffer'].length)
    const large = 'a'.repeat(20 * KB)
    // More than the kernel's buffers hold: the stream of the silent one has it all, and takes no
    // more.
    for (let count = 0; count < 1_000; count += 1) io.emit('postError', { code: 'unexpected', message: large })
    await vi.waitUntil(() => waiting().every((count) => count === 0), SOON)
    for (let count = 0; count < 1_000; count += 1) io.emit('noticesChanged')
    await vi.waitUntil(() => waiting().includes(0), SOON)
    frames.look()
    expect(silent.stream.destroyed).toBe(false)
    io.emit('noticesChanged')
    await vi.waitUntil(() => waiting().includes(0), SOON)
    frames.look()
    expect(await isCut(silent)).toBe(true)
    expect(reading.stream.destroyed).toBe(false)
  })
})

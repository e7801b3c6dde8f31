/**
 * One attack by a client without an account, in a process of its own, so that its cost is not
 * measured as the board's: `node torture/attacker.ts <attack> <url> <thread> <milliseconds>`.
 * Prints the answers, by status.
 */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { encodePng } from './lib/picture.ts'

const [attack = '', url = '', thread = '', milliseconds = '0'] = process.argv.slice(2)
const until = performance.now() + Number(milliseconds)
const heard = new Map<number, number>()

const isOver = (): boolean => performance.now() >= until
/** Longer than anything is meant to take. */
const WITHIN_MS = 30_000
const agent = new Agent({ keepAlive: true })

interface Call {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
}

/**
 * Sends a request from an address. The answer is taken as the board packs it, and not unpacked,
 * which would take the processor from the board.
 * @returns the status, 0 without a whole answer
 */
function call(path: string, address: string, { method = 'GET', headers = {}, body }: Call = {}): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>()
  request(
    new URL(path, url),
    {
      ...{ method, agent, signal: AbortSignal.timeout(WITHIN_MS) },
      headers: { 'x-forwarded-for': address, origin: url, 'accept-encoding': 'br, gzip', ...headers },
    },
    (answer) => answer.resume().once('close', () => resolve(answer.complete ? answer.statusCode! : 0)),
  )
    .once('error', () => resolve(0))
    .end(body)
  return promise
}

/** Keeps this many requests in flight, and counts the answers. */
async function flood(atOnce: number, ask: (count: number) => Promise<number>): Promise<void> {
  let count = 0
  const one = async (): Promise<void> => {
    while (!isOver()) {
      const status = await ask((count += 1))
      heard.set(status, (heard.get(status) ?? 0) + 1)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, one))
}

function open(head: string): Socket {
  const { port, hostname } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  socket.write(head)
  return socket
}

/** Asks for a websocket: a new one, or another connection for one that is open. */
const openWebsocket = (address: string, sid = ''): Socket =>
  open(
    `GET /socket.io/?EIO=4&transport=websocket${sid && `&sid=${sid}`} HTTP/1.1\r\nhost: board\r\nx-forwarded-for: ${address}\r\nupgrade: websocket\r\n` +
      `connection: upgrade\r\nsec-websocket-version: 13\r\nsec-websocket-key: ${randomBytes(16).toString('base64')}\r\n\r\n`,
  )

/**
 * Sends the same bytes again and again over some websockets, and opens others for those that the
 * server closes.
 */
async function pour(bytes: Buffer, address: string, sockets = 8): Promise<void> {
  let closed = 0
  const one = async (): Promise<void> => {
    while (!isOver()) {
      const socket = openWebsocket(address)
      socket.resume()
      // The handshake is over, and the board's own part of it.
      await sleep(50)
      while (!isOver() && !socket.destroyed) {
        if (socket.writableLength < MB) socket.write(bytes)
        await sleep(5)
      }
      closed += socket.destroyed ? 1 : 0
      socket.destroy()
    }
  }
  await Promise.all(Array.from({ length: sockets }, one))
  heard.set(0, closed)
}

/** A short message of text, masked with 0. */
const frame = (text: string): Buffer =>
  Buffer.concat([Buffer.from([0x81, 0x80 | text.length, 0, 0, 0, 0]), Buffer.from(text)])

/** 130 messages of 23.9 MB, each sent for the most part and never finished. */
async function sendHalfMessages(address: string, sid?: string): Promise<void> {
  let taken = 0
  const sockets = Array.from({ length: 130 }, (_, index) => {
    const socket = openWebsocket(address, sid)
    socket.once('data', (answer: Buffer) => (taken += answer.includes(' 101 ') ? 1 : 0))
    const head = Buffer.alloc(14)
    head.writeUInt16BE(0x81ff)
    head.writeBigUInt64BE(BigInt(Math.floor(23.9 * MB)), 2)
    setTimeout(() => socket.write(Buffer.concat([head, Buffer.alloc(20 * MB, index)])), 300).unref()
    return socket
  })
  while (!isOver()) await sleep(50)
  // 101: accepted; 0: closed by the server.
  heard.set(101, taken).set(0, sockets.filter((socket) => socket.closed).length)
  for (const socket of sockets) socket.destroy()
}

const MB = 1024 * 1024

const attacks: Record<string, () => Promise<void>> = {
  /**
   * Pages of a thread of nothing but anchors, made uncacheable by a new parameter or value, and
   * from each of its posts on.
   */
  bombs: () =>
    flood(12, (count) =>
      call(
        `/thread/${thread}?${[`q=${count}`, `after=z${count}`, `after=${count % 50}`][count % 3]}&r=${count}`,
        '203.0.113.1',
      ),
    ),
  /** One page of that thread, with a field that says who asks. */
  tokens: () => flood(32, () => call(`/thread/${thread}`, '203.0.113.3', { headers: { authorization: 'x' } })),
  /** Addresses without a page, without a category, and with a place in a list that is none. */
  missing: () =>
    flood(32, (count) =>
      call(`/${[`x${count}`, `categories/x${count}`, `moderation-log?cursor=z${count}`][count % 3]}`, '203.0.113.4'),
    ),
  /** Common and absent words, in the order of posts, from many addresses. */
  searches: () =>
    flood(14, (count) =>
      call(
        `/api/threads?sort=popular&search=${encodeURIComponent(`の -ザ${count} -ズ${count} -ゼ -ゾ${count}`)}`,
        `203.0.113.${count % 200}`,
      ),
    ),
  'half-messages': () => sendHalfMessages('203.0.113.2'),
  /** The same as second connections for one socket. */
  async 'known-sid'() {
    const socket = openWebsocket('203.0.113.8')
    let said = ''
    socket.on('data', (bytes: Buffer) => (said += bytes.toString('latin1')))
    while (!isOver() && !said.includes('"sid"')) await once(socket, 'data')
    await sendHalfMessages('203.0.113.8', /"sid":"([^"]+)"/.exec(said)?.[1])
  },
  /** Handshakes of sockets that are closed at once. */
  handshakes: () =>
    flood(32, async () => {
      const socket = openWebsocket('203.0.113.9')
      const status = await new Promise<number>((resolve) => {
        socket.once('data', (answer: Buffer) => resolve(Number(answer.toString('latin1', 9, 12))))
        socket.once('close', () => resolve(0))
      })
      socket.destroy()
      return status
    }),
  /** Events over two hundred sockets of one address, most of which are refused. */
  events() {
    const event = frame('42["joinThread",{}]')
    const events = Array.from({ length: 20 }, () => event)
    return pour(Buffer.concat([frame('40'), ...events]), '203.0.113.10', 200)
  },
  /** Pings of the protocol, which have no content. */
  pings: () =>
    pour(Buffer.concat(Array.from({ length: 5_000 }, () => Buffer.from([0x89, 0x80, 0, 0, 0, 0]))), '203.0.113.6'),
  /** Messages of 56 kB of empty values, after the one that opens the connection of Socket.IO. */
  messages() {
    const text = `42["joinThread",[${Array.from({ length: 18_000 }, () => '{}').join(',')}]]`
    const head = Buffer.alloc(8)
    head.writeUInt16BE(0x81fe)
    head.writeUInt16BE(text.length, 2)
    return pour(Buffer.concat([frame('40'), head, Buffer.from(text)]), '203.0.113.7')
  },
  /** Forms of 10 MB with too many fields, given up as soon as they are refused. */
  async 'refused-forms'() {
    const field = '--b\r\ncontent-disposition: form-data; name="x"\r\n\r\nx\r\n'
    let count = 0
    while (!isOver()) {
      const socket = open(
        `POST /api/threads/${thread}/posts HTTP/1.1\r\nhost: board\r\nx-forwarded-for: 203.0.113.${20 + ((count += 1) % 5)}\r\n` +
          `content-type: multipart/form-data; boundary=b\r\ncontent-length: ${10 * MB}\r\n\r\n${field.repeat(14)}`,
      )
      socket.once('data', (answer: Buffer) => {
        const status = Number(answer.toString('latin1', 9, 12))
        heard.set(status, (heard.get(status) ?? 0) + 1)
        socket.destroy()
      })
      await sleep(20)
    }
  },
  /** A picture of 63 million pixels in one line, in some kilobytes. */
  async line() {
    const height = 63_000_000
    const form = new FormData()
    form.set('content', '線')
    form.set('name', '線画')
    const bytes = new Uint8Array(encodePng(1, height, Buffer.alloc(height * 4)))
    form.set('image', new Blob([bytes], { type: 'image/png' }), 'line.png')
    // Encoded once: the attacker's own work must not take the processor from the board.
    const encoded = new Response(form)
    const type = encoded.headers.get('content-type')!
    const body = new Uint8Array(await encoded.arrayBuffer())
    await flood(4, (count) =>
      call(`/api/threads/${thread}/posts`, `203.0.113.${count % 200}`, {
        ...{ method: 'POST', body },
        headers: { 'content-type': type },
      }),
    )
  },
  /** Pages and searches of a thread of long posts, from each of its posts on. */
  'long-posts': () =>
    flood(32, (count) => {
      const part =
        count % 4 === 0
          ? `search?search=${encodeURIComponent(`👨 -ザ${count}`)}`
          : `?limit=${50 + (count % 50)}&after=${count % 20}`
      return call(`/api/threads/${thread}/posts${count % 4 === 0 ? '/' : ''}${part}`, '203.0.113.3')
    }),
  /** 300 pages of long posts, asked for over 30 connections that are not read. */
  async unread() {
    const sockets = Array.from({ length: 30 }, (_, after) => {
      const ask = (limit: number): string =>
        `GET /api/threads/${thread}/posts?limit=${limit}&after=${after} HTTP/1.1\r\n` +
        'host: board\r\nx-forwarded-for: 203.0.113.4\r\n\r\n'
      return open(Array.from({ length: 10 }, (_, count) => ask(51 + count)).join('')).pause()
    })
    while (!isOver()) await sleep(50)
    // Closed by the server; a socket that is not read does not learn it.
    for (const socket of sockets) socket.resume()
    await sleep(500)
    heard.set(0, sockets.filter((socket) => socket.destroyed).length)
    for (const socket of sockets) socket.destroy()
  },
  /** 800 posts of 200 kB of JSON without the last byte. */
  async unended() {
    const body = `{"content":"${'x'.repeat(200_000)}`
    let refused = 0
    const sockets = Array.from({ length: 800 }, () => {
      const socket = open(
        `POST /api/threads/${thread}/posts HTTP/1.1\r\nhost: board\r\nx-forwarded-for: 203.0.113.5\r\n` +
          `content-type: application/json\r\ncontent-length: ${body.length + 1}\r\n\r\n${body}`,
      )
      socket.on('data', (answer: Buffer) => (refused += answer.includes(' 429 ') ? 1 : 0))
      return socket
    })
    while (!isOver()) await sleep(50)
    heard.set(429, refused).set(0, sockets.filter((socket) => socket.closed).length)
    for (const socket of sockets) socket.destroy()
  },
  /** 32 uploads from two addresses, which send a byte now and then. */
  async 'slow-forms'() {
    const sockets = Array.from({ length: 32 }, (_, index) =>
      open(
        `POST /api/threads/${thread}/posts HTTP/1.1\r\nhost: board\r\nx-forwarded-for: 203.0.113.${index % 2}\r\n` +
          'content-type: multipart/form-data; boundary=b\r\ncontent-length: 9000000\r\n\r\n' +
          '--b\r\ncontent-disposition: form-data; name="image"; filename="a.png"\r\n\r\n',
      ),
    )
    while (!isOver()) {
      for (const socket of sockets) if (!socket.destroyed) socket.write('x')
      await sleep(100)
    }
    for (const socket of sockets) socket.destroy()
  },
  /** Log-ins from as many addresses as one subscriber has. */
  'log-ins': () =>
    flood(30, (count) =>
      call('/auth/login', `2001:db8:7:${(count % 65_536).toString(16)}::1`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ username: `だれか${count}`, password: 'まちがい' }),
      }),
    ),
}

await attacks[attack]!()
console.log(JSON.stringify(Object.fromEntries(heard)))
process.exit(0)

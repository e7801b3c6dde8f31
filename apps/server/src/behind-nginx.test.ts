/**
 * The board as a process behind Debian's nginx, with the configuration of ops/nginx, as readers,
 * members and writers see it.
 */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { IMAGE_MAX_BYTES } from '@shinobi/contract/limits'
import { messages } from '@shinobi/contract/messages'
import type { Post } from '@shinobi/contract/posts'
import type { Thread } from '@shinobi/contract/threads'
import { ACCESS_KEY } from './http/docs.ts'
import { connectTo, enter, hear, PASSWORD, send, startThread, visit, writeTo, type Guest } from './testing/board.ts'
import { startNginx, startWatchedNginx, type WatchedNginx } from './testing/outside/nginx.ts'
import { openServerProcesses, started, type ServerProcesses } from './testing/server-process.ts'
import { ask, type WireAnswer, type WireRequest } from './testing/wire.ts'

/** The maximum age of a cached copy, according to ops/nginx and the board. */
const COPY_LIVES_MS = 2_000
/** Only what never comes fails a test. */
const PATIENCE_MS = 60_000
/** The pages exist when the web app was built, as in `npm test`. */
const hasPages = existsSync(resolve(import.meta.dirname, '../../web/dist/server/entry-server.js'))

let servers: ServerProcesses
let server: ChildProcess
let settings: Record<string, string>
let origin: string
let nginx: WatchedNginx
let admin: Guest
let kaede: Guest
let visitor: Guest
let thread: Thread

describe('nginx in front of the board', () => {
  beforeAll(async () => {
    servers = openServerProcesses()
    settings = {
      PUBLIC_URL: 'http://localhost',
      // The board trusts all forwarded addresses, so nginx has to replace those that visitors send.
      TRUST_PROXY: 'true',
      NEWS_SCHEDULE: 'false',
      SHIELD_AUTOMATIC: 'false',
      REGISTRATIONS_PER_HOUR: '3',
      ...{ ADMIN_USERNAME: '頭領様', ADMIN_EMAIL: 'toryo@example.jp', ADMIN_PASSWORD: PASSWORD },
    }
    origin = await startServer()
    nginx = await startWatchedNginx(origin)
    visitor = come()
    admin = come()
    await admin.post('/auth/login', { username: '頭領様', password: PASSWORD })
    kaede = await register('楓の葉')
    thread = await startThread(visitor)
  })
  afterAll(async () => {
    await nginx?.close()
    await servers?.close()
  })

  it('answers a repeated request from its cache, without a request to the board', async () => {
    for (const path of hasPages ? ['/api/threads', '/', `/thread/${thread._id}`] : ['/api/threads']) {
      const { bytes } = await read(path)
      const { answer, asked } = await hit(path)
      expect([path, asked, answer.bytes.equals(bytes)]).toEqual([path, 0, true])
      // A logged-in member gets the same copy, and no copy contains a cookie.
      const asMember = await hit(path, { cookie: cookieOf(kaede) })
      expect([path, asMember.asked, asMember.answer.headers['set-cookie']]).toEqual([path, 0, undefined])
      expect(asMember.answer.bytes.equals(bytes)).toBe(true)
    }
  })

  it('sends one request to the board for many concurrent requests of an uncached answer', async () => {
    // A round counts only if the board answered before nginx's cache lock timed out.
    await until(async (round) => {
      const path = `/api/threads/trending?limit=${round + 10}`
      const answers = await Promise.all(Array.from({ length: 40 }, () => read(path)))
      expect(new Set(answers.map(({ bytes }) => bytes.toString())).size).toBe(1)
      return nginx.asked(path) === 1
    })
  })

  it('answers 304 to a matching ETag, from a fresh copy and after its expiry', async () => {
    const path = `/api/threads/${thread._id}`
    const { headers } = await read(path)
    const ifNoneMatch = { 'if-none-match': headers.etag! }
    expect(headers.etag).toMatch(/^"[\w-]{27}"$/)
    const { answer } = await hit(path, ifNoneMatch)
    expect([answer.status, answer.bytes.length, answer.headers.etag]).toEqual([304, 0, headers.etag])
    // nginx revalidates its copy in the same way, and only headers are transferred.
    const revalidated = await until(async () => {
      const again = await read(path)
      return again.headers['x-cache-status'] === 'REVALIDATED' ? again : null
    })
    expect([revalidated.status, revalidated.headers.etag]).toEqual([200, headers.etag])
    expect((await read(path, { ...ifNoneMatch, method: 'HEAD' })).status).toBe(304)
  })

  it.skipIf(!hasPages)(
    'sends every browser an encoding that it accepts, from three copies for all forms of Accept-Encoding',
    async () => {
      const plain = await read('/about')
      for (const [accepted, encoding, unpack] of [
        ['gzip', 'gzip', gunzipSync],
        ['br', 'br', brotliDecompressSync],
        ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
        ['deflate, gzip;q=1.0', 'gzip', gunzipSync],
        ['br;q=0, gzip', 'gzip', gunzipSync],
        ['br;q=0, gzip;q=0', undefined, (bytes: Buffer) => bytes],
      ] as const) {
        const { headers, bytes } = await read('/about', { 'accept-encoding': accepted })
        expect([accepted, headers['content-encoding'], unpack(bytes).equals(plain.bytes)]).toEqual([
          accepted,
          encoding,
          true,
        ])
      }
      const { answer, asked } = await hit('/about', { 'accept-encoding': 'gzip, br;q=0.9' })
      expect([answer.headers['content-encoding'], asked]).toEqual(['br', 0])
    },
  )

  it('shows readers a new post within the maximum age of a copy, and its author at once', async () => {
    const path = `/api/threads/${thread._id}/posts`
    const last = ({ bytes }: WireAnswer): string => (JSON.parse(bytes.toString()) as Post[]).at(-1)!.content
    const zipped = { 'accept-encoding': 'gzip' }
    await hit(path)
    await writeTo(visitor, thread, '書いたばかり')
    await wait(COPY_LIVES_MS)
    expect(last(await read(path))).toBe('書いたばかり')
    await hit(path, zipped)
    await writeTo(visitor, thread, 'もう一言')
    const own = await visitor.get<Post[]>(path, zipped)
    expect([own.body.at(-1)!.content, own.headers['x-cache-status']]).toEqual(['もう一言', 'BYPASS'])
  })

  it('hides removed content within the maximum age of a copy: a post, its picture, a thread and its page', async () => {
    const picture = await sharp({ create: { width: 60, height: 40, channels: 3, background: '#3fd0c0' } })
      .png()
      .toBuffer()
    const doomed = await startThread(come(), { title: '消える定め', image: new Blob([new Uint8Array(picture)]) })
    const post = await writeTo(visitor, doomed, '消される書き込み')
    const image = /\/images\/[\w-]+\.webp/.exec(JSON.stringify(doomed))![0]
    const posts = `/api/threads/${doomed._id}/posts`
    const pages = [posts, `/api/threads/${doomed._id}`, image, ...(hasPages ? [`/thread/${doomed._id}`] : [])]
    for (const path of pages) expect([path, (await hit(path)).answer.status]).toEqual([path, 200])
    expect((await read(image)).headers['cache-control']).toContain('immutable')

    expect((await admin.delete(`/api/admin/posts/${post._id}`)).status).toBe(200)
    await wait(COPY_LIVES_MS)
    expect((await read(posts)).bytes.toString()).not.toContain('消される書き込み')

    for (const path of pages) await hit(path)
    expect((await admin.delete(`/api/admin/threads/${doomed._id}`)).status).toBe(200)
    // The file is hidden after its post's removal; then the copy expires.
    await until(async () => (await ask(origin + image)).status === 404)
    await wait(COPY_LIVES_MS)
    for (const path of pages) expect([path, (await read(path)).status]).toEqual([path, 404])
    gone.push(...pages)
  })

  it('passes personal requests to the board, and caches none of the answers', async () => {
    const tsubaki = await register('椿の花')
    for (const [guest, name] of [
      [kaede, '楓の葉'],
      [tsubaki, '椿の花'],
      [kaede, '楓の葉'],
    ] as const) {
      const { body, headers } = await guest.get<{ name: string }>('/auth/profile')
      expect([body.name, headers['x-cache-status']]).toEqual([name, 'BYPASS'])
    }
    expect((await read('/auth/profile')).status).toBe(401)

    const personal = (path: string) => ({ path, isPersonal: true })
    const calls = Object.entries(JSON.parse((await read('/docs/json')).bytes.toString()).paths as Paths)
      .filter(([, methods]) => methods['get'] !== undefined)
      .map(([path, methods]) => ({
        path: path.replaceAll(/\{(\w+)\}/g, (_, name: string) => (name === 'categoryId' ? 'general' : thread._id)),
        isPersonal: methods['get']![ACCESS_KEY] !== undefined || /^\/api\/(held|scroll)(\/|$)/.test(path),
      }))
    expect(calls.length).toBeGreaterThan(30)
    const screens = ['/login', '/register', '/profile', '/admin', '/admin/users', '/healthz', '/readyz', '/docs'].map(
      personal,
    )
    for (const { path, isPersonal } of [...calls, ...screens]) {
      const { headers } = await read(path, { cookie: cookieOf(kaede) })
      expect([path, headers['x-cache-status'] === 'BYPASS']).toEqual([path, isPersonal])
    }
  })

  it('passes requests from another site to the board, and caches none of the answers', async () => {
    const path = '/api/categories?seen=by-another-site'
    expect((await read(path, { origin: 'https://other.example' })).headers['x-cache-status']).toBe('BYPASS')
    expect((await read(path)).headers['x-cache-status']).toBe('MISS')
  })

  it('serves public answers from the cache to requests with a token, and personal ones never', async () => {
    const path = '/api/categories?seen=by-token'
    const whole = await read(path)
    const { answer } = await hit(path, { authorization: 'Bearer none' })
    expect(answer.headers['etag']).toBe(whole.headers['etag'])
    const token = { authorization: `Bearer ${kaede.cookies.get('access')!}` }
    for (const [headers, status] of [
      [token, 200],
      [{}, 401],
    ] as const) {
      const own = await read('/auth/profile', headers)
      expect([own.status, own.headers['x-cache-status']]).toEqual([status, 'BYPASS'])
    }
  })

  it('serves from the cache what the board’s own pages request with an Origin header: scripts, styles and fonts', async () => {
    const path = '/api/categories?seen=by-page'
    expect((await hit(path, { origin: new URL(nginx.url).origin })).answer.status).toBe(200)
  })

  it('delivers posts over the websocket', async () => {
    const [writer, reader] = [await connectTo(nginx.url, visitor), await connectTo(nginx.url)]
    try {
      for (const socket of [writer, reader]) await enter(socket, thread._id)
      const heard = hear(reader, 1)
      const ack = await send(writer, { threadId: thread._id, content: '糸電話の向こうへ', name: '影' })
      expect(ack).toMatchObject({ post: { content: '糸電話の向こうへ' } })
      expect((await heard)[0]).toMatchObject({ content: '糸電話の向こうへ' })
    } finally {
      for (const socket of [writer, reader]) socket.disconnect()
    }
  })

  it('accepts a picture of 10 MB, and refuses a larger body in Japanese', async () => {
    const small = await sharp({ create: { width: 60, height: 40, channels: 3, background: '#3fd0c0' } })
      .jpeg()
      .toBuffer()
    // Bytes after the end of a picture are sent as well, and ignored.
    const picture = Buffer.alloc(IMAGE_MAX_BYTES)
    small.copy(picture)
    await startThread(visitor, { title: '大きな絵', image: new Blob([new Uint8Array(picture)]) })
    const refused = await read('/api/threads', { method: 'POST', 'content-length': '20000000' })
    expect([refused.status, JSON.parse(refused.bytes.toString())]).toEqual([
      413,
      { message: messages.payload_too_large, code: 'payload_too_large' },
    ])
  })

  it('passes on the visitor’s real address, which no header of the visitor can replace', async () => {
    const register = (from: string, claimed: string) =>
      ask(`${nginx.url}/auth/register`, {
        method: 'POST',
        from,
        headers: {
          'content-type': 'application/json',
          origin: 'http://localhost',
          'x-forwarded-for': claimed,
          forwarded: `for=${claimed}`,
          'x-real-ip': claimed,
        },
        body: JSON.stringify({ username: '楓の葉', email: 'kaede@example.jp', password: PASSWORD }),
      })
    for (let tries = 0; tries < 3; tries += 1)
      expect((await register('127.0.0.7', `203.0.113.${tries}`)).status).toBe(409)
    expect((await register('127.0.0.7', '203.0.113.99')).status).toBe(429)
    expect((await register('127.0.0.8', '127.0.0.7')).status).toBe(409)
  })

  it('delivers a post to 1,200 readers with open sockets, and still answers other visitors', async () => {
    // Without the relay: so this process has one file per socket, and few systems allow fewer than
    // 4,096.
    const direct = await startNginx(origin)
    const sockets: WebSocket[] = []
    try {
      const heard: Promise<string>[] = []
      for (let count = 0; count < 1_200; count += 100) {
        const address = `127.0.1.${Math.floor(count / 300)}`
        const batch = await Promise.all(Array.from({ length: 100 }, () => openReader(direct.url, address, thread._id)))
        for (const reader of batch) {
          sockets.push(reader.socket)
          heard.push(reader.heard)
        }
      }
      const answers = await Promise.all(
        Array.from({ length: 200 }, (_, number) =>
          ask(`${direct.url}/api/threads/${thread._id}/posts?limit=${(number % 50) + 1}`, { from: '127.0.2.1' }),
        ),
      )
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
      await writeTo(visitor, thread, '千二百人に届け')
      expect(new Set(await Promise.all(heard))).toEqual(new Set(['千二百人に届け']))
      expect(sockets.filter((socket) => socket.readyState === WebSocket.OPEN)).toHaveLength(1_200)
      expect(direct.errors()).not.toMatch(/not enough|Too many open files/)
    } finally {
      for (const socket of sockets) socket.terminate()
      await direct.close()
    }
  })

  it('does not treat a board in read-only mode as failed, however many requests it refuses', async () => {
    // The same server under two names.
    const balanced = await startNginx(origin, origin.replace('127.0.0.1', 'localhost'))
    const setReadOnly = async (readOnly: boolean): Promise<void> =>
      expect((await admin.put('/api/admin/settings', { readOnly, readOnlyText: '' })).status).toBe(200)
    await setReadOnly(true)
    const member = visit({ listen: async () => balanced.url })
    for (const [name, value] of kaede.cookies) member.cookies.set(name, value)
    for (let count = 0; count < 6; count += 1) {
      expect((await member.put('/auth/profile', { name: '楓の葉' })).body).toMatchObject({ code: 'read_only' })
    }
    const reader = visit({ listen: async () => balanced.url })
    for (let limit = 1; limit <= 4; limit += 1) {
      expect((await reader.get(`/api/threads?limit=${limit}`)).status).toBe(200)
    }
    await setReadOnly(false)
    await balanced.close()
  })

  it.skipIf(!hasPages)('gets a script that an old server lacks from the new server during an update', async () => {
    const old = createServer((_, answer) => void answer.writeHead(404).end()).listen(0, '127.0.0.1')
    await once(old, 'listening')
    const updating = await startNginx(`http://127.0.0.1:${(old.address() as AddressInfo).port}`, origin)
    const page = (await read('/about')).bytes.toString()
    const scripts = [...new Set(page.match(/\/assets\/[\w.-]+\.js/g))].slice(0, 4)
    expect(scripts).toHaveLength(4)
    for (const path of scripts) {
      const { status } = await fetch(updating.url + path)
      expect([path, status]).toEqual([path, 200])
    }
    expect((await fetch(`${updating.url}/assets/never-seen.js`)).status).toBe(404)
    await updating.close()
    old.close()
  })

  it('writes no visitor’s address into its logs', () => {
    expect(nginx.log()).toContain('cache=HIT')
    expect(nginx.log() + nginx.errors()).not.toMatch(/127\.0\.0\.[178]|203\.0\.113/)
  })

  it('while the board is down, serves readers from the cache, keeps removed content hidden, and answers writers in Japanese', async () => {
    const kept = hasPages ? ['/', '/api/threads', `/thread/${thread._id}`] : ['/api/threads']
    const before = new Map<string, string>()
    for (const path of kept) before.set(path, (await hit(path)).answer.bytes.toString())
    server.kill('SIGKILL')
    await once(server, 'exit')
    await wait(COPY_LIVES_MS)
    for (const path of kept) {
      const { status, headers, bytes } = await read(path)
      expect([path, status, headers['x-cache-status'], bytes.toString() === before.get(path)]).toEqual([
        path,
        200,
        'STALE',
        true,
      ])
    }
    for (const path of gone) expect([path, (await read(path)).status]).toEqual([path, 404])

    const refused = await visitor.post(`/api/threads/${thread._id}/posts`, { content: '届かぬ声' })
    expect([refused.status, refused.body, refused.headers['retry-after'], refused.headers['cache-control']]).toEqual([
      ...[503, { message: messages.unavailable, code: 'unavailable' }, '5', 'no-store'],
    ])
    expect(refused.headers['content-type']).toBe('application/json; charset=utf-8')
    // The log names the failed server and request, even where readers got a stale copy. nginx
    // writes a line after its answer.
    for (const line of [
      / 200 GET \/api\/threads server=127\.0\.0\.1:\d+ answered=502 .* cache=STALE /,
      / 503 POST \/api\/threads\/[\w-]+\/posts server=127\.0\.0\.1:\d+ answered=502 /,
    ])
      await expect.poll(nginx.failures).toMatch(line)
    expect(nginx.failures()).not.toContain('cache=HIT')
    const page = await read('/never-seen')
    expect([page.status, page.headers['content-type']]).toEqual([503, 'text/html; charset=utf-8'])
    expect(page.bytes.toString()).toContain('ただいま、つながりません')

    nginx.follow(await startServer())
    await writeTo(visitor, thread, 'ただいま戻りました')
    expect((await visitor.get<Post[]>(`/api/threads/${thread._id}/posts`)).body.at(-1)).toMatchObject({
      content: 'ただいま戻りました',
    })
  })

  it('has error bodies equal to those of the board', () => {
    const folder = resolve(import.meta.dirname, '../../../ops/nginx/shinobi-ita/pages')
    for (const code of ['unavailable', 'payload_too_large', 'too_many_requests'] as const) {
      expect(JSON.parse(readFileSync(`${folder}/${code}.json`, 'utf8'))).toEqual({ message: messages[code], code })
    }
  })
})

type Paths = Record<string, Record<string, Record<string, unknown>>>

/** Addresses of removed content. */
const gone: string[] = []

/** Starts a server, and returns its address. */
async function startServer(): Promise<string> {
  server = servers.run(settings)
  return started(server)
}

/** A visitor with a browser and no cookies. */
const come = (): Guest => visit({ listen: async () => nginx.url })

const cookieOf = ({ cookies }: Guest): string =>
  [...cookies]
    .filter(([name]) => name !== 'wrote')
    .map(([name, value]) => `${name}=${value}`)
    .join('; ')

async function register(username: string): Promise<Guest> {
  const guest = come()
  const answer = await guest.post('/auth/register', {
    username,
    email: `${encodeURIComponent(username).replaceAll('%', '')}@example.jp`,
    password: PASSWORD,
  })
  if (answer.status !== 201) throw new Error(`refused: ${answer.status}`)
  return guest
}

/**
 * A reader with a thread open: only the part of Socket.IO that joining needs, as 1,200 complete
 * clients would take minutes.
 */
async function openReader(url: string, from: string, threadId: string) {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`, {
    localAddress: from,
    perMessageDeflate: false,
  })
  const joined = Promise.withResolvers<void>()
  const heard = Promise.withResolvers<string>()
  const fail = (error: Error): void => {
    joined.reject(error)
    heard.reject(error)
  }
  heard.promise.catch(() => {})
  socket.on('error', fail)
  socket.on('close', () => fail(new Error('a socket was closed')))
  socket.on('message', (data: Buffer) => {
    const text = data.toString()
    // 0 opens the connection and 40 the namespace; 2 is a ping; 430 answers joinThread; 42 is an
    // event.
    if (text.startsWith('0')) socket.send('40')
    else if (text === '2') socket.send('3')
    else if (text.startsWith('40')) socket.send(`420${JSON.stringify(['joinThread', { threadId }])}`)
    else if (text.startsWith('430')) joined.resolve()
    else if (text.startsWith('42["newPost"')) heard.resolve((JSON.parse(text.slice(2)) as [string, Post])[1].content)
  })
  await joined.promise
  return { socket, heard: heard.promise }
}

/** A visitor's request, without cookies unless given. */
function read(path: string, { method = 'GET', ...headers }: Record<string, string> & Pick<WireRequest, 'method'> = {}) {
  return ask(nginx.url + path, { method, headers })
}

/**
 * Repeats a request until nginx answers from its cache, and counts the requests that reached the
 * board for this answer.
 */
async function hit(path: string, headers: Record<string, string> = {}) {
  return until(async () => {
    const before = nginx.asked(path)
    const answer = await read(path, headers)
    return answer.headers['x-cache-status'] === 'HIT' ? { answer, asked: nginx.asked(path) - before } : null
  })
}

/** Retries until the result is neither null nor false, however busy the machine is. */
async function until<T>(look: (round: number) => Promise<T | null | false>): Promise<T> {
  const end = performance.now() + PATIENCE_MS
  for (let round = 0; performance.now() < end; round += 1) {
    const found = await look(round)
    if (found !== null && found !== false) return found
    await wait(20)
  }
  throw new Error('the result did not come in time')
}

/**
 * Attacks of visitors, and the guarantees against them: limits come before expensive work, no 500,
 * no duplicates, no personal data in the log.
 */
import { connect as connectTcp } from 'node:net'
import { PassThrough } from 'node:stream'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { errorStatus } from '@shinobi/contract/errors'
import { messages } from '@shinobi/contract/messages'
import type { Post } from '@shinobi/contract/posts'
import type { Thread, ThreadItem } from '@shinobi/contract/threads'
import { describeError } from './lib/describe-error.ts'
import {
  connectTo,
  enter,
  openBoard,
  signUp,
  startThread,
  visit,
  type Board,
  type Guest,
  type LiveClient,
} from './testing/board.ts'

const uuid = (tail: number): string => `01900000-0000-7000-8000-${String(tail).padStart(12, '0')}`

describe('a hostile visitor', () => {
  let board: Board
  let url: string
  let admin: Guest
  beforeAll(async () => {
    board = await openBoard({ SPAM_POSTS: '100000', SOCKET_EVENTS_PER_SECOND: '2', SOCKETS_PER_ADDRESS: '6' })
    url = await board.listen()
    admin = await signUp(board, '半蔵', { isAdmin: true })
  })
  afterAll(() => board.close())

  it.each([
    ['spaces without end', ' '.repeat(40_000) + 'x', messages.content_too_long],
    ['far more than any text', ' '.repeat(200_000) + 'x', messages.content_too_long],
    [
      'marks strewn with joiners',
      `a${'\u0301\u0316\u0301\ufe0f'.repeat(2_000)}`,
      messages.bad_characters('2文字目の重ねすぎた記号'),
    ],
    ['voicing marks without end', `か${'\u3099'.repeat(4_000)}`, messages.bad_characters('2文字目の重ねすぎた記号')],
  ])('quickly gets 400 for %s', async (_, content, message) => {
    const answer = await visit(board).post<{ message: string }>('/api/threads', {
      title: 'いつもの題名',
      content,
      category: 'general',
    })
    expect(answer.status).toBe(400)
    expect(answer.body.message).toBe(message)
  })

  it('may still write emoji families, flags, voiced kana and accents', async () => {
    const content = '👨‍👩‍👧‍👦 🏴󠁧󠁢󠁥󠁮󠁧󠁿 🏳️‍🌈 か\u3099 は\u309a é Việt ❤️ 葛󠄁城市'
    expect((await startThread(visit(board), { content })).content).toBe(content)
  })

  it('gets no 500 from malformed fields and addresses', async () => {
    const guest = visit(board)
    for (const category of ['a\u0000', '\u0000', '', 'x'.repeat(200), '../general', '\ud800']) {
      const answer = await guest.post('/api/threads', { title: 'いつもの題名', content: 'x', category })
      expect({ category, status: answer.status }).toEqual({ category, status: 400 })
    }
    for (const path of ['/api/threads/%ff', '/%ff', '/thread/%E0%A4%A']) {
      const answer = await board.app.inject(path)
      expect(answer.statusCode).toBe(404)
      expect(answer.headers['content-security-policy']).toBeDefined()
    }
  })

  type Refusal = { readonly code: string }
  const source = { url: 'https://example.jp/feed', name: '', categoryId: uuid(1) }
  it.each([
    ['post', '/api/admin/categories', { name: '', description: '' }, 'bad_category'],
    ['post', '/api/admin/categories', { name: '新しい板', description: 'x'.repeat(500) }, 'bad_category'],
    ['put', `/api/admin/categories/${uuid(1)}`, { description: 'x'.repeat(500) }, 'bad_category'],
    ['post', '/api/admin/news/sources', source, 'bad_source'],
    ['post', '/api/admin/news/sources', { ...source, url: 'feed' }, 'bad_source'],
    ['post', '/api/admin/news/sources', { ...source, name: '新聞', categoryId: 'x' }, 'bad_category'],
    ['put', '/auth/profile', { name: '忍' }, 'bad_username'],
    ['delete', '/auth/profile', {}, 'bad_username'],
    ['get', `/api/threads?name=${'x'.repeat(50)}`, undefined, 'bad_search'],
    ['get', `/api/categories/general/threads?name=${'x'.repeat(50)}`, undefined, 'bad_search'],
    ['post', '/auth/register', { email: 'a@example.jp', username: '忍', password: 'x'.repeat(12) }, 'bad_username'],
    ['post', '/api/threads', { title: '', content: 'x', category: 'general' }, 'bad_title'],
  ] as const)('gets a code that names what is wrong in %s %s', async (method, path, body, code) => {
    const answer = await (method === 'get' ? admin.get<Refusal>(path) : admin[method]<Refusal>(path, body))
    expect([answer.status, answer.body.code]).toEqual([400, code])
  })

  it.each([
    ['an address of 20 kB', `GET /api/threads?search=${'x'.repeat(20_000)} HTTP/1.1\r\n\r\n`, 'headers_too_large'],
    ['bytes that are no request', 'EHLO example.jp\r\n\r\n', 'bad_request'],
  ] as const)('gets a code and a sentence for %s', async (_, bytes, code) => {
    const { port, hostname } = new URL(url)
    const socket = connectTcp({ port: Number(port), host: hostname })
    socket.write(bytes)
    const answer = (await socket.setEncoding('utf8').toArray()).join('')
    const [head, body] = answer.split('\r\n\r\n') as [string, string]
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${errorStatus[code]} `))
    expect(JSON.parse(body)).toEqual({ code, message: expect.stringMatching(/。$/) })
  })

  it('opens one thread with many concurrent copies of one request', async () => {
    const request = { title: '一度だけの題名', content: '六つに分身', category: 'world', clientThreadId: uuid(500) }
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => visit(board).post<Thread>('/api/threads', request)),
    )
    expect(new Set(answers.map((answer) => answer.body._id)).size).toBe(1)
    const list = await visit(board).get<ThreadItem[]>('/api/categories/world/threads')
    expect(list.body.filter((thread) => thread.title === '一度だけの題名')).toHaveLength(1)
  })

  it('is shown as 名無し under any spelling of it, and does not claim the name', async () => {
    const thread = await startThread(visit(board), { nickname: '名無し' })
    expect(thread.nickname).toBeNull()
    for (const name of ['名無し', ' 名無シ ', '名無し']) {
      const check = await visit(board).post(`/api/threads/${thread._id}/checkNickname`, { nickname: name })
      expect(check.body).toEqual({ available: true, message: messages.nickname_available })
      const post = await visit(board).post<Post>(`/api/threads/${thread._id}/posts`, {
        content: '名乗るほどでも',
        name,
      })
      expect([post.status, post.body.name]).toEqual([201, null])
    }
    const nobody = await visit(board).post(`/api/threads/${thread._id}/posts`, { content: '名前がない' })
    expect(nobody.body).toMatchObject({ message: messages.nickname_missing })
  })

  it('cannot use names that resemble 名無し or the staff', async () => {
    const thread = await startThread(visit(board))
    for (const nickname of [
      '名無し（本物）',
      '運　営',
      'ＡＤＭＩＮ',
      'Mоderator',
      '管理人★',
      '【菅理人】',
      '-admin-',
    ]) {
      const check = await visit(board).post(`/api/threads/${thread._id}/checkNickname`, { nickname })
      expect(check.body).toEqual({ available: false, message: messages.nickname_taken })
      const post = await visit(board).post(`/api/threads/${thread._id}/posts`, { content: 'x', name: nickname })
      expect(post.status).toBe(409)
    }
  })

  it('is rate-limited when flooding a socket with events, without an effect on other visitors', async () => {
    const thread = await startThread(visit(board))
    const [flooder, other] = [await connectTo(url), await connectTo(url)]
    const answers = await Promise.all(Array.from({ length: 50 }, () => enter(flooder, thread._id)))
    expect(answers.filter((answer) => 'postCount' in answer)).toHaveLength(6)
    expect(answers.at(-1)).toEqual({ error: { message: messages.too_many_requests, code: 'too_many_requests' } })
    expect(await enter(other, thread._id)).toHaveProperty('postCount', 1)
    board.clock.now += 1_000
    expect(await enter(flooder, thread._id)).toHaveProperty('postCount', 1)
    flooder.disconnect()
    other.disconnect()
  })

  it('is disconnected when sending megabytes of brackets, before they are parsed', async () => {
    const socket = await connectTo(url)
    const gone = new Promise<string>((resolve) => socket.once('disconnect', resolve))
    ;(socket as unknown as { emit: (event: string, input: unknown) => void }).emit(
      'newPost',
      Array.from({ length: 300_000 }, () => []),
    )
    expect(await gone).toMatch(/transport (close|error)/)
  })

  it('is disconnected when announcing binary parts, before one of them is stored', async () => {
    const socket = await connectTo(url)
    const gone = new Promise<string>((resolve) => socket.once('disconnect', resolve))
    ;(socket as unknown as { emit: (event: string, input: unknown) => void }).emit('newPost', Buffer.alloc(1))
    expect(await gone).toMatch(/transport (close|error)/)
  })

  it('is refused more connections per address than the limit, however they are used', async () => {
    const sockets: LiveClient[] = []
    for (let index = 0; index < 6; index += 1) sockets.push(await connectTo(url))
    await expect(connectTo(url)).rejects.toThrow('websocket error')
    const room = new Promise<void>((resolve) => sockets[0]!.once('disconnect', () => resolve()))
    sockets[0]!.disconnect()
    await room
    await expect
      .poll(() =>
        connectTo(url).then(
          (socket) => socket.disconnect().connected,
          () => null,
        ),
      )
      .toBe(false)
    for (const socket of sockets) socket.disconnect()
  })

  it('cannot overload the index with rare characters: the thread is indexed in parts and found', async () => {
    const guest = visit(board)
    const thread = await startThread(guest, { category: 'economy' })
    const rare = (post: number) =>
      Array.from({ length: 2_000 }, (_, index) =>
        String.fromCodePoint(0x4e00 + ((index * 7 + post * 131) % 20_000)),
      ).join('')
    for (let post = 0; post < 10; post += 1)
      await guest.post(`/api/threads/${thread._id}/posts`, { content: rare(post), name: '珍字' })
    await board.settle()
    const found = await guest.get<ThreadItem[]>(
      `/api/categories/economy/threads?search=${encodeURIComponent(rare(3).slice(500, 520))}`,
    )
    expect(found.body.map((item) => item._id)).toEqual([thread._id])
  })

  it('cannot keep others from opening threads with uploads that stall', async () => {
    const { port } = new URL(url)
    let begun = 0
    const count = (): void => void (begun += 1)
    board.app.server.on('request', count)
    const forms = Array.from({ length: 48 }, (_, index) => {
      const socket = connectTcp(Number(port), '127.0.0.1').on('error', () => {})
      socket.write(
        [
          'POST /api/threads HTTP/1.1',
          'Host: localhost',
          'Origin: http://localhost',
          `X-Forwarded-For: 198.51.100.${index % 3}`,
          'Content-Type: multipart/form-data; boundary=x',
          'Content-Length: 5000000',
          '',
          '--x\r\nContent-Disposition: form-data; name="title"\r\n\r\nい',
        ].join('\r\n'),
      )
      return socket
    })
    await expect.poll(() => begun).toBe(forms.length)
    board.app.server.off('request', count)
    expect((await startThread(visit(board, '198.51.100.9'))).postCount).toBe(1)
    for (const socket of forms) socket.destroy()
  })

  it('cannot grow the cache beyond its size with long addresses', async () => {
    const long = `/api/threads?x=${'y'.repeat(2_000)}`
    await (await fetch(url + long)).text()
    expect(board.deps.cache.peek(long)).toBeUndefined()
  })
})

it('a resend of the last allowed post gets the post, not a refusal for the limit', async () => {
  const board = await openBoard({ SPAM_POSTS: '3' })
  const guest = visit(board)
  const thread = await startThread(guest)
  const post = { content: '最後の一つ', name: '影', clientPostId: uuid(600) }
  const first = await guest.post(`/api/threads/${thread._id}/posts`, post)
  const again = await guest.post(`/api/threads/${thread._id}/posts`, post)
  expect(again).toMatchObject({ status: 201, body: first.body })
  expect((await guest.post(`/api/threads/${thread._id}/posts`, { ...post, clientPostId: uuid(601) })).status).toBe(429)
  await board.close()
})

it('sockets and requests determine the same address behind proxies', async () => {
  const board = await openBoard({ TRUST_PROXY: '127.0.0.0/8', SOCKETS_PER_ADDRESS: '1' })
  const url = await board.listen()
  const { io } = await import('socket.io-client')
  const connect = (address: string) =>
    new Promise<boolean>((resolve) => {
      const socket = io(url, {
        transports: ['websocket'],
        reconnection: false,
        forceNew: true,
        extraHeaders: { 'x-forwarded-for': address },
      })
      socket.once('connect', () => resolve(true))
      socket.once('connect_error', () => resolve(false))
    })
  expect([await connect('198.51.100.1'), await connect('198.51.100.2'), await connect('198.51.100.2')]).toEqual([
    true,
    true,
    false,
  ])
  // An IPv6 household has more addresses than sockets, and counts as one.
  expect([await connect('2001:db8::1'), await connect('2001:db8::2'), await connect('2001:db8:0:1::1')]).toEqual([
    true,
    false,
    true,
  ])
  await board.close()
})

it('a log line of an error contains no text and no id of a visitor', () => {
  const lines: string[] = []
  const log = pino(
    { serializers: { err: describeError } },
    new PassThrough().on('data', (line: Buffer) => lines.push(line.toString())),
  )
  const error = Object.assign(new Error('insert failed'), {
    code: '22021',
    params: ['秘密の文'],
    query: 'insert',
    detail: 'Key (visitorId)=(x)',
  })
  log.error({ err: error }, 'request failed')
  expect(lines[0]).toContain('22021')
  expect(lines[0]).not.toMatch(/秘密の文|visitorId/)
})

/**
 * The read-only mode and a full disk: what is refused before its body is read, and what goes on.
 */
import { randomUUID } from 'node:crypto'
import { request as httpRequest } from 'node:http'
import { sql } from 'kysely'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Dashboard } from '@shinobi/contract/admin'
import type { ErrorAnswer } from '@shinobi/contract/errors'
import type { PostAck } from '@shinobi/contract/events'
import { messages } from '@shinobi/contract/messages'
import type { Post } from '@shinobi/contract/posts'
import type { Notices } from '@shinobi/contract/shields'
import type { Thread } from '@shinobi/contract/threads'
import {
  connectTo,
  openBoard,
  openTestDatabase,
  PASSWORD,
  send,
  signUp,
  startThread,
  visit,
  writeTo,
  type Answer,
  type Board,
  type Guest,
  type MemberGuest,
  type TestDatabase,
} from '../testing/board.ts'
import { openLog } from '../testing/log-lines.ts'
import { METRICS_TOKEN, scrape } from '../testing/scrape.ts'
import { ACCESS_KEY } from './docs.ts'
import { GOES_ON } from './writability.ts'
import { isOnCluster } from '../testing/citus.ts'

const onCluster = await isOnCluster()

const MB = 1_000_000
const [ENOUGH, LOW, FULL] = [800 * MB, 400 * MB, 100 * MB]
const NOTE = '23時まで引っ越しをしています。'
/** A busy machine has slow queries and requests, which the logs of these tests leave out. */
const NO_SLOW = { SLOW_QUERY_MS: '0', SLOW_REQUEST_MS: '0' }

const log = openLog()
let database: TestDatabase
let board: Board
let other: Board
let admin: MemberGuest
let member: MemberGuest
let thread: Thread

beforeAll(async () => {
  database = await openTestDatabase()
  board = await openBoard({ METRICS_TOKEN, ...NO_SLOW }, database, log)
  other = await openBoard({}, database)
  admin = await signUp(board, '頭領', { isAdmin: true })
  member = await signUp(board, '楓の葉')
  thread = await startThread(member)
})
afterAll(async () => {
  await board.close()
  await other.close()
  await database.close()
})
afterEach(async () => {
  vi.restoreAllMocks()
  await setFree(ENOUGH)
  await setReadOnly(false)
})

async function setFree(bytes: number): Promise<void> {
  board.disk.freeBytes = bytes
  await board.deps.writability.disk.look()
}
async function setReadOnly(readOnly: boolean, readOnlyText = ''): Promise<void> {
  expect((await admin.put('/api/admin/settings', { readOnly, readOnlyText })).status).toBe(200)
  await other.deps.revisions.settle()
}

let names = 0
const postBody = () => ({ content: '一言', name: `影${(names += 1)}`, clientPostId: randomUUID() })
const post = (guest: Guest, body: unknown = postBody()) =>
  guest.post<Post & ErrorAnswer>(`/api/threads/${thread._id}/posts`, body)
const refusal = ({ status, body }: Answer<unknown>) => [
  status,
  (body as ErrorAnswer).code,
  (body as ErrorAnswer).message,
]
const READ_ONLY = [503, 'read_only', messages.read_only]
const NO_WRITES = [507, 'disk_full', messages.disk_full]
const NO_PICTURES = [507, 'disk_full', messages.disk_full_pictures]
const countPosts = async (): Promise<number> =>
  (await visit(board).get<Thread>(`/api/threads/${thread._id}`)).body.postCount

let picture: Blob
beforeAll(async () => {
  const bytes = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#3fd0c0' } })
    .png()
    .toBuffer()
  picture = new Blob([new Uint8Array(bytes)], { type: 'image/png' })
})

interface Call {
  readonly name: string
  readonly method: 'POST' | 'PUT' | 'DELETE'
  readonly url: string
  readonly isAdministration: boolean
}

/** Every registered call that changes something. */
function mutatingCalls(): Call[] {
  const calls: Call[] = []
  for (const [path, methods] of Object.entries(board.app.swagger().paths ?? {})) {
    for (const [verb, operation] of Object.entries(methods)) {
      const method = verb.toUpperCase()
      if (method !== 'POST' && method !== 'PUT' && method !== 'DELETE') continue
      const access = (operation as { [ACCESS_KEY]?: string })[ACCESS_KEY]
      calls.push({
        name: `${method} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
        method,
        url: path.replaceAll(/\{\w+\}/g, '019a0000-0000-7000-8000-000000000000'),
        isAdministration: access === 'moderator' || access === 'admin',
      })
    }
  }
  return calls
}

async function ask(guest: Guest, { method, url }: Call): Promise<Answer<ErrorAnswer>> {
  const call = method === 'POST' ? guest.post : method === 'PUT' ? guest.put : guest.delete
  return call<ErrorAnswer>(url)
}

describe('in the read-only mode', () => {
  it('every registered call that changes something is refused, except those of the administration and a list', async () => {
    const calls = mutatingCalls()
    const known = new Set(calls.map(({ name }) => name))
    expect(Object.keys(GOES_ON).filter((name) => !known.has(name))).toEqual([])
    const refused = calls.filter(({ name, isAdministration }) => !isAdministration && !(name in GOES_ON))
    expect(refused.length).toBeGreaterThan(15)
    await setReadOnly(true)
    for (const guest of [visit(board), member, admin]) {
      for (const call of refused) {
        const answer = await ask(guest, call)
        expect([call.name, ...refusal(answer)]).toEqual([call.name, ...READ_ONLY])
        expect(answer.headers['retry-after']).toBe('60')
        expect(answer.headers['set-cookie']).toBeUndefined()
      }
    }
    // As a stranger: each is refused for another reason than the mode.
    for (const call of calls.filter((one) => !refused.includes(one))) {
      expect([call.name, (await ask(visit(board), call)).body.code]).not.toEqual([call.name, 'read_only'])
    }
    expect((await visit(board).post('/api/no-such-call')).status).toBe(404)
  })

  it('members read and log in, moderators remove, and the administrator ends the mode', async () => {
    const own = await writeTo(member, thread, 'まだ書ける')
    await setReadOnly(true)
    expect((await visit(board).get(`/api/threads/${thread._id}/posts`)).status).toBe(200)
    expect((await visit(board).post('/auth/login', { username: '楓の葉', password: PASSWORD })).status).toBe(200)
    expect((await admin.delete(`/api/admin/posts/${own._id}`)).status).toBe(200)
    expect(refusal(await post(admin))).toEqual(READ_ONLY)
    await setReadOnly(false)
    expect((await post(member)).status).toBe(201)
  })

  it('a socket’s post is refused with the acknowledgement and postError, and the socket stays usable', async () => {
    const socket = await connectTo(await board.listen())
    const heard: unknown[] = []
    socket.on('postError', ({ code, message, retryAfter, clientPostId }) =>
      heard.push({ code, message, retryAfter, clientPostId }),
    )
    const newPost = { threadId: thread._id, ...postBody() }
    await setReadOnly(true)
    const ack = await send(socket, newPost)
    const error = { code: 'read_only', message: messages.read_only, retryAfter: 60 }
    expect(ack).toEqual({ error })
    expect(heard).toEqual([{ ...error, clientPostId: newPost.clientPostId }])
    await setReadOnly(false)
    expect(await send(socket, newPost)).toMatchObject({ post: { content: '一言' } })
    socket.disconnect()
  })

  it('visitors see it at once, with the administrator’s words, on every server', async () => {
    const read = async (from: Board) => (await visit(from).get<Notices>('/api/notices')).body.pause
    expect([await read(board), await read(other)]).toEqual([null, null])
    const sockets = [await connectTo(await board.listen()), await connectTo(await other.listen())]
    const told = sockets.map((socket) => new Promise<void>((resolve) => socket.once('noticesChanged', resolve)))
    await setReadOnly(true, NOTE)
    await Promise.all(told)
    const pause = { reason: 'read_only', message: messages.read_only, note: NOTE }
    expect([await read(board), await read(other)]).toEqual([pause, pause])
    expect(refusal(await visit(other).post('/api/threads'))).toEqual(READ_ONLY)
    await setReadOnly(false, NOTE)
    expect([await read(board), await read(other)]).toEqual([null, null])
    for (const socket of sockets) socket.disconnect()
  })

  it('the moderation log, the server’s log and the metrics record it', async () => {
    log.lines.length = 0
    await setReadOnly(true, NOTE)
    const entry = await database.db
      .selectFrom('auditLog')
      .select('details')
      .where('action', '=', 'settings_change')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    expect(entry.details).toEqual({
      before: { readOnly: false, readOnlyText: '' },
      after: { readOnly: true, readOnlyText: NOTE },
    })
    const { figures } = await scrape(board)
    expect(figures.get('shinobi_writes_refused{reason="read_only"}')).toBe(1)
    // Refusals are expected: a log line for each would only fill the disk.
    expect((await post(visit(board))).status).toBe(503)
    await setReadOnly(false)
    expect(log.lines.map(({ msg }) => msg)).toEqual([
      'read-only mode: on, visitors can write nothing',
      'read-only mode: off',
    ])
  })
})

describe('with little free space', () => {
  const form = (guest: Guest) => guest.form(`/api/threads/${thread._id}/posts`, { ...postBody(), image: picture })

  it('pictures are refused everywhere, texts are accepted, and it ends by itself', async () => {
    const socket = await connectTo(await board.listen())
    const image = `data:image/png;base64,${Buffer.from(await picture.arrayBuffer()).toString('base64')}`
    const fields = { title: '月の写真', content: 'どうぞ', category: 'general' }
    await setFree(LOW)
    expect(refusal(await form(visit(board)))).toEqual(NO_PICTURES)
    expect(refusal(await visit(board).form('/api/threads', { ...fields, image: picture }))).toEqual(NO_PICTURES)
    expect(refusal(await member.form('/auth/profile/image', { profileImage: picture }, 'PUT'))).toEqual(NO_PICTURES)
    const ack = await send(socket, { threadId: thread._id, ...postBody(), image })
    expect(ack).toMatchObject({ error: { code: 'disk_full', message: messages.disk_full_pictures } })

    expect((await post(visit(board))).status).toBe(201)
    expect(await send(socket, { threadId: thread._id, ...postBody() })).toHaveProperty('post')
    // Browsers send this when no file was chosen.
    expect((await visit(board).form('/api/threads', { ...fields, image: new Blob([]) })).status).toBe(507)
    expect((await visit(board).get<Notices>('/api/notices')).body.pause).toBeNull()

    await setFree(ENOUGH)
    expect((await form(visit(board))).status).toBe(201)
    expect(await send(socket, { threadId: thread._id, ...postBody(), image })).toHaveProperty('post')
    socket.disconnect()
  })

  it('a form with an empty file field is accepted, because it contains no picture', async () => {
    await setFree(LOW)
    const boundary = 'fields'
    const field = (name: string, value: string) =>
      `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
    const empty = `--${boundary}\r\ncontent-disposition: form-data; name="image"; filename=""\r\ncontent-type: application/octet-stream\r\n\r\n`
    const answer = await board.app.inject({
      method: 'POST',
      url: `/api/threads/${thread._id}/posts`,
      headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
      payload: `${field('content', '絵はない')}${field('name', '無絵')}${empty}\r\n--${boundary}--\r\n`,
    })
    expect(answer.statusCode).toBe(201)
    // A picture without a file name is refused as well.
    const sneaked = await board.app.inject({
      method: 'POST',
      url: `/api/threads/${thread._id}/posts`,
      headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
      payload: `${field('content', '絵がある')}${field('name', '無名')}${empty}png\r\n--${boundary}--\r\n`,
    })
    expect(sneaked.statusCode).toBe(507)
  })

  it.each([
    ['low', LOW],
    ['full', FULL],
  ])('a large upload gets its answer before it is complete: %s', async (_state, bytes) => {
    await setFree(bytes)
    const url = new URL(`/api/threads/${thread._id}/posts`, await board.listen())
    const upload = httpRequest(url, {
      method: 'POST',
      headers: { 'content-type': 'multipart/form-data; boundary=b', 'content-length': 10 * MB },
    })
    // The server resets the connection after the answer.
    upload.on('error', () => {})
    upload.write('--b\r\ncontent-disposition: form-data; name="image"; filename="a.png"\r\n\r\n')
    upload.write(Buffer.alloc(MB))
    const status = await new Promise<number | undefined>((resolve) => {
      upload.on('response', (response) => resolve(response.statusCode))
    })
    expect(status).toBe(507)
    upload.destroy()
  })
})

describe('with next to no free space', () => {
  it('visitors cannot write, the administration and log-in go on, and it ends by itself', async () => {
    const mine = await writeTo(member, thread, 'まだ空きがある')
    const before = await countPosts()
    await setFree(FULL)
    for (const answer of [
      await post(visit(board)),
      await post(member),
      await visit(board).form('/api/threads', { title: '満杯の板', content: '書けるか', category: 'general' }),
      await visit(board).post('/auth/register', { username: '新参者', email: 'new@example.jp', password: PASSWORD }),
      await member.post(`/api/threads/${thread._id}/like`),
    ]) {
      expect(refusal(answer)).toEqual(NO_WRITES)
    }
    const socket = await connectTo(await board.listen())
    const ack: PostAck = await send(socket, { threadId: thread._id, ...postBody() })
    expect(ack).toEqual({ error: { code: 'disk_full', message: messages.disk_full } })
    expect(await countPosts()).toBe(before)
    expect((await visit(board).get<Notices>('/api/notices')).body.pause).toEqual({
      reason: 'disk_full',
      message: messages.disk_full,
      note: '',
    })
    expect((await visit(board).post('/auth/login', { username: '楓の葉', password: PASSWORD })).status).toBe(200)
    expect((await admin.delete(`/api/admin/posts/${mine._id}`)).status).toBe(200)
    // A server with space accepts it.
    expect((await visit(other).post(`/api/threads/${thread._id}/posts`, postBody())).status).toBe(201)

    await setFree(ENOUGH)
    expect((await post(visit(board))).status).toBe(201)
    socket.disconnect()
  })

  it('the dashboard, the metrics and one log line per change record it', async () => {
    const ownLog = openLog()
    const own = await openBoard({ METRICS_TOKEN, ...NO_SLOW }, database, ownLog)
    const chief = await signUp(own, undefined, { isAdmin: true })
    const fill = async (freeBytes: number) => {
      own.disk.freeBytes = freeBytes
      await own.deps.writability.disk.look()
    }
    const read = async () => {
      const { body } = await chief.get<{ stats: Dashboard }>('/api/admin/dashboard')
      const { figures } = await scrape(own)
      const reasons = ['disk_full', 'disk_low'].filter(
        (reason) => figures.get(`shinobi_writes_refused{reason="${reason}"}`) === 1,
      )
      expect(figures.get('shinobi_disk_free_bytes')).toBe(body.stats.disk.freeBytes)
      return [body.stats.disk, reasons]
    }
    const minFreeBytes = 500 * MB
    await fill(ENOUGH)
    expect(await read()).toEqual([{ freeBytes: ENOUGH, minFreeBytes, refused: 'nothing' }, []])
    ownLog.lines.length = 0
    await fill(LOW)
    await fill(LOW - 1)
    expect(await read()).toEqual([{ freeBytes: LOW - 1, minFreeBytes, refused: 'pictures' }, ['disk_low']])
    await fill(FULL)
    expect(await read()).toEqual([{ freeBytes: FULL, minFreeBytes, refused: 'writes' }, ['disk_full']])
    const refused = await visit(own).post(`/api/threads/${thread._id}/posts`, postBody())
    expect(refusal(refused)).toEqual(NO_WRITES)
    await fill(ENOUGH)
    // Refusals are expected: a log line for each would only fill the disk.
    expect(ownLog.lines.map(({ level, freeBytes }) => [level, freeBytes])).toEqual([
      [40, LOW],
      [50, FULL],
      [30, ENOUGH],
    ])
    await own.close()
  })
})

// A trigger plays the full disk; Citus has none on distributed tables.
describe.skipIf(onCluster)('a write that fails on a full disk', () => {
  /** Simulates PostgreSQL's own full disk: every insert into the table fails from now on. */
  async function fillUp(table: string, code = '53100'): Promise<() => Promise<void>> {
    await sql`
      create or replace function full_disk() returns trigger language plpgsql as
      $$ begin raise exception 'could not extend file' using errcode = ${sql.lit(code)}; end $$`.execute(database.db)
    await sql`create trigger full_disk before insert on ${sql.table(table)} execute function full_disk()`.execute(
      database.db,
    )
    return async () => {
      await sql`drop trigger full_disk on ${sql.table(table)}`.execute(database.db)
    }
  }

  it('answers 507 on every path, stores nothing, and the same request succeeds once there is space', async () => {
    const guests = Array.from({ length: 5 }, () => visit(board))
    const bodies = guests.map(postBody)
    const socket = await connectTo(await board.listen())
    const live = { threadId: thread._id, ...postBody() }
    const before = await countPosts()
    const free = await fillUp('posts')
    // Together, so that they share a statement.
    const answers = await Promise.all(guests.map((guest, index) => post(guest, bodies[index])))
    expect(answers.map(refusal)).toEqual(guests.map(() => NO_WRITES))
    expect(await send(socket, live)).toEqual({ error: { code: 'disk_full', message: messages.disk_full } })
    const opened = await visit(board).form('/api/threads', {
      title: '満杯の板',
      content: '書けるか',
      category: 'general',
    })
    expect(refusal(opened)).toEqual(NO_WRITES)
    await free()
    expect(await countPosts()).toBe(before)

    const again = await Promise.all(guests.map((guest, index) => post(guest, bodies[index])))
    expect(again.map(({ status }) => status)).toEqual(guests.map(() => 201))
    expect(again.map(({ body }) => body.number).toSorted((one, two) => one - two)).toEqual(
      guests.map((_guest, index) => before + 1 + index),
    )
    expect(await send(socket, live)).toMatchObject({ post: { number: before + 6 } })
    socket.disconnect()
  })

  it('of a picture answers 507, counts no upload, and triggers a check of the disk', async () => {
    const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
    // The disk fills up with this picture: a regular check before would refuse the upload itself.
    vi.spyOn(board.deps.images, 'save').mockImplementation(async () => {
      board.disk.freeBytes = LOW
      throw full
    })
    const back = vi.spyOn(board.deps.limits.uploads, 'giveBack')
    const guest = visit(board)
    const answer = await guest.form(`/api/threads/${thread._id}/posts`, { ...postBody(), image: picture })
    expect(refusal(answer)).toEqual(NO_PICTURES)
    expect(back).toHaveBeenCalledOnce()
    await expect.poll(() => board.deps.writability.obstacle).toBe('disk_low')
  })

  it('answers 503 where the disk fails otherwise, or has turned read-only', async () => {
    for (const code of ['58030', '42501']) {
      const mend = await fillUp('posts', code)
      expect(refusal(await post(visit(board)))).toEqual([503, 'unavailable', messages.unavailable])
      await mend()
    }
    for (const code of ['EROFS', 'EIO', 'EPERM']) {
      const save = vi.spyOn(board.deps.images, 'save').mockRejectedValue(Object.assign(new Error(code), { code }))
      const answer = await visit(board).form(`/api/threads/${thread._id}/posts`, { ...postBody(), image: picture })
      expect(refusal(answer)).toEqual([503, 'unavailable', messages.unavailable])
      save.mockRestore()
    }
  })

  it('leaves no text out of the search', async () => {
    const free = await fillUp('searchDocuments')
    const content = '月影に紛れて忍び込む'
    log.lines.length = 0
    expect((await post(member, { ...postBody(), content })).status).toBe(201)
    await board.deps.search.settle()
    const lines = log.lines.map(({ msg }) => msg)
    expect(lines).toContain('search index: database or storage away, or disk full: trying again')
    expect(lines).not.toContain('a text cannot be indexed, leaving it out')
    await free()
    await board.deps.search.settle()
    const found = await visit(board).get<Thread[]>(`/api/threads?search=${encodeURIComponent('月影に紛れて')}`)
    expect(found.body.map(({ _id }) => _id)).toEqual([thread._id])
  })
})

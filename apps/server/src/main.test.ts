/** The server as a process: started, killed, restarted, stopped, and misconfigured. */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { connect, createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { messages } from '@shinobi/contract/messages'
import type { Post } from '@shinobi/contract/posts'
import type { Thread } from '@shinobi/contract/threads'
import { MATTERS, startNewspaper, type Matter } from '@shinobi/newsroom/testing/outside/newspaper'
import { findUsedTables } from './db/empty-board.ts'
import { uuidv7 } from './lib/uuid.ts'
import { openTestDatabase } from './testing/board.ts'
import { picture } from './testing/outside/picture.ts'
import { openServerProcesses, outcome, post, started, type ServerProcesses } from './testing/server-process.ts'
import { VERSION } from './version.ts'

let servers: ServerProcesses
let run: ServerProcesses['run']
beforeEach(() => {
  servers = openServerProcesses()
  run = servers.run
})
afterEach(() => servers.close())

describe('the server process', () => {
  it('loses no acknowledged post and has no gaps in numbers when it is killed with -9 during writes', async () => {
    const child = run({})
    const url = await started(child)
    const thread = await post<Thread>(`${url}/api/threads`, {
      title: '稲妻の夜に',
      content: '落ちるぞ',
      category: 'general',
    })
    const acknowledged: Post[] = []
    const enough = Promise.withResolvers<void>()
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      for (let count = 0; ; count += 1) {
        acknowledged.push(
          await post<Post>(`${url}/api/threads/${thread._id}/posts`, {
            content: `${writer}の${count}`,
            name: `影${writer}の${count}`,
          }),
        )
        if (acknowledged.length >= 120) enough.resolve()
      }
    })
    const ended = Promise.allSettled(writers)
    await enough.promise
    child.kill('SIGKILL')
    await ended

    const again = await started(run({}))
    const stored: Post[] = []
    for (;;) {
      const answer = await fetch(`${again}/api/threads/${thread._id}/posts?limit=100&after=${stored.length}`)
      const page = (await answer.json()) as Post[]
      if (page.length === 0) break
      stored.push(...page)
    }
    expect(stored.map((one) => one.number)).toEqual(stored.map((_, index) => index + 1))
    expect(stored).toEqual(
      expect.arrayContaining(
        acknowledged.map((one) => expect.objectContaining({ _id: one._id, number: one.number, content: one.content })),
      ),
    )
  })

  it('answers 503 in Japanese while its database is down, and recovers when it is back', async () => {
    const url = await started(run({}))
    const thread = await post<Thread>(`${url}/api/threads`, { title: '夜明け前', content: '一', category: 'general' })
    const lockFile = join(servers.dataDir, 'postgres', 'postmaster.pid')
    const postmaster = () => Number(readFileSync(lockFile, 'utf8').split('\n', 1)[0])
    const killed = postmaster()
    process.kill(killed, 'SIGKILL')
    const write = () =>
      fetch(`${url}/api/threads/${thread._id}/posts`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ content: '二', name: '影', clientPostId: '019a0000-0000-7000-8000-000000000001' }),
      })
    const refusals: unknown[] = []
    let answer = await write()
    // A connection may outlive its postmaster for a moment, and the next one may be there at once.
    const isBack = () => answer.status === 201 && existsSync(lockFile) && postmaster() !== killed
    for (const end = Date.now() + 60_000; !isBack() && Date.now() < end; answer = await write()) {
      const body: unknown = await answer.json()
      if (answer.status !== 201) refusals.push({ status: answer.status, body })
    }
    expect(answer.status).toBe(201)
    const unavailable = { status: 503, body: { message: messages.unavailable, code: 'unavailable' } }
    expect(refusals).toEqual(refusals.map(() => unavailable))
    expect(postmaster()).not.toBe(killed)
    // Repeated requests have stored it once.
    expect((await (await fetch(`${url}/api/threads/${thread._id}/posts`)).json()) as Post[]).toHaveLength(2)
  })

  it('logs no cookies, mail addresses, passwords or IP addresses, even at level trace', async () => {
    const child = run({ LOG_LEVEL: 'trace', TRUST_PROXY: 'true' })
    const url = await started(child)
    let log = ''
    child.stdout!.on('data', (chunk: Buffer) => (log += chunk.toString())).resume()
    const hanzo = { username: '服部半蔵', email: 'hanzo@example.jp', password: '忍びの合言葉 42' }
    const headers = { origin: url, 'x-forwarded-for': '203.0.113.7' }
    const json = { ...headers, 'content-type': 'application/json' }
    const answer = await fetch(`${url}/auth/register`, { method: 'POST', headers: json, body: JSON.stringify(hanzo) })
    expect(answer.status).toBe(201)
    const cookies = answer.headers.getSetCookie().map((cookie) => cookie.split(';')[0]!)
    const cookie = cookies.join('; ')
    const form = new FormData()
    form.set('profileImage', new Blob(['no picture']), 'x.png')
    const upload = await fetch(`${url}/auth/profile/image`, {
      method: 'PUT',
      headers: { ...headers, cookie },
      body: form,
    })
    expect(upload.status).toBe(415)
    child.kill('SIGTERM')
    await outcome(child)
    // Shows that the parser did log.
    expect(log).toContain('busboy')
    const tokens = cookies.map((one) => one.slice(one.indexOf('=') + 1)).filter((value) => value.length > 8)
    expect(tokens).toHaveLength(3)
    for (const secret of [...Object.values(hanzo), ...tokens, headers['x-forwarded-for']]) {
      expect([secret, log.includes(secret)]).toEqual([secret, false])
    }
  })

  it('stops on SIGTERM with exit code 0, and another process can open the data folder afterwards', async () => {
    const child = run({})
    await started(child)
    child.kill('SIGTERM')
    expect((await outcome(child)).code).toBe(0)
    await started(run({}))
  })

  it('reports in one line that the port is in use', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    const { code, lines } = await outcome(run({ PORT: String(port) }))
    other.close()
    expect(code).toBe(1)
    expect(lines).toEqual([`Port ${port} is taken by another program. Stop it, or set PORT to another number.`])
  })

  it('reports in one line that the data folder is in use', async () => {
    await started(run({}))
    const { code, lines } = await outcome(run({}))
    expect(code).toBe(1)
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain('is in use by a running server')
  })

  it('creates the first administrator once, and reports in one line when it cannot', async () => {
    const settings = { ADMIN_USERNAME: '管理人', ADMIN_EMAIL: 'kanri@example.jp', ADMIN_PASSWORD: '忍びの合言葉 42' }
    const logIn = async (child: ChildProcess, password: string) => {
      const body = { username: settings.ADMIN_USERNAME, password }
      return post<{ isAdmin: boolean }>(`${await started(child)}/auth/login`, body)
    }
    const weak = await outcome(run({ ...settings, ADMIN_PASSWORD: 'password1' }))
    expect(weak).toEqual({ code: 1, lines: ['Settings ADMIN_… cannot be used: This password is guessed first.'] })
    const first = run(settings)
    expect(await logIn(first, settings.ADMIN_PASSWORD)).toMatchObject({ isAdmin: true })
    first.kill('SIGTERM')
    await once(first, 'exit')
    const second = run({ ...settings, ADMIN_PASSWORD: 'もう一つの合言葉' })
    expect(await logIn(second, settings.ADMIN_PASSWORD)).toMatchObject({ isAdmin: true })
  })

  it('stops in time although a request is still being sent', async () => {
    const child = run({})
    const { port } = new URL(await started(child))
    const slow = connect(Number(port), '127.0.0.1')
    slow.on('error', () => {})
    slow.write(
      'POST /api/threads HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{',
    )
    await once(slow, 'ready')
    child.kill('SIGTERM')
    expect((await outcome(child)).code).toBe(0)
    slow.destroy()
  })

  it.each([
    ['HOST', '300.1.1.1'],
    ['HOST', '203.0.113.250'],
    ['DATA_DIR', '/dev/null/folder'],
    ['DATABASE_URL', 'postgres://nobody@localhost:99999/none'],
  ])('reports in one line that %s=%s cannot be used', async (name, value) => {
    const { code, lines } = await outcome(run({ [name]: value }))
    expect(code).toBe(1)
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain(name)
  })

  it('reports in one line which setting is invalid', async () => {
    expect(await outcome(run({ PORT: 'harbour' }))).toEqual({
      code: 1,
      lines: ['Setting PORT cannot be used: it takes a whole number from 0 to 65535.'],
    })
  })

  it('is built with all files that it needs beside its code', async () => {
    const paper = await startNewspaper()
    const [matter] = MATTERS as [Matter]
    const article = paper.print(matter)
    const feed = paper.announce('/feed', [matter], { newest: Date.now() - 60_000 })
    const admin = { ADMIN_USERNAME: '管理人', ADMIN_EMAIL: 'kanri@example.jp', ADMIN_PASSWORD: '忍びの合言葉 42' }
    const url = await started(run({ ...admin, NEWS_PRIVATE_ADDRESSES: 'true' }))
    // The home page is rendered, and the API documentation has its own pages.
    expect(await (await fetch(`${url}/`)).text()).toContain('<h1')
    expect(await (await fetch(`${url}/docs/static/swagger-ui.css`)).text()).toContain('.swagger-ui')

    const form = new FormData()
    for (const [name, text] of Object.entries({ title: '絵巻物', content: '絵付き', category: 'general' }))
      form.set(name, text)
    form.set('image', await picture(), 'kunai.png')
    const opened = await fetch(`${url}/api/threads`, { method: 'POST', body: form })
    expect(opened.status).toBe(201)
    const { imageUrl } = (await opened.json()) as Thread
    expect((await fetch(new URL(imageUrl!, url))).headers.get('content-type')).toBe('image/webp')

    const body = JSON.stringify({ username: admin.ADMIN_USERNAME, password: admin.ADMIN_PASSWORD })
    const json = { 'content-type': 'application/json', origin: url }
    const login = await fetch(`${url}/auth/login`, { method: 'POST', headers: json, body })
    const cookie = login.headers.getSetCookie().map((one) => one.split(';')[0]!)
    const headers = { ...json, cookie: cookie.join('; ') }
    const [category] = (await (await fetch(`${url}/api/categories`)).json()) as [{ _id: string }]
    const source = { url: feed, name: '忍日報', categoryId: category._id }
    const taken = await fetch(`${url}/api/admin/news/sources`, {
      method: 'POST',
      headers,
      body: JSON.stringify(source),
    })
    expect(taken.status).toBe(201)
    await vi.waitUntil(async () => (await (await fetch(`${url}/api/threads?limit=50`)).text()).includes(article), {
      timeout: 60_000,
      interval: 100,
    })
    await paper.close()
  })

  it('reports in one line that the database belongs to a newer version', async () => {
    const database = await openTestDatabase()
    await sql`insert into kysely_migration (name, timestamp) values ('9999-latest', 'now')`.execute(database.db)
    expect(await outcome(run({ DATABASE_URL: database.url }))).toEqual({
      code: 1,
      lines: [
        `The database belongs to a newer version of 忍板: this one (${VERSION}) does not know its migration 9999-latest. ` +
          'Run the newer version, or restore a backup from before the update (docs/upgrading.md).',
      ],
    })
    await database.close()
  })

  it('reports in one line that the database is older than 0.2.0, which must be started first', async () => {
    const database = await openTestDatabase()
    await sql`delete from kysely_migration`.execute(database.db)
    await sql`insert into kysely_migration (name, timestamp) values ('0001-board', '2026-11-01T00:00:00.000Z')`.execute(
      database.db,
    )
    expect(await outcome(run({ DATABASE_URL: database.url }))).toEqual({
      code: 1,
      lines: [
        'The database belongs to a version of 忍板 before 0.2.0: its last migration is 0001-board. ' +
          'Start version 0.2.0 on it once, then this one again (docs/upgrading.md). Nothing was changed.',
      ],
    })
    await database.close()
  })

  it('shows its version at the start, in /healthz and on the About page', async () => {
    const server = run({})
    let said = ''
    server.stdout!.on('data', (chunk: Buffer) => (said += chunk.toString()))
    const url = await started(server)
    expect(said).toContain(`忍板 ${VERSION} is open at http://`)
    expect(await (await fetch(`${url}/healthz`)).json()).toEqual({ status: 'ok', version: VERSION })
    expect(await (await fetch(`${url}/about`)).text()).toContain(`版 ${VERSION}</a>`)
  })

  it('uses PostgreSQL when DATABASE_URL is set', async () => {
    const database = await openTestDatabase()
    const server = run({ DATABASE_URL: database.url })
    const url = await started(server)
    expect(((await (await fetch(`${url}/api/categories`)).json()) as unknown[]).length).toBe(7)
    await expect.poll(async () => (await fetch(`${url}/readyz`)).status).toBe(200)
    server.kill('SIGTERM')
    await once(server, 'exit')
    // A fresh board still accepts a restore.
    expect(await findUsedTables(database.db)).toEqual([])
    await database.close()
  })

  it('refuses to open an empty board on DATABASE_URL while DATA_DIR contains one', async () => {
    const database = await openTestDatabase()
    const both = { DATABASE_URL: database.url, DATA_DIR: servers.dataDir }
    const { code, lines } = await outcome(run(both))
    expect(code).toBe(1)
    expect(lines).toEqual([expect.stringContaining('npm run backup -- board.tar.zst')])
    await database.db
      .insertInto('users')
      .values({ id: uuidv7(0), name: '影', createdAt: new Date(0) })
      .execute()
    const server = run(both)
    await started(server)
    server.kill('SIGTERM')
    await once(server, 'exit')
    await database.close()
  })
})

/** What browsers of 2ch read. */
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { sql } from 'kysely'
import { describe, expect } from 'vitest'
import type { Thread } from '@shinobi/contract/threads'
import { decodeCp932 } from '@shinobi/dat/cp932'
import { createDatClient } from '../../testing/dat-client.ts'
import { startThread, writeTo } from '../../testing/board.ts'
import { fillThread } from '../../testing/filled-thread.ts'
import { boardTest } from '../../testing/fixtures.ts'
import { isOnCluster } from '../../testing/citus.ts'
import { picture } from '../../testing/outside/picture.ts'
import { ask } from '../../testing/wire.ts'
import { selectThreadKeys } from '../threads/thread-keys.queries.ts'

const it = boardTest.extend('helpers', ({ board, admin }) => {
  const datOf = async ({ _id, categoryId, category }: Thread) => {
    const keys = await selectThreadKeys(board.database.db, [_id], categoryId)
    return `/${category}/dat/${keys.get(_id)}.dat`
  }
  return {
    get: async (path: string, headers: Readonly<Record<string, string>> = {}) =>
      ask((await board.listen()) + path, { headers }),
    /** Where a path leads that is sent as it is. */
    locationOf: async (path: string) => {
      const { port } = new URL(await board.listen())
      const [answer] = (await once(get({ host: '127.0.0.1', port, path }), 'response')) as [IncomingMessage]
      answer.resume()
      return answer.headers.location
    },
    textOf: async (path: string) => decodeCp932((await ask((await board.listen()) + path)).bytes),
    datOf,
    clientOf: async (thread: Thread) => createDatClient((await board.listen()) + (await datOf(thread))),
    set: (settings: Readonly<Record<string, unknown>>) => admin.put('/api/admin/settings', settings),
    /** @returns what brings it back */
    remove: async ({ _id }: Thread, number: number) => {
      const posts = (await admin.get<{ _id: string }[]>(`/api/threads/${_id}/posts`)).body
      const url = `/api/admin/posts/${posts[number - 1]!._id}`
      await admin.delete(`${url}?rule=hurt`)
      return () => admin.post(`${url}/restore`)
    },
  }
})
it.beforeEach(({ board }) => {
  board.clock.now += 20_000
})

describe('menus', () => {
  it('list the categories in CP932, and in JSON', async ({ helpers }) => {
    const html = await helpers.get('/bbsmenu.html')
    expect(html.headers['content-type']).toBe('text/html; charset=Shift_JIS')
    expect(decodeCp932(html.bytes)).toContain('<a href="http://localhost/general/">雑談</a><br>')
    const json = JSON.parse((await helpers.get('/bbsmenu.json')).bytes.toString()) as {
      menu_list: { category_content: unknown[] }[]
    }
    expect(json.menu_list[0]!.category_content).toContainEqual(
      expect.objectContaining({ url: 'http://localhost/general/', board_name: '雑談', directory_name: 'general' }),
    )
  })

  it('show settings and rules of a category, and a page that leads to it', async ({ helpers }) => {
    const setting = await helpers.textOf('/general/SETTING.TXT')
    expect(setting).toContain('\nBBS_TITLE=雑談＠忍板\nBBS_TITLE_ORIG=雑談＠忍板\nBBS_NONAME_NAME=名無し\n')
    expect(setting).toContain('\nBBS_THREAD_STOP=1000\n')
    expect(await helpers.textOf('/general/head.txt')).toContain('利用規約')
    expect(await helpers.textOf('/general/')).toContain('href="http://localhost/categories/general"')
  })

  it('know no category that does not exist, and no page of the web', async ({ helpers }) => {
    for (const path of ['/nowhere/subject.txt', '/nowhere/SETTING.TXT', '/nowhere/dat/1234567890.dat'])
      expect((await helpers.get(path)).status).toBe(404)
    const about = await helpers.get('/about/')
    expect([about.status, about.headers.location]).toEqual([302, '/about'])
    for (const [path, location] of [
      ['/foo.bar/', '/foo.bar'],
      ['/%E6%97%A5/?q=1', '/%E6%97%A5?q=1'],
      ['/\\evil.example/', '/%5Cevil.example'],
    ] as const)
      expect(await helpers.locationOf(path)).toBe(location)
    // No web app was built for this board, so that its front page is nowhere.
    for (const path of ['/', '/?q=1', '/general', '//']) expect(await helpers.textOf(path)).toContain('"not_found"')
  })

  it('disappear when the gateway is switched off', async ({ helpers }) => {
    expect((await helpers.get('/general/subject.txt')).status).toBe(200)
    await helpers.set({ gateway: false })
    for (const path of ['/bbsmenu.html', '/general/subject.txt']) expect((await helpers.get(path)).status).toBe(404)
    // The slash at the end of a page is ignored as before.
    for (const page of ['/general', '/about'])
      expect(await helpers.get(`${page}/`)).toMatchObject({ status: 302, headers: { location: page } })
    await helpers.set({ gateway: true })
    expect((await helpers.get('/general/subject.txt')).status).toBe(200)
  })
})

describe('subject.txt', () => {
  it('lists the threads that were lifted last, with as many posts as the dat has lines', async ({
    board,
    guest,
    helpers,
  }) => {
    const older = await startThread(guest, { title: '古い<スレ>', category: 'world' })
    board.clock.now += 5_000
    await startThread(guest, { title: '新しいスレ', category: 'world' })
    board.clock.now += 5_000
    await writeTo(guest, older, 'age')
    await board.settle()
    board.clock.now += 2_000
    const lines = (await helpers.textOf('/world/subject.txt')).split('\n')
    expect(lines[0]).toMatch(/^\d{10}\.dat<>古い&lt;スレ&gt; \(2\)$/)
    expect(lines[1]).toMatch(/^\d{10}\.dat<>新しいスレ \(1\)$/)
    expect(lines.at(-1)).toBe('')
  })

  it('of a category without threads is an empty line, because JDim takes an empty file for a move', async ({
    helpers,
  }) => {
    const { status, bytes } = await helpers.get('/economy/subject.txt')
    expect([status, bytes.toString('latin1')]).toEqual([200, '\n'])
  })
})

describe('a dat', () => {
  it('has a line a post, in CP932', async ({ guest, helpers }) => {
    const thread = await startThread(guest, { title: '今夜は月見', content: '一行目\n二行目', nickname: '影丸' })
    await writeTo(guest, thread, '>>1 😂', '雲')
    const lines = (await helpers.textOf(await helpers.datOf(thread))).split('\n')
    expect(lines).toEqual([
      expect.stringMatching(
        /^影丸<><>2026\/11\/21\(土\) \d\d:\d\d:\d\d\.\d\d ID:\S{8}<> 一行目 <br> 二行目 <>今夜は月見$/,
      ),
      expect.stringMatching(/^雲<><>.*<> &gt;&gt;1 &#128514; <>$/),
      '',
    ])
  })

  it('grows at its end only, so a client that asks for the difference has the whole', async ({
    board,
    guest,
    helpers,
  }) => {
    const thread = await startThread(guest)
    const client = await helpers.clientOf(thread)
    expect(await client.fetch()).toBe('all')
    expect(await client.fetch()).toBe('nothing new')
    await writeTo(guest, thread, '二つ目')
    // In the same second: the date of the dat is the same.
    expect(await client.fetch()).toBe('more')
    board.clock.now += 3_000
    await writeTo(guest, thread, '三つ目')
    await writeTo(guest, thread, '四つ目')
    expect(await client.fetch()).toBe('more')
    expect(await client.fetch()).toBe('nothing new')
    expect(client.stored).toEqual((await helpers.get(await helpers.datOf(thread))).bytes)
  })

  it('keeps the place of every byte when a post is removed, and when it comes back', async ({
    board,
    guest,
    helpers,
  }) => {
    const thread = await startThread(guest)
    await writeTo(guest, thread, '消える書き込み、少し長め')
    const client = await helpers.clientOf(thread)
    await client.fetch()
    const before = client.stored
    board.clock.now += 5_000
    const restore = await helpers.remove(thread, 2)
    const path = await helpers.datOf(thread)
    const removed = (await helpers.get(path)).bytes
    expect(removed).toHaveLength(before.length)
    expect(decodeCp932(removed).split('\n')[1]).toMatch(/^あぼーん<>あぼーん<>あぼーん<> あぼーん +<>$/)
    expect(decodeCp932(removed)).not.toContain('消える')
    expect(await client.fetch()).toBe('nothing new')
    await writeTo(guest, thread, '続き')
    expect(await client.fetch()).toBe('more')
    const { bytes, headers } = await helpers.get(path)
    expect(client.stored.subarray(before.length)).toEqual(bytes.subarray(before.length))
    // Clients that read dats as a whole know of a change by its date.
    board.clock.now += 5_000
    await restore()
    const restored = await helpers.get(path, { 'if-modified-since': headers['last-modified']! })
    expect(restored.status).toBe(200)
    expect(restored.bytes).toEqual(client.stored)
  })

  it('keeps it also where a post was removed before anybody asked, and after it is purged', async ({
    board,
    other,
    guest,
    helpers,
  }) => {
    const thread = await startThread(guest)
    await writeTo(guest, thread, '読まれる前に消える書き込み')
    await helpers.remove(thread, 2)
    const path = await helpers.datOf(thread)
    const before = (await helpers.get(path)).bytes
    expect(decodeCp932(before)).not.toContain('読まれる')
    await board.database.db
      .updateTable('posts')
      .set({ content: '', name: null })
      .where('threadId', '=', thread._id)
      .where('number', '=', 2)
      .execute()
    // A server that has not read it before.
    const answer = await ask((await other.listen()) + path)
    expect(answer.bytes).toEqual(before)
  })

  it('answers what is behind its end, and what is not a range, as HTTP says', async ({ guest, helpers }) => {
    const thread = await startThread(guest)
    const path = await helpers.datOf(thread)
    const { bytes, headers } = await helpers.get(path)
    const size = bytes.length
    const range = (value: string, more = {}) => helpers.get(path, { range: value, ...more })
    expect(await range(`bytes=${size}-`)).toMatchObject({
      status: 416,
      headers: { 'content-range': `bytes */${size}` },
    })
    expect(await range(`bytes=0-3`)).toMatchObject({
      status: 206,
      bytes: bytes.subarray(0, 4),
      headers: { 'content-range': `bytes 0-3/${size}`, 'content-type': 'text/plain; charset=Shift_JIS' },
    })
    expect(await range('bytes=-1')).toMatchObject({ status: 206, bytes: Buffer.from('\n') })
    const strange = ['bytes=', 'bytes=-', 'bytes=3-1', 'bytes=0-1,3-4', 'lines=1-', `bytes=${'9'.repeat(30)}-`]
    const statuses = await Promise.all(strange.map(async (value) => (await range(value)).status))
    expect(statuses).toEqual(strange.map(() => 200))
    const modified = headers['last-modified']!
    expect((await helpers.get(path, { 'if-modified-since': modified })).status).toBe(304)
    expect((await helpers.get(path, { 'if-none-match': headers.etag! })).status).toBe(304)
    expect((await helpers.get(path, { 'if-none-match': '"other"', 'if-modified-since': modified })).status).toBe(200)
    expect((await range('bytes=5-', { 'if-modified-since': modified })).status).toBe(206)
    expect((await range(`bytes=${size - 1}-`, { 'if-modified-since': modified })).status).toBe(304)
    expect((await range('bytes=5-', { 'if-range': '"other"' })).status).toBe(200)
    expect((await range('bytes=5-', { 'accept-encoding': 'gzip' })).headers['content-encoding']).toBeUndefined()
  })

  it('has a date of its own for each change, for clients that compare dates alone', async ({
    board,
    other,
    guest,
    helpers,
  }) => {
    const thread = await startThread(guest)
    const path = await helpers.datOf(thread)
    const dates: string[] = []
    const readAgain = async () => {
      const { status, headers } = await helpers.get(path, { 'if-modified-since': dates.at(-1) ?? '' })
      dates.push(headers['last-modified']!)
      return status
    }
    expect(await readAgain()).toBe(200)
    // All within one second.
    for (const text of ['二つ目', '三つ目', '四つ目']) {
      await writeTo(guest, thread, text)
      expect(await readAgain()).toBe(200)
      expect(await readAgain()).toBe(304)
    }
    const restore = await helpers.remove(thread, 2)
    expect(await readAgain()).toBe(200)
    await writeTo(guest, thread, '五つ目')
    expect(await readAgain()).toBe(200)
    // Another server, which read none of it before, gives the same date.
    const there = await ask((await other.listen()) + path)
    expect(there.headers['last-modified']).toBe(dates.at(-1))
    await restore()
    expect(await readAgain()).toBe(200)
    expect(new Set(dates).size).toBe(7)
    board.clock.now += 60_000
    await writeTo(guest, thread, '一分後')
    expect(await readAgain()).toBe(200)
    expect(await readAgain()).toBe(304)
  })

  it('has no endless line: one of signs that CP932 lacks is cut, and stays as it was sent', async ({
    guest,
    helpers,
  }) => {
    const content = '😂'.repeat(4_000)
    const thread = await startThread(guest, { nickname: '影丸', content, image: await picture() })
    const client = await helpers.clientOf(thread)
    await client.fetch()
    expect(client.stored).toHaveLength(16_384)
    expect(decodeCp932(client.stored)).toMatch(/^影丸<>.*<> (&#128514;)+… <br> http:\/\/localhost\/images\/.* *<>.*\n$/)
    await writeTo(guest, thread, '続き')
    expect(await client.fetch()).toBe('more')
    expect(client.stored).toEqual((await helpers.get(await helpers.datOf(thread))).bytes)
    // Whoever takes the thread along has all of it.
    const log = await helpers.get(`/api/threads/${thread._id}/log.dat`)
    expect(decodeCp932(log.bytes)).toContain('&#128514;'.repeat(4_000))
  })

  it('is read for one source at a time, so that its long threads leave a place to others', async ({ board }) => {
    const { inTurn } = board.deps.dats
    const { promise: read, resolve: finish } = Promise.withResolvers<void>()
    const begun: string[] = []
    const ask = (asker: string) =>
      inTurn(async () => {
        begun.push(asker)
        await read
      }, asker)
    const answers = [ask('one'), ask('one'), ask('another')]
    expect(begun).toEqual(['one', 'another'])
    finish()
    await Promise.all(answers)
    expect(begun).toEqual(['one', 'another', 'one'])
  })

  it('is read while lengths cannot be stored, and has them stored later', async ({ board, guest, helpers, skip }) => {
    skip(await isOnCluster(), 'Citus has no triggers on distributed tables')
    const thread = await startThread(guest)
    const path = await helpers.datOf(thread)
    const { db } = board.database
    const lengths = db.selectFrom('datLengths').select('bytes').where('threadId', '=', thread._id)
    await sql`create function refuse_lengths() returns trigger language plpgsql as $$ begin raise 'disk full'; end $$`.execute(
      db,
    )
    await sql`create trigger lengths_refused before insert on "datLengths" for each row execute function refuse_lengths()`.execute(
      db,
    )
    const before = await helpers.get(path)
    expect(before.status).toBe(200)
    await sql`drop trigger lengths_refused on "datLengths"`.execute(db)
    expect(await lengths.execute()).toEqual([])
    await writeTo(guest, thread, '続き')
    const after = await helpers.get(path)
    expect(after.bytes.subarray(0, before.bytes.length)).toEqual(before.bytes)
    const sizes = [before.bytes.length, after.bytes.length - before.bytes.length]
    expect(await lengths.execute()).toEqual([{ bytes: sizes }])
  })

  it('is compressed as a whole where a client takes it', async ({ board, guest, helpers }) => {
    const thread = await fillThread(board, guest, 60)
    const answer = await helpers.get(await helpers.datOf(thread), { 'accept-encoding': 'gzip' })
    expect(answer.headers['content-encoding']).toBe('gzip')
  })

  it('is not read again as a whole for a new post', async ({ board, guest, helpers }) => {
    const thread = await fillThread(board, guest, 500)
    const path = await helpers.datOf(thread)
    await helpers.get(path)
    await writeTo(guest, thread, '501番目です')
    const lines = (await helpers.textOf(path)).split('\n')
    expect(lines).toHaveLength(502)
    expect(lines[500]).toContain('501番目です')
  })

  it('follows its thread to another category, and is gone with it', async ({ board, guest, admin, helpers }) => {
    const thread = await startThread(guest)
    const path = await helpers.datOf(thread)
    const world = await board.database.db
      .selectFrom('categories')
      .select('id')
      .where('name', '=', 'world')
      .executeTakeFirstOrThrow()
    await helpers.get(path)
    await admin.put(`/api/admin/threads/${thread._id}`, { categoryId: world.id })
    const moved = await helpers.get(path)
    expect([moved.status, moved.headers.location]).toEqual([302, expect.stringMatching(/^\/world\/dat\/\d{10}\.dat$/)])
    expect((await helpers.get(moved.headers.location!)).status).toBe(200)
    await admin.delete(`/api/admin/threads/${thread._id}`)
    expect((await helpers.get(moved.headers.location!)).status).toBe(404)
  })

  it('is found where past logs are looked for, and read.cgi leads to the page', async ({ guest, helpers }) => {
    const thread = await startThread(guest)
    const path = await helpers.datOf(thread)
    const key = /(\d{10})\.dat$/.exec(path)![1]!
    const past = await helpers.get(`/general/kako/${key.slice(0, 4)}/${key.slice(0, 5)}/${key}.dat`)
    expect(past.bytes).toEqual((await helpers.get(path)).bytes)
    // Under no other address: each would be kept in the cache.
    for (const elsewhere of ['0000', `${key.slice(0, 4)}/00000`, `${key.slice(0, 4)}/${key.slice(0, 4)}`])
      expect((await helpers.get(`/general/kako/${elsewhere}/${key}.dat`)).status).toBe(404)
    const placeOf = async (rest: string) =>
      (await helpers.get(`/test/read.cgi/general/${key}${rest}`)).headers.location?.replace(thread._id, 'id')
    expect(await Promise.all(['', '/', '/l50', '/5', '/5-9', '/5-', '/5-9n', '/0', '/<x>'].map(placeOf))).toEqual([
      ...['/thread/id', '/thread/id', '/thread/id/l50', '/thread/id/5', '/thread/id/5-9', '/thread/id/5-'],
      ...['/thread/id/5-9n', '/thread/id', '/thread/id'],
    ])
  })

  it('that is nowhere leads people to a page, not to the error of a call', async ({ guest, admin, helpers }) => {
    for (const path of ['/general/1/', '/nowhere/1234567890/', '/general/x'])
      expect(await helpers.locationOf(`/test/read.cgi${path}`)).toBe('/test/read.cgi')
    const thread = await startThread(guest)
    const [key] = /\d{10}/.exec(await helpers.datOf(thread))!
    await admin.delete(`/api/admin/threads/${thread._id}`)
    expect(await helpers.locationOf(`/test/read.cgi/general/${key}/`)).toBe(`/thread/${thread._id}`)
  })
})

/** `npm run import` as a process, and what the board and `npm run export` make of it. */
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { pack } from 'tar-stream'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { UNDO_HOURS } from '@shinobi/contract/limits'
import { threadLog, type ThreadLog } from '@shinobi/contract/logs'
import type { Post } from '@shinobi/contract/posts'
import type { Thread, ThreadItem } from '@shinobi/contract/threads'
import { encodeCp932 } from '@shinobi/dat/cp932'
import { formatLine, formatRemoved, type DatPost } from '@shinobi/dat/line'
import { selectTotals } from '../db/tallies.ts'
import { claimThreadKeys } from '../features/threads/imported-threads.queries.ts'
import { selectThreadKeys, selectThreadOfKey } from '../features/threads/thread-keys.queries.ts'
import {
  openBoard,
  openTestDatabase,
  signUp,
  startThread,
  visit,
  writeTo,
  type TestDatabase,
} from '../testing/board.ts'
import { purgeThreads } from '../purge.ts'
import { makeEmptyFolder } from '../testing/data-folder.ts'

const TIMEOUT_MS = 120_000
const KEY = 1_100_000_000

let folder: string
let database: TestDatabase
beforeEach(async () => {
  folder = makeEmptyFolder()
  database = await openTestDatabase()
})
afterEach(async () => {
  await database.close()
  rmSync(folder, { recursive: true, force: true })
})

function start(program: string, args: readonly string[]) {
  const env = { PATH: process.env['PATH'] ?? '', DATA_DIR: folder, DATABASE_URL: database.url }
  const main = resolve(import.meta.dirname, `${program}.ts`)
  return spawn(process.execPath, [main, ...args], { env, cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
}

async function run(program: string, ...args: readonly string[]) {
  const child = start(program, args)
  const outcome = { out: '', err: '' }
  child.stdout.on('data', (chunk: Buffer) => (outcome.out += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (outcome.err += chunk.toString()))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, ...outcome }
}

const importLogs = (path: string, ...more: readonly string[]) => run('import', path, '--category', 'general', ...more)

function put(name: string, content: Buffer | string): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true })
  writeFileSync(join(folder, name), content)
}
const get = (name: string): Buffer => readFileSync(join(folder, name))

const postAt = (index: number, more: Partial<DatPost> = {}): DatPost => ({
  ...{ name: '名無しさん', trip: null, staff: false, mail: index % 2 === 0 ? '' : 'sage', posterId: 'abcd1234' },
  ...{ at: new Date(KEY * 1_000 + index * 7_010), body: `本文 ${index + 1}`, title: index === 0 ? '昔の　話' : '' },
  ...more,
})
/** A dat of so many posts. */
const dat = (posts: number, more: Partial<DatPost> = {}): Buffer =>
  Buffer.concat(Array.from({ length: posts }, (_, index) => formatLine(postAt(index, more))))

const { threadIdOf, categoryId } = {
  categoryId: async (): Promise<string> => {
    const { db } = database
    return (await db.selectFrom('categories').select('id').where('name', '=', 'general').executeTakeFirstOrThrow()).id
  },
  threadIdOf: async (key: number): Promise<string> => (await selectThreadOfKey(database.db, await categoryId(), key))!,
}

const DRAWING = '　　∧＿∧\n　 （　´∀｀）＜ &lt; >>1 "お茶" 😂\n\n　 ｜ ｜　|  '

it('a dat comes out of the board byte for byte as it went in', { timeout: TIMEOUT_MS }, async () => {
  const log = Buffer.concat([
    formatLine(postAt(0, { name: '影丸', trip: 'abcdEFGH12', body: DRAWING })),
    formatLine(postAt(1, { name: '記者', staff: true, mail: 'sage ageたい', posterId: null })),
    formatRemoved(''),
    formatLine(postAt(3, { mail: 'mona@example.jp', name: '長'.repeat(300), body: '長文'.repeat(5_000) })),
    ...Array.from({ length: 997 }, (_, index) => formatLine(postAt(4 + index, { body: DRAWING }))),
  ])
  put(`old/${KEY}.dat`, log)
  const done = await importLogs('old')
  expect(done).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^Imported 1001 posts in 1 new threads in .* posts\/s/),
  })
  expect(done.out).toContain('1 removed posts (あぼーん) (1100000000.dat:3)')
  expect((await run('export', '--all', '--format', 'dat')).code).toBe(0)
  expect(get(`export/general/${KEY}.dat`).equals(log)).toBe(true)
})

it('JSON comes out of another board as it went in', { timeout: TIMEOUT_MS }, async () => {
  const board = await openBoard({}, database)
  const thread = await startThread(visit(board), { title: '月<見>', content: DRAWING, nickname: '影丸' })
  await writeTo(visit(board), thread, '二つ目\n>>1', '名無し')
  await board.close()
  await run('export', '--all')
  const [file = ''] = readdirSync(join(folder, 'export/general'))
  const before = threadLog.parse(JSON.parse(get(`export/general/${file}`).toString()))
  rmSync(join(folder, 'export'), { recursive: true })
  const log: ThreadLog = {
    ...before,
    posts: [
      ...before.posts,
      { ...before.posts[1]!, number: 3, staff: true, trip: 'abc', mail: 'sage', name: '運営', content: '三つ目' },
      {
        ...{ number: 4, name: null, trip: null, staff: false, mail: '', createdAt: before.posts[1]!.createdAt },
        ...{ posterId: null, content: '', image: null, removed: true },
      },
    ],
  }
  put(`logs/${file}`, JSON.stringify(log))
  await database.close()
  database = await openTestDatabase()
  expect(await importLogs('logs')).toMatchObject({ code: 0, out: expect.stringContaining('Imported 4 posts') })
  await run('export', '--all')
  const after = threadLog.parse(JSON.parse(get(`export/general/${file}`).toString()))
  const { _id, ...known } = log.thread
  expect(after.posts).toEqual(log.posts)
  expect(after.thread).toEqual({ ...known, _id: expect.not.stringMatching(_id) })
})

it('the board shows a thread of a log as one of its own', { timeout: TIMEOUT_MS }, async () => {
  put(`${KEY}.dat`, dat(30, { name: '長'.repeat(100) }))
  const board = await openBoard({}, database)
  const owner = await signUp(board, '楓の葉')
  expect((await importLogs(`${KEY}.dat`, '--owner', '楓の葉')).code).toBe(0)
  const id = await threadIdOf(KEY)
  const guest = visit(board)
  const thread = (await guest.get<Thread>(`/api/threads/${id}`)).body
  expect(thread).toMatchObject({ title: '昔の　話', postCount: 30, sages: 15, excerpt: '本文 1', postLimit: 30 })
  expect(thread.createdAt).toBe(new Date(KEY * 1_000).toISOString())
  expect(thread.closedAt).toBe(postAt(29).at.toISOString())
  expect(thread.lastPostAt).toBe(thread.closedAt)
  const posts = (await guest.get<Post[]>(`/api/threads/${id}/posts?after=28`)).body
  expect(posts).toMatchObject([
    { number: 29, posterId: 'abcd1234' },
    { number: 30, sage: true, content: '本文 30' },
  ])
  const past = (await guest.get<ThreadItem[]>('/api/threads?state=past')).body
  expect(past.map(({ _id }) => _id)).toEqual([id])
  const found = (await guest.get<ThreadItem[]>(`/api/threads?search=${encodeURIComponent('本文 17')}`)).body
  expect(found.map(({ _id }) => _id)).toEqual([id])
  expect(thread.userId).toBe(owner.userId)
  expect(await selectTotals(database.db)).toMatchObject({ threads: 1, posts: 30 })
  await board.close()
})

it('an imported post without a text is restored after its removal', { timeout: TIMEOUT_MS }, async () => {
  put(`${KEY}.dat`, Buffer.concat([formatLine(postAt(0)), formatLine(postAt(1, { body: '' })), formatRemoved('')]))
  await importLogs(`${KEY}.dat`)
  const board = await openBoard({}, database)
  const admin = await signUp(board, undefined, { isAdmin: true })
  const url = `/api/threads/${await threadIdOf(KEY)}/posts`
  const [, empty, gone] = (await admin.get<Post[]>(url)).body
  expect((await admin.delete(`/api/admin/posts/${empty!._id}?rule=law`)).status).toBe(200)
  expect((await admin.post(`/api/admin/posts/${empty!._id}/restore`)).status).toBe(200)
  // What the log itself has removed has nothing to restore.
  expect((await admin.post(`/api/admin/posts/${gone!._id}/restore`)).status).toBe(409)
  expect((await admin.get<Post[]>(url)).body.slice(1)).toMatchObject([
    { deleted: false, content: '', posterId: 'abcd1234' },
    { deleted: true },
  ])
  await board.close()
})

it('a second import adds the posts that are missing, and nothing twice', { timeout: TIMEOUT_MS }, async () => {
  put(`a/${KEY}.dat`, dat(3))
  expect((await importLogs('a', '--open')).out).toContain('Imported 3 posts in 1 new threads')
  expect((await importLogs('a', '--open')).out).toMatch(/Imported 0 posts .*\n1 threads had all posts of their logs\./)
  put(`a/${KEY}.dat.gz`, gzipSync(dat(5)))
  expect((await importLogs('a', '--dry-run')).out).toContain('Would import 2 posts in 0 new threads')
  expect((await importLogs('a', '--open')).out).toContain('Imported 2 posts in 0 new threads')
  expect(await selectTotals(database.db)).toMatchObject({ threads: 1, posts: 5 })
  const thread = await database.db.selectFrom('threads').selectAll().executeTakeFirstOrThrow()
  expect(thread).toMatchObject({ postCount: 5, rankedPosts: 5, revision: 5, sages: 2, closedAt: null, liftedAt: null })

  // Somebody writes in it here.
  const board = await openBoard({}, database)
  await writeTo(visit(board), { _id: thread.id }, 'ここから', '名無し')
  await board.close()
  put(`a/${KEY}.dat.gz`, gzipSync(dat(9)))
  const grown = await importLogs('a', '--open')
  expect(grown).toMatchObject({ code: 3, out: expect.stringContaining('its thread got posts here') })
  expect(await selectTotals(database.db)).toMatchObject({ posts: 6 })
})

it('a key of another thread, and what is no log, is left out with its reason', { timeout: TIMEOUT_MS }, async () => {
  const board = await openBoard({}, database)
  const thread = await startThread(visit(board))
  await board.close()
  const key = (await selectThreadKeys(database.db, [thread._id], await categoryId())).get(thread._id)!
  const archive = pack()
  const chunks: Buffer[] = []
  archive.on('data', (chunk) => chunks.push(chunk as Buffer))
  archive.entry({ name: `b/${key}.dat` }, dat(2))
  archive.entry({ name: `b/${KEY}.dat` }, Buffer.concat([formatRemoved(''), Buffer.from('\x81\n\0\r\n<>')]))
  archive.entry({ name: `b/${KEY + 1}.dat` }, '')
  archive.entry({ name: `b/${KEY + 2}.dat.gz` }, Buffer.from([0x1f, 0x8b, 0xff, 0x00]))
  archive.entry({ name: 'b/x.json' }, '{"format":"shinobi-thread-log"}')
  archive.entry({ name: 'b/readme.txt' }, 'no log')
  archive.entry({ name: 'b/subject.txt' }, encodeCp932(`${KEY}.dat<>載っていた題 (3)\n`))
  archive.finalize()
  await once(archive, 'end')
  put('logs.tar.gz', gzipSync(Buffer.concat(chunks)))
  const { code, out } = await importLogs('logs.tar.gz')
  expect(code).toBe(3)
  expect(out).toContain('Imported 4 posts in 1 new threads')
  expect(out).toContain(`1 its key belongs to another thread of the category (b/${key}.dat)`)
  expect(out).toContain(`1 holds no post (b/${KEY + 1}.dat)`)
  expect(out).toContain(`1 cannot be read (b/${KEY + 2}.dat.gz)`)
  expect(out).toContain('1 no log of docs/logs.md (b/x.json)')
  expect(out).toContain(`1 threads whose title is only in subject.txt (b/${KEY}.dat)`)
  const imported = await database.db.selectFrom('threads').select('title').where('id', '<>', thread._id).execute()
  expect(imported).toEqual([{ title: '載っていた題' }])
})

it('texts, names and keys that no board would take are cut, cleaned or left out', { timeout: TIMEOUT_MS }, async () => {
  put(`a/${KEY}.dat`, formatLine(postAt(0, { body: '長'.repeat(70_000) })))
  const line = formatLine(postAt(1))
  put(`a/${KEY + 1}.dat`, Buffer.concat(Array.from({ length: 100_001 }, () => line)))
  put('a/000000000.dat', dat(1))
  const post = {
    ...{ number: 1, name: '影\u202e丸\n', trip: null, staff: false, mail: 'sage\u0000', posterId: null },
    ...{ createdAt: '2005-01-01T00:00:00.000Z', content: '本\u0007文', image: null, removed: false },
  }
  const thread = {
    ...{ _id: '0198e2a4-0000-7000-8000-000000000000', key: null, title: '題\n名', category: 'general' },
    ...{
      createdAt: '1960-01-01T00:00:00.000Z',
      closedAt: null,
      aiGenerated: false,
      sourceSite: null,
      sourceUrl: 'javascript:alert(1)',
    },
  }
  const log = { format: 'shinobi-thread-log', version: 1, source: 'https://example.com/', posts: [post] }
  const logOf = (more: object): string => JSON.stringify({ ...log, ...more })
  put('a/before-1970.json', logOf({ thread }))
  const nameless = { ...post, number: 2, name: ' ', trip: '', posterId: '', content: '名無し' }
  put('a/good.json', logOf({ thread: { ...thread, key: KEY + 5 }, posts: [post, nameless] }))
  put('a/gap.json', logOf({ thread: { ...thread, key: KEY + 6 }, posts: [post, { ...post, number: 3 }] }))
  const { code, out } = await importLogs('a')
  expect(code).toBe(3)
  expect(out).toContain('Imported 3 posts in 2 new threads')
  expect(out).toContain(`1 posts that were cut after 65,536 characters (${KEY}.dat:1)`)
  expect(out).toContain(`1 holds more than 100,000 posts (${KEY + 1}.dat)`)
  expect(out).toContain('2 no key: a time in seconds, of nine or ten digits (000000000.dat, before-1970.json)')
  expect(out).toContain('1 no log of docs/logs.md (gap.json)')
  const columns = ['name', 'trip', 'posterId', 'content'] as const
  const cleaned = await database.db.selectFrom('posts').select(columns).orderBy('threadId').execute()
  const plain = { trip: null, posterId: null }
  expect(cleaned).toContainEqual({ ...plain, name: '影丸', content: '本文' })
  expect(cleaned).toContainEqual({ ...plain, name: null, content: '名無し' })
  const titles = await database.db.selectFrom('threads').select(['title', 'sourceUrl']).execute()
  expect(titles).toContainEqual({ title: '題 名', sourceUrl: null })
})

it('of two logs of a thread, the second adds what the first lacks', { timeout: TIMEOUT_MS }, async () => {
  put(`a/${KEY}.dat`, dat(3))
  put(`b/${KEY}.dat`, dat(5))
  put(`c/${KEY}.dat`, dat(4))
  const { code, out } = await importLogs('.')
  expect(code).toBe(0)
  expect(out).toContain('Imported 5 posts in 1 new threads')
  expect(out).toContain('1 threads had all posts of their logs.')
})

it(
  'of two threads of the same second, the second is left out and the first stays as it was',
  {
    timeout: TIMEOUT_MS,
  },
  async () => {
    put(`news/${KEY}.dat`, dat(2))
    put(`vip/${KEY}.dat`, Buffer.concat([formatLine(postAt(0, { title: '別の話', body: '他の板' })), dat(4)]))
    put(`vip2/${KEY}.dat`, formatLine(postAt(0, { body: '題だけ同じ' })))
    const { code, out } = await importLogs('.')
    expect(code).toBe(3)
    expect(out).toContain('Imported 2 posts in 1 new threads')
    expect(out).toContain(`2 its key belongs to another thread of the category (vip/${KEY}.dat, vip2/${KEY}.dat)`)
    const posts = await database.db.selectFrom('posts').select('content').orderBy('number').execute()
    expect(posts).toEqual([{ content: '本文 1' }, { content: '本文 2' }])

    // A removed post 1, here or in the log, says nothing about the thread.
    await database.db.updateTable('posts').set({ deletedAt: new Date() }).where('number', '=', 1).execute()
    expect((await importLogs('news')).out).toContain('1 threads had all posts of their logs.')
    expect((await importLogs('vip2')).out).toContain('1 threads had all posts of their logs.')
    expect((await importLogs('vip')).code).toBe(3)
  },
)

it(
  'a thread that was removed does not come back with its log, also after its deletion',
  {
    timeout: TIMEOUT_MS,
  },
  async () => {
    put(`${KEY}.dat`, dat(2))
    await importLogs(`${KEY}.dat`)
    const board = await openBoard({}, database)
    const admin = await signUp(board, undefined, { isAdmin: true })
    const id = await threadIdOf(KEY)
    const [politics] = await database.db.selectFrom('categories').select('id').where('name', '=', 'politics').execute()
    await admin.put(`/api/admin/threads/${id}`, { categoryId: politics!.id })
    expect((await admin.delete(`/api/admin/threads/${id}?rule=law`)).status).toBe(200)
    await purgeThreads(board.deps, board.clock.now + (UNDO_HOURS + 2) * 3_600_000)
    expect(await database.db.selectFrom('threads').select('id').execute()).toEqual([])
    await board.close()
    const again = await importLogs(`${KEY}.dat`)
    expect(again).toMatchObject({ code: 3, out: expect.stringContaining(`1 its thread was removed here (${KEY}.dat)`) })
    expect(await database.db.selectFrom('posts').select('id').execute()).toEqual([])
    const keys = await database.db.selectFrom('threadKeys').select(['categoryId', 'key']).execute()
    expect(keys).toEqual([{ categoryId: await categoryId(), key: String(KEY) }])
  },
)

it('an import that is killed goes on where it was', { timeout: TIMEOUT_MS }, async () => {
  // An archive, because it has an order.
  const archive = pack()
  const chunks: Buffer[] = []
  archive.on('data', (chunk) => chunks.push(chunk as Buffer))
  for (let index = 0; index < 24; index += 1) archive.entry({ name: `k/${KEY + index}.dat` }, dat(1_000))
  archive.finalize()
  await once(archive, 'end')
  put('k.tar.gz', gzipSync(Buffer.concat(chunks)))
  const { db } = database
  const countThreads = async (): Promise<number> => (await selectTotals(db)).threads
  const sessions = async (): Promise<string[]> => {
    const activity = sql<{ pid: string }>`
      select pid::text as pid from pg_stat_activity
      where datname = current_database() and application_name = 'shinobi-ita'`
    return (await activity.execute(db)).rows.map(({ pid }) => pid)
  }
  // It cannot end before it is killed: another program is about to give the key of the last thread.
  const held = await db.startTransaction().execute()
  await claimThreadKeys(held, await categoryId(), [{ key: KEY + 23, threadId: randomUUID() }])
  const own = new Set(await sessions())
  const child = start('import', ['k.tar.gz', '--category', 'general'])
  const closed = once(child, 'close')
  while ((await countThreads()) === 0 && child.exitCode === null);
  child.kill('SIGKILL')
  await closed
  await held.rollback().execute()
  // What it had sent may be committed after its end.
  await expect.poll(async () => (await sessions()).filter((pid) => !own.has(pid))).toEqual([])
  const before = await countThreads()
  expect(before).toBeGreaterThan(0)
  expect(before).toBeLessThan(24)
  const again = await importLogs('k.tar.gz')
  expect(again).toMatchObject({
    code: 0,
    out: expect.stringContaining(`${before} threads had all posts of their logs.`),
  })
  expect(await selectTotals(db)).toMatchObject({ threads: 24, posts: 24_000 })
  const { rows } = await sql<{ posts: number; texts: number; options: string[] }>`
    select (select count(*) from posts)::integer as posts, (select count(*) from "searchDocuments")::integer as texts,
      reloptions as options from pg_class where relname = 'search_documents_grams'`.execute(db)
  expect(rows).toEqual([{ posts: 24_000, texts: 24_024, options: ['fastupdate=off'] }])
})

it('says in one line what is not there, and how it is called', { timeout: TIMEOUT_MS }, async () => {
  put('a/1.txt', '')
  const lastLine = async (...args: readonly string[]) => {
    const { code, err } = await run('import', ...args)
    return [code, err.trimEnd().split('\n').at(-1)]
  }
  expect(await lastLine('a', '--category', 'nowhere')).toEqual([1, 'There is no category nowhere.'])
  expect(await lastLine('b', '--category', 'general')).toEqual([1, 'There is no file or folder b.'])
  expect(await lastLine('a', '--category', 'general', '--owner', '誰か')).toEqual([1, 'There is no member 誰か.'])
  expect((await lastLine('a/1.txt', '--category', 'general'))[0]).toBe(1)
  for (const args of [[], ['a'], ['a', 'b', '--category', 'general'], ['a', '--category', 'x', '--open', '--closed']])
    expect(await run('import', ...args)).toMatchObject({
      code: 2,
      err: expect.stringContaining('usage: npm run import'),
    })
})

/** `npm run export` as a process. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { threadLog } from '@shinobi/contract/logs'
import type { Thread } from '@shinobi/contract/threads'
import { decodeCp932 } from '@shinobi/dat/cp932'
import { readLog } from '@shinobi/dat/read-log'
import { openBoard, openTestDatabase, startThread, visit, writeTo, type TestDatabase } from '../testing/board.ts'
import { makeDataFolder } from '../testing/data-folder.ts'

const MAIN = resolve(import.meta.dirname, 'export.ts')

let dataDir: string
let database: TestDatabase
let thread: Thread
beforeAll(async () => {
  dataDir = makeDataFolder()
  database = await openTestDatabase()
  const board = await openBoard({}, database)
  const guest = visit(board)
  thread = await startThread(guest, { title: '月<見>', content: '<script>alert(1)</script>\n>>2 😂', nickname: '影丸' })
  await writeTo(guest, thread, '二つ目 >>1', '名無し')
  board.clock.now += 5_000
  await startThread(guest, { title: '別の話題', category: 'world' })
  await board.close()
})
afterAll(async () => {
  await database.close()
  rmSync(dataDir, { recursive: true, force: true })
})

async function run(...args: readonly string[]) {
  const env = { PATH: process.env['PATH'] ?? '', DATA_DIR: dataDir, DATABASE_URL: database.url }
  const child = spawn(process.execPath, [MAIN, ...args], { env, cwd: dataDir, stdio: ['ignore', 'pipe', 'pipe'] })
  const outcome = { out: '', err: '' }
  child.stdout.on('data', (chunk: Buffer) => (outcome.out += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (outcome.err += chunk.toString()))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, ...outcome }
}

const filesIn = (folder: string): string[] => readdirSync(join(dataDir, folder)).toSorted()

it('writes every thread of the board as JSON of the published form', async () => {
  expect(await run('--all')).toMatchObject({ code: 0, out: 'Exported 2 threads to export.\n' })
  const [file = ''] = filesIn('export/general')
  const log = threadLog.strict().parse(JSON.parse(readFileSync(join(dataDir, 'export/general', file), 'utf8')))
  expect(file).toBe(`${log.thread.key}.json`)
  expect(log.posts.map(({ content }) => content)).toEqual(['<script>alert(1)</script>\n>>2 😂', '二つ目 >>1'])
  expect(filesIn('export/world')).toHaveLength(1)
})

it('writes the dats of a category with their list', async () => {
  expect((await run('--category', 'general', '--format', 'dat', '--out', 'dats')).code).toBe(0)
  const [file = '', subjects = ''] = filesIn('dats/general')
  const log = readLog(readFileSync(join(dataDir, 'dats/general', file)))
  expect(log).toMatchObject({ title: '月<見>', posts: [{ name: '影丸' }, { body: '二つ目 >>1' }] })
  const list = decodeCp932(readFileSync(join(dataDir, 'dats/general', subjects)))
  expect(list).toBe(`${file}<>月&lt;見&gt; (2)\n`)
  expect(filesIn('dats')).toEqual(['general'])
})

it('writes one thread as a page in which nothing of a post is markup', async () => {
  expect((await run('--thread', thread._id, '--format', 'html', '--out', 'pages')).code).toBe(0)
  const [file = ''] = filesIn('pages/general')
  const html = readFileSync(join(dataDir, 'pages/general', file), 'utf8')
  expect(html).toContain('<title>月&lt;見&gt;</title>')
  expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;\n')
  expect(html).toContain('<a href="#1">&gt;&gt;1</a>')
  expect(html).not.toContain('<script')
})

it('says in one line which file it cannot write, and where to name another folder', async () => {
  writeFileSync(join(dataDir, 'taken'), '')
  const { code, err } = await run('--all', '--out', 'taken')
  expect([code, err.trimEnd().split('\n').at(-1)]).toEqual([
    1,
    expect.stringMatching(/^The file taken\/.+ cannot be written \(.+\)\. Name another folder with --out\.$/),
  ])
})

it('says in one line what is not there, and how it is called', async () => {
  const missing = await run('--category', 'nowhere')
  expect([missing.code, missing.err.split('\n').at(-2)]).toEqual([1, 'There is no category nowhere.'])
  const gone = await run('--thread', '01900000-0000-7000-8000-00000000dead')
  expect([gone.code, gone.err]).toEqual([1, expect.stringContaining('There is no thread 01900000')])
  for (const args of [[], ['--all', '--thread', thread._id], ['--all', '--format', 'pdf'], ['--nothing']])
    expect(await run(...args)).toMatchObject({ code: 2, err: expect.stringContaining('usage: npm run export') })
})

/** `npm run news` as a process, on a separate database. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { startLlm } from '@shinobi/newsroom/testing/outside/llm-server'
import { pageOf, startNewspaper } from '@shinobi/newsroom/testing/outside/newspaper'
import { withRunLock } from '../features/news/run-lock.queries.ts'
import { mergeSettings } from '../features/settings/settings.queries.ts'
import { openTestDatabase, type TestDatabase } from '../testing/board.ts'
import { makeDataFolder } from '../testing/data-folder.ts'
import { FOREIGN, LIBRARY, ORDER } from '../testing/news/matters.ts'
import { addSource, addStory } from '../testing/stories.ts'

/** Some tests start the program several times, each with a new database. */
const SEVERAL_STARTS = { timeout: 120_000 }

const MAIN = resolve(import.meta.dirname, 'news.ts')

let dataDir: string
let database: TestDatabase
beforeAll(async () => {
  dataDir = makeDataFolder()
  database = await openTestDatabase()
})
afterAll(async () => {
  await database.close()
  rmSync(dataDir, { recursive: true, force: true })
})

/** The line that names the board; open-board.test.ts checks it. */
const BOARD_LINE = /^Board: .*\n/

async function news(args: readonly string[], { input = '', env = {} } = {}) {
  const child = spawn(process.execPath, [MAIN, ...args], {
    env: {
      ...{ PATH: process.env['PATH'] ?? '', NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'], DATA_DIR: dataDir },
      DATABASE_URL: database.url,
      // On a busy machine any query may be slow, and a line about it is no output of the command.
      SLOW_QUERY_MS: '0',
      ...env,
    },
    cwd: dataDir,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const outcome = { out: '', err: '' }
  child.stdout.on('data', (chunk: Buffer) => (outcome.out += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (outcome.err += chunk.toString()))
  // A program that fails early does not read its input.
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, ...outcome, err: outcome.err.replace(BOARD_LINE, '') }
}

const done = (out: string) => ({ code: 0, out: `${out}\n`, err: '' })
const refused = (err: string) => ({ code: 1, out: '', err: `${err}\n` })

describe('a preview', () => {
  it('of a saved page shows its text and an extract, and needs no database', async () => {
    const folder = join(dataDir, 'no-folder-of-a-database')
    const file = join(dataDir, 'page.html')
    writeFileSync(file, pageOf({ ...LIBRARY, paragraphs: [...LIBRARY.paragraphs, ORDER] }))
    const { code, out, err } = await news(['preview', file], { env: { DATA_DIR: folder } })
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toContain("an extract of the article's own sentences")
    expect(out).toContain('Verdict     It stands')
    // Passages that address a machine are reported, and are in no sentence.
    expect(out).toMatch(/Left out {4}1 passage/)
    expect(out.split('Summary')[1]).not.toContain('指示')
  })

  it('by a model shows the second answer, after the checker has refused the first', SEVERAL_STARTS, async () => {
    const llm = await startLlm(['invented', 'honest'])
    onTestFinished(llm.close)
    const env = { LLM_BASE_URL: llm.url, LLM_MODEL: 'test-model' }
    const args = ['preview', '-', '--url', 'https://news.example.jp/library']
    const { code, out, err } = await news(args, { input: pageOf(LIBRARY), env })
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(llm.requests).toHaveLength(2)
    expect(out).toContain('Address     https://news.example.jp/library')
    expect(out).toContain('Verdict     It stands')
    expect(out).not.toContain('9876億')
  })

  it('without a result still shows what was read, and ends with an error', async () => {
    const { code, out, err } = await news(['preview', '-'], { input: pageOf(FOREIGN) })
    expect({ code, err }).toEqual({ code: 1, err: '' })
    expect(out).toContain('  1  Kitahama announced')
    expect(out).toMatch(/Summary {5}none: It is not in Japanese/)
  })

  it('reports in one line why a page may not or cannot be read', SEVERAL_STARTS, async () => {
    const optedOut = await news(['preview', '-'], {
      input: pageOf(LIBRARY, { head: '<meta name="robots" content="noai">' }),
    })
    expect(optedOut).toMatchObject({ code: 1, out: '' })
    expect(optedOut.err).toMatch(/^The publisher has opted out of being read by machines\..*\n$/)
    const inside = await news(['preview', 'http://127.0.0.1:9/'])
    expect(inside).toMatchObject({ code: 1, out: '' })
    expect(inside.err).toMatch(/^The address is not one of the public network\..*\n$/)
    expect(await news(['preview', 'nowhere.html'])).toEqual(refused('There is no file nowhere.html.'))
  })
})

describe('sources and runs', () => {
  it('change the database: a feed is added, read, and listed', SEVERAL_STARTS, async () => {
    const paper = await startNewspaper()
    onTestFinished(paper.close)
    const feed = paper.announce('/feed.xml', [LIBRARY], { newest: Date.now() })
    paper.announce('/empty.xml', [], { newest: null })
    const opml = `<opml version="2.0"><body><outline text="忍日報" xmlUrl="${feed}"/></body></opml>`
    expect(await news(['import', '-', 'world', '--permission', 'headline'], { input: opml })).toEqual(
      done('1 added, 0 known before.'),
    )
    expect(await news(['add', `${feed}#top`, '忍日報', 'world'])).toEqual(refused('This feed is there already.'))
    const env = { NEWS_PRIVATE_ADDRESSES: 'true' }
    expect(await news(['run'], { env })).toEqual(
      done(
        '1 feed looked at, 1 new article found.\n1 article read, 0 skipped.\n1 story begun, 0 refused, 1 thread opened.',
      ),
    )
    // A new feed is tried, and stays in any case.
    const add = (path: string) => news(['add', `${paper.url}${path}`, '試し', 'world'], { env })
    expect((await add('/feed.xml?second')).out).toContain('It lists 1 article, the newest of ')
    expect((await add('/empty.xml')).out).toContain('It lists no article now')
    const away = await add('/nowhere.xml')
    expect(away.code).toBe(0)
    expect(away.out).toMatch(/It cannot be read now: There is nothing at this address/)
    await database.db.deleteFrom('newsSources').where('name', '=', '試し').execute()
    const { code, out } = await news(['list'])
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(/^忍日報\t.+\/feed\.xml\tworld\theadline\t30 min\tread .+Z\n$/),
    ])
  })

  it('are listed with the reason why no thread comes, also when the budget of the model is used up', async () => {
    const board = { database, clock: { now: Date.now() } }
    const sourceId = await addSource(board, { name: '待つ新聞' })
    await addStory(board, { sourceId, state: 'new' })
    const { db } = database
    await db.updateTable('newsSources').set({ fetchedAt: new Date() }).where('id', '=', sourceId).execute()
    await mergeSettings(db, { newsTokensPerDay: 1_000 }, new Date())
    const env = { LLM_BASE_URL: 'http://127.0.0.1:9', LLM_MODEL: 'test-model' }
    expect((await news(['list'], { env })).out).toMatch(/^待つ新聞\t.+the budget of tokens is used up, with 1 story/m)
  })

  it('wait for another process', async () => {
    const outcome = await withRunLock(database.db, () => news(['run']))
    expect(outcome).toEqual(refused('Another process is at it. It does all that is due.'))
  })

  it('are refused with unusable arguments', async () => {
    const { code, err } = await news(['add', 'https://news.example.jp/feed', '忍日報', 'nowhere'])
    expect([code, err]).toEqual([1, expect.stringMatching(/^There is no category nowhere\. There are: .*world.*\n$/)])
  })
})

it.each([['help'], ['--help'], ['-h']])('shows its help when called with %s', async (word) => {
  const { code, out, err } = await news([word])
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(out).toMatch(/^usage: npm run news -- COMMAND\n/)
})

it.each([
  [['toString'], 'There is no command "toString".'],
  [['list', '--permission', 'headline'], 'The command list does not take --permission.'],
  [['import', '-', 'world', '--interval', '1'], '--interval takes a whole number from 5 to 1440.'],
  [['import', '-', 'world', '--language', 'Japanese!'], '--language takes a code such as ja or en.'],
])('shows its help when called with %j', async (args, line) => {
  const { code, out, err } = await news(args)
  expect({ code, out }).toEqual({ code: 2, out: '' })
  expect(err).toContain(line)
  expect(err).toContain('usage: npm run news -- COMMAND')
})

/**
 * `npm run backup` and `npm run restore` as processes, from the embedded database to a given one
 * and back.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Post } from '@shinobi/contract/posts'
import { readConfig } from '../config.ts'
import { openBoardDatabase } from '../db/board-database.ts'
import { loadSecret } from '../secret.ts'
import { openBoard, openTestDatabase, startThread, visit, type Board, type TestDatabase } from '../testing/board.ts'
import { makeDataFolder, makeEmptyFolder } from '../testing/data-folder.ts'
import { picture } from '../testing/outside/picture.ts'
import { isOnCluster } from '../testing/citus.ts'

const onCluster = await isOnCluster()

const CLI = import.meta.dirname
/** Each call starts a process, and some start a database. */
const TIMEOUT_MS = 120_000

let folder: string
let folders: string[]
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'shinobi-archives-'))
  folders = [folder]
})
afterEach(() => {
  for (const each of folders) rmSync(each, { recursive: true, force: true })
})

const keep = (made: string): string => {
  folders.push(made)
  return made
}

interface Outcome {
  readonly code: number | null
  readonly out: Buffer
  readonly err: string
}

type Settings = Readonly<Record<string, string>>

/** The line that names the board; open-board.test.ts checks it. */
const BOARD_LINE = /^Board: .*\n/m

/** @param limit maximum file size in blocks of 512 bytes */
async function run(
  program: 'backup' | 'restore',
  args: readonly string[],
  settings: Settings,
  { input, limit = 'unlimited' }: { readonly input?: Buffer; readonly limit?: number | 'unlimited' } = {},
): Promise<Outcome> {
  const env = { PATH: process.env['PATH'] ?? '', ...settings }
  const main = resolve(CLI, `${program}.ts`)
  const command = ['-c', `ulimit -f ${limit}; exec "$@"`, 'sh', process.execPath, main, ...args]
  const child = spawn('sh', command, { env, cwd: folder, stdio: ['pipe', 'pipe', 'pipe'] })
  const out: Buffer[] = []
  let err = ''
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()))
  // A program that fails early does not read its input.
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, out: Buffer.concat(out), err: err.replace(BOARD_LINE, '') }
}

/** The board of a folder on its embedded database, as the server opens it. */
async function openEmbedded(dataDir: string): Promise<{ readonly board: Board; close(): Promise<void> }> {
  const config = readConfig({ DATA_DIR: dataDir })
  const database = await openBoardDatabase(config, pino({ level: 'silent' }))
  const board = await openBoard({ DATA_DIR: dataDir, SESSION_SECRET: loadSecret(config) }, database)
  return {
    board,
    async close() {
      await board.close()
      await database.close()
    },
  }
}

const secretOf = (dataDir: string): string => loadSecret({ sessionSecret: null, dataDir })
const postsOf = async (board: Board, threadId: string): Promise<Post[]> =>
  (await visit(board).get<Post[]>(`/api/threads/${threadId}/posts`)).body

describe.skipIf(onCluster)('a board', { timeout: TIMEOUT_MS }, () => {
  it('moves to another PostgreSQL while it runs, and back through a pipe', async () => {
    const home = keep(makeDataFolder())
    const embedded = await openEmbedded(home)
    const thread = await startThread(visit(embedded.board), { image: await picture() })
    await embedded.board.settle()
    const posts = await postsOf(embedded.board, thread._id)

    const saved = await run('backup', ['board.tar.gz'], { DATA_DIR: home })
    expect(saved).toMatchObject({
      code: 0,
      err: expect.stringMatching(/Backed up to board\.tar\.gz: 1 posts, 2 files of pictures/),
    })
    expect(saved.out).toHaveLength(0)
    await embedded.close()
    expect(await run('restore', ['--check', 'board.tar.gz'], {})).toMatchObject({
      code: 0,
      out: expect.toSatisfy((out: Buffer) =>
        out.toString().startsWith('The archive is whole: 1 threads, 1 posts, 0 members'),
      ),
    })

    const target = await openTestDatabase()
    const given = { DATA_DIR: keep(makeEmptyFolder()), DATABASE_URL: target.url }
    expect((await run('restore', ['board.tar.gz'], given)).code).toBe(0)
    expect(secretOf(given.DATA_DIR)).toBe(secretOf(home))
    const moved = await openBoard({ DATA_DIR: given.DATA_DIR }, target)
    expect(await postsOf(moved, thread._id)).toEqual(posts)
    expect((await fetch(new URL(posts[0]!.imageUrl!, await moved.listen()))).status).toBe(200)

    const piped = await run('backup', ['-'], given)
    expect(piped.code).toBe(0)
    await moved.close()
    await target.close()
    const back = keep(makeEmptyFolder())
    expect((await run('restore', ['-'], { DATA_DIR: back }, { input: piped.out })).code).toBe(0)
    const again = await openEmbedded(back)
    expect(await postsOf(again.board, thread._id)).toEqual(posts)
    await again.close()
    expect(secretOf(back)).toBe(secretOf(home))
  })
})

describe('both programs', { timeout: TIMEOUT_MS }, () => {
  let target: TestDatabase
  let settings: Record<'DATA_DIR' | 'DATABASE_URL', string>
  beforeEach(async () => {
    target = await openTestDatabase()
    settings = { DATA_DIR: keep(makeEmptyFolder()), DATABASE_URL: target.url }
  })
  afterEach(() => target.close())

  it('show their help, and refuse unknown arguments', async () => {
    for (const program of ['backup', 'restore'] as const) {
      const help = await run(program, ['--help'], settings)
      expect([help.code, help.out.toString()]).toEqual([0, expect.stringContaining(`npm run ${program}`)])
      const wrong = await run(program, program === 'backup' ? [] : ['--all', 'a.tar.gz'], settings)
      expect(wrong).toMatchObject({ code: 2, err: expect.stringContaining('usage:') })
    }
  })

  it('report in one line what they cannot use', async () => {
    const noBoard = { DATA_DIR: keep(makeEmptyFolder()) }
    writeFileSync(join(folder, 'notes.tar.gz'), 'no archive')
    loadSecret({ sessionSecret: null, dataDir: settings.DATA_DIR })
    const nobody = { ...settings, DATABASE_URL: 'postgres://nobody@127.0.0.1:9/none' }
    const cases: readonly [Promise<Outcome>, string][] = [
      [run('backup', ['board.tar.gz'], noBoard), 'holds no session-secret, so no board was started there'],
      [run('backup', ['board.zip'], settings), "The archive's name ends in .tar.zst or .tar.gz"],
      [run('backup', ['nowhere/board.tar.gz'], settings), 'The archive nowhere/board.tar.gz cannot be written'],
      [run('backup', ['board.tar.gz'], nobody), 'Setting DATABASE_URL cannot be used'],
      [run('backup', ['board.tar.gz'], settings, { limit: 1 }), 'there is no space left'],
      [run('backup', ['-'], { ...settings, npm_lifecycle_event: 'backup' }), 'Run: npm run --silent backup -- -'],
      [run('restore', ['board.tar.gz'], settings), 'There is no archive board.tar.gz.'],
      [run('restore', ['notes.tar.gz'], settings), 'This is no archive of a board'],
      [run('restore', ['-'], settings, { input: Buffer.alloc(0) }), 'This is no archive of a board'],
    ]
    for (const [outcome, line] of cases) {
      const { code, out, err } = await outcome
      expect([line, code, out.toString(), err.trim().split('\n')]).toEqual([
        line,
        1,
        '',
        [expect.stringContaining(line)],
      ])
    }
    expect(readdirSync(folder)).toEqual(['notes.tar.gz'])
    expect(readdirSync(noBoard.DATA_DIR)).toEqual([])
  })

  it.skipIf(onCluster)('do not restore into the folder of another board', async () => {
    loadSecret({ sessionSecret: null, dataDir: settings.DATA_DIR })
    expect((await run('backup', ['board.tar.gz'], settings)).code).toBe(0)
    const other = keep(makeDataFolder())
    const secret = secretOf(other)
    const refused = await run('restore', ['board.tar.gz'], { ...settings, DATA_DIR: other })
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('belongs to another board') })
    expect(secretOf(other)).toBe(secret)
  })
})

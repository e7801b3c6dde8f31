/** How the programs beside the server find their board: as processes, on separate data folders. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { ThreadItem } from '@shinobi/contract/threads'
import { openTestDatabase, PASSWORD } from '../testing/board.ts'
import { openServerProcesses, started, type ServerProcesses } from '../testing/server-process.ts'

const SERVER_SOURCES = resolve(import.meta.dirname, '..')
/** Several processes start, each with its own database. */
const TIMEOUT_MS = 120_000

let folder: string
let servers: ServerProcesses
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'shinobi-cli-'))
  servers = openServerProcesses()
})
afterEach(async () => {
  await servers.close()
  rmSync(folder, { recursive: true, force: true })
})

interface Outcome {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** Runs a program in the test's folder. */
async function run(file: string, args: readonly string[], settings = {}, input = ''): Promise<Outcome> {
  const env = { PATH: process.env['PATH'], NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'], ...settings }
  const child = spawn(process.execPath, [join(SERVER_SOURCES, file), ...args], { env, cwd: folder, stdio: 'pipe' })
  const outcome = { out: '', err: '' }
  child.stdout.on('data', (chunk: Buffer) => (outcome.out += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (outcome.err += chunk.toString()))
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, ...outcome }
}
const admin = (args: readonly string[], settings = {}, input = '') => run('cli/admin.ts', args, settings, input)

async function stop(server: ChildProcess): Promise<void> {
  server.kill('SIGTERM')
  await once(server, 'exit')
}

it('refuses to create a new board by accident, and names the folder where it looked', async () => {
  const { code, out, err } = await admin(['create', '楓の葉', 'kaede@example.jp'], {}, PASSWORD)
  expect({ code, out }).toEqual({ code: 1, out: '' })
  expect(err).toBe(
    `Board: PostgreSQL in ${folder}/data\n` +
      `There is no board in ${folder}/data. No .env was found in this folder. ` +
      'Name the settings of yours with --env-file FILE, or make a new one with --new-board.\n',
  )
  expect(existsSync(join(folder, 'data'))).toBe(false)
})

it('ends with 2 and shows how the program is used when it was called wrongly', async () => {
  const { code, out, err } = await run('seed/seed.ts', ['--posts', 'many'])
  expect({ code, out }).toEqual({ code: 2, out: '' })
  expect(err).toMatch(/^--posts takes a whole number from 1 to 10000000, not "many"\.\n\nusage: npm run seed /)
})

it('refuses an empty database of DATABASE_URL', async () => {
  const database = await openTestDatabase()
  const url = new URL(database.url)
  url.pathname = '/postgres'
  const { code, err } = await admin(['list'], { DATABASE_URL: url.href })
  await database.close()
  expect({ code, err }).toEqual({
    code: 1,
    err:
      `Board: PostgreSQL at ${url.host}/postgres\nThere is no board in this database. ` +
      'Name the settings of yours with --env-file FILE, or make a new one with --new-board.\n',
  })
})

it('takes an address of PostgreSQL by its folder of sockets, as the server does', async () => {
  const { err } = await admin(['list'], { DATABASE_URL: `postgres://shinobi@/shinobi?host=${folder}` })
  expect(err).toMatch(`Board: PostgreSQL at ${folder}:5432/shinobi\n`)
})

it(
  'creates a board on request, which the next program finds',
  async () => {
    const created = await admin(['create', '楓の葉', 'kaede@example.jp', '--new-board'], {}, PASSWORD)
    expect(created).toMatchObject({ code: 0, out: '楓の葉 is administrator.\n' })
    expect(await admin(['list'])).toMatchObject({ code: 0, out: '楓の葉\tkaede@example.jp\tadministrator\n' })
  },
  TIMEOUT_MS,
)

it('reads the settings from the file of --env-file', async () => {
  writeFileSync(join(folder, 'unit.env'), `DATA_DIR=${servers.dataDir}\n`)
  const listed = await admin(['list', '--env-file', 'unit.env'])
  expect(listed).toEqual({
    code: 0,
    out: 'Nobody is administrator or moderator.\n',
    err: `Board: PostgreSQL in ${servers.dataDir}\n`,
  })
  const missing = await admin(['list', '--env-file', 'nowhere.env'])
  // Node itself reads this option too, and reports the error first.
  expect(missing.code).not.toBe(0)
  expect(missing.err).toMatch(/^.*nowhere\.env.*\n$/)
})

it(
  'works on the embedded database while the server runs, and leaves it running',
  async () => {
    const server = servers.run({})
    const url = await started(server)
    const settings = { DATA_DIR: servers.dataDir }
    expect(await admin(['list'], settings)).toMatchObject({ code: 0, out: 'Nobody is administrator or moderator.\n' })
    // The cached list shows the new threads nevertheless.
    const titles = async () => ((await (await fetch(`${url}/api/threads`)).json()) as ThreadItem[]).length
    expect(await titles()).toBe(0)
    expect(await run('seed/seed.ts', ['--threads', '3', '--posts', '6'], settings)).toMatchObject({ code: 0 })
    await expect.poll(titles).toBe(3)
    await stop(server)
  },
  TIMEOUT_MS,
)

it(
  'shares one embedded database among programs; the one that started it stops it after the last one has ended',
  async () => {
    const settings = { DATA_DIR: servers.dataDir }
    const both = await Promise.all([
      admin(['list'], settings),
      run('seed/seed.ts', ['--threads', '20', '--posts', '200'], settings),
    ])
    const board = `Board: PostgreSQL in ${servers.dataDir}\n`
    expect(both).toMatchObject([
      { code: 0, err: board },
      { code: 0, err: board },
    ])
    expect(existsSync(join(servers.dataDir, 'run', 'owner.lock'))).toBe(false)
    expect(existsSync(join(servers.dataDir, 'postgres', 'postmaster.pid'))).toBe(false)
  },
  TIMEOUT_MS,
)

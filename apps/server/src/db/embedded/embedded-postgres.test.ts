/** The embedded PostgreSQL: creation, kills, orphans, refusals, and sharing. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import pg from 'pg'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { makeDataFolder } from '../../testing/data-folder.ts'
import { startEmbedded, type EmbeddedPostgres } from './embedded-postgres.ts'
import { isRunning } from './processes.ts'

const OPTIONS = { connections: 10, log: pino({ level: 'silent' }) }
const OWNER = resolve(import.meta.dirname, '../../testing/embedded-owner.ts')
const soon = { timeout: 60_000, interval: 20 }

let dataDir: string
let opened: EmbeddedPostgres[]
beforeEach(() => {
  dataDir = makeDataFolder()
  opened = []
})
afterEach(async () => {
  for (const one of opened) await one.close()
  rmSync(dataDir, { recursive: true, force: true })
})

async function start(folder = dataDir): Promise<EmbeddedPostgres> {
  const embedded = await startEmbedded(folder, OPTIONS)
  opened.push(embedded)
  return embedded
}

async function ask<T>(url: string, query: string): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return Object.values((await client.query(query)).rows[0] as Record<string, T>)[0]!
  } finally {
    await client.end()
  }
}

const postmaster = (): number =>
  Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0])

/**
 * Runs the embedded database in a separate process, as a server does. @returns the process and the
 * address
 */
async function startOwner() {
  const child = spawn(process.execPath, [OWNER, dataDir], { stdio: ['ignore', 'pipe', 'inherit'] })
  for await (const url of createInterface({ input: child.stdout })) return { child, url }
  throw new Error('the owner ended before it had started the database')
}

it('waits for the disk at each commit, verifies page checksums, and listens on no port', async () => {
  const { url } = await start()
  for (const [name, value] of [
    ['fsync', 'on'],
    ['synchronous_commit', 'on'],
    ['full_page_writes', 'on'],
    ['data_checksums', 'on'],
    ['listen_addresses', ''],
  ]) {
    expect([name, await ask(url, `show ${name}`)]).toEqual([name, value])
  }
})

it('gives access to its files and its socket to its user alone', async () => {
  chmodSync(join(dataDir, 'postgres'), 0o755)
  await start()
  for (const folder of ['postgres', 'run']) {
    expect([folder, (statSync(join(dataDir, folder)).mode & 0o777).toString(8)]).toEqual([folder, '700'])
  }
})

it('is created in an empty folder, also after an interrupted creation', async () => {
  const empty = mkdtempSync(join(tmpdir(), 'shinobi-empty-'))
  mkdirSync(join(empty, 'postgres.new'))
  writeFileSync(join(empty, 'postgres.new', 'PG_VERSION'), '18\n')
  const { url } = await start(empty)
  expect(await ask(url, 'select 1')).toBe(1)
  expect(existsSync(join(empty, 'postgres.new'))).toBe(false)
  await opened.pop()!.close()
  rmSync(empty, { recursive: true, force: true })
})

it('works below a path that is too long for a socket', async () => {
  const long = join(dataDir, '長い道'.repeat(20))
  mkdirSync(long)
  cpSync(join(dataDir, 'postgres'), join(long, 'postgres'), { recursive: true })
  const { url } = await start(long)
  expect(await ask(url, 'select 1')).toBe(1)
})

it('is restarted when it dies', async () => {
  const { url } = await start()
  const first = postmaster()
  process.kill(first, 'SIGKILL')
  await expect.poll(() => ask(url, 'select 1').catch(() => 0), soon).toBe(1)
  expect(postmaster()).not.toBe(first)
})

it('stops when the process that runs it is killed, and keeps committed data', async () => {
  const { child, url } = await startOwner()
  await ask(url, `create table kept as select 'a post' as text`).catch(() => {})
  const database = postmaster()
  child.kill('SIGKILL')
  await once(child, 'exit')
  await vi.waitUntil(() => !isRunning(database), soon)
  expect(await ask((await start()).url, 'select text from kept')).toBe('a post')
})

it('starts at once after everything was killed, also when another program has the process id of the database now', async () => {
  const { child, url } = await startOwner()
  await ask(url, `create table kept as select 'a post' as text`).catch(() => {})
  const database = postmaster()
  process.kill(database, 'SIGKILL')
  child.kill('SIGKILL')
  await once(child, 'exit')
  // Children of the killed database may still be leaving.
  const { url: again } = await start()
  expect(await ask(again, 'select text from kept')).toBe('a post')
  await opened.pop()!.close()

  // The process id in PostgreSQL's lock file belongs to another program: this test.
  writeFileSync(join(dataDir, 'postgres', 'postmaster.pid'), `${process.pid}\n${join(dataDir, 'postgres')}\n`)
  expect(await ask((await start()).url, 'select text from kept')).toBe('a post')
})

it('starts although a power cut has left its lock files empty', async () => {
  mkdirSync(join(dataDir, 'run'), { recursive: true })
  for (const file of ['postgres/postmaster.pid', 'run/.s.PGSQL.5432.lock']) writeFileSync(join(dataDir, file), '')
  expect(await ask((await start()).url, 'select 1')).toBe(1)
})

it('ends an orphaned database, and takes its place', async () => {
  const { child } = await startOwner()
  const left = postmaster()
  // It would start the database again when the shell ends.
  child.kill('SIGSTOP')
  // The shell in between would stop the database with its owner.
  const shells = spawnSync('pgrep', ['--parent', String(child.pid)], { encoding: 'utf8' })
    .stdout.trim()
    .split('\n')
  for (const shell of shells) {
    const watchers = spawnSync('pgrep', ['--parent', shell], { encoding: 'utf8' }).stdout.trim().split('\n').map(Number)
    for (const pid of [Number(shell), ...watchers]) if (pid !== left) process.kill(pid, 'SIGKILL')
  }
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect(isRunning(left)).toBe(true)
  const { url } = await start()
  expect(await ask(url, 'select 1')).toBe(1)
  expect(isRunning(left)).toBe(false)
})

it('is refused to a second process in one line', async () => {
  const { child } = await startOwner()
  await expect(startEmbedded(dataDir, OPTIONS)).rejects.toThrow(
    `The data folder ${dataDir} is in use by a running server (process ${child.pid}). ` +
      'Stop it first, or set DATA_DIR to another folder.',
  )
  child.kill('SIGTERM')
  await once(child, 'exit')
})

it.runIf(process.getuid?.() === 0)('names the owner of a folder that belongs to another user', async () => {
  chownSync(join(dataDir, 'postgres'), 12_345, 12_345)
  await expect(startEmbedded(dataDir, OPTIONS)).rejects.toThrow(/belongs to another user \(number 12345\)/)
})

it('refuses a folder of another version by name, rather than creating a new board beside it', async () => {
  writeFileSync(join(dataDir, 'postgres', 'PG_VERSION'), '17\n')
  await expect(startEmbedded(dataDir, OPTIONS)).rejects.toThrow(/is of PostgreSQL 17; .* docs\/upgrading\.md/)
  rmSync(join(dataDir, 'postgres'), { recursive: true })
  mkdirSync(join(dataDir, 'database'))
  writeFileSync(join(dataDir, 'database', 'PG_VERSION'), '18\n')
  await expect(startEmbedded(dataDir, OPTIONS)).rejects.toThrow(/embedded database of version 0\.1/)
})

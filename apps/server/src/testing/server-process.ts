/**
 * The server as operators run it: built, in separate processes, which a test starts, kills and
 * stops.
 */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { makeDataFolder, makeEmptyFolder } from './data-folder.ts'

const ROOT = resolve(import.meta.dirname, '../../../..')
const MAIN = join(ROOT, 'apps/server/dist/server/main.js')
// Built from the current sources; fast when they have not changed since the last build.
execFileSync(process.execPath, [join(ROOT, 'scripts/build.mjs')], { stdio: ['ignore', 'ignore', 'inherit'] })

export interface ServerProcesses {
  /** The data folder of servers without DATABASE_URL; the others have one without a database. */
  readonly dataDir: string
  /** Starts a server in the test's data folder, on a free port unless `settings` set one. */
  run(settings: Readonly<Record<string, string>>): ChildProcess
  /** Kills the servers that still run, and removes the folder. */
  close(): Promise<void>
}

export function openServerProcesses(): ServerProcesses {
  const dataDir = makeDataFolder()
  const withoutDatabase = makeEmptyFolder()
  const processes: ChildProcess[] = []
  return {
    dataDir,
    run(settings) {
      const env = {
        PATH: process.env['PATH'] ?? '',
        NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
        DATA_DIR: settings['DATABASE_URL'] === undefined ? dataDir : withoutDatabase,
        LOG_LEVEL: 'silent',
        SPAM_POSTS: '100000',
        PORT: '0',
        ...settings,
      }
      const child = spawn(process.execPath, [MAIN], { env, cwd: dataDir, stdio: ['ignore', 'pipe', 'pipe'] })
      processes.push(child)
      return child
    },
    async close() {
      for (const child of processes) {
        if (child.exitCode === null && child.signalCode === null) {
          child.kill('SIGKILL')
          await once(child, 'exit')
        }
      }
      for (const folder of [dataDir, withoutDatabase]) rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Resolves with the address once the server listens. */
export async function started(child: ChildProcess): Promise<string> {
  for await (const line of createInterface({ input: child.stdout! })) {
    const url = /open at (http:\/\/\S+)/.exec(line)?.[1]
    if (url !== undefined) return url.replace('localhost', '127.0.0.1')
  }
  throw new Error('the server ended before it was open')
}

/** The exit code, and the lines for the operator. */
export async function outcome(child: ChildProcess): Promise<{ code: number | null; lines: string[] }> {
  let text = ''
  child.stderr!.on('data', (chunk: Buffer) => (text += chunk.toString()))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, lines: text.split('\n').filter(Boolean) }
}

const PATIENCE_MS = 30_000

/** Posts JSON without cookies. @throws unless it succeeds, in time */
export async function post<T>(url: string, body: unknown, patienceMs = PATIENCE_MS): Promise<T> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(patienceMs),
  })
  if (!answer.ok) throw new Error(`refused: ${answer.status}`)
  return (await answer.json()) as T
}

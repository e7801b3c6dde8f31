/** The server under test, started as in production, as its own process. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import pg from 'pg'
import { onEnd } from './cleanup.ts'
import { PAST_THE_CACHE } from './http.ts'
import type { Options } from './options.ts'

export const ROOT = resolve(import.meta.dirname, '../..')
export const NODE = join(ROOT, 'node_modules/.bin/node')
const MAIN = join(ROOT, 'apps/server/dist/server/main.js')

export interface Board {
  readonly url: string
  readonly pid: number
  /** Resolves with how it ended. */
  readonly ended: Promise<Ended>
  stop(): Promise<void>
}

export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

export interface BoardOptions {
  /** Null for the embedded database. */
  readonly databaseUrl: string | null
  /** Kept by the caller; a temporary one when not given. */
  readonly dataDir?: string
  /** The script that node runs: the server itself, or a script that starts it. */
  readonly script?: string
  /** Settings that add to and override those of the bench. */
  readonly settings?: Readonly<Record<string, string>>
  /** A program with arguments that runs node, such as prlimit. */
  readonly launcher?: readonly string[]
  /** Receives the server's warnings and errors; standard error by default. */
  readonly log?: (chunk: Buffer) => void
  /** Called with the process id before the server is open. */
  readonly onSpawn?: (pid: number) => void
}

/**
 * A server is idle after this long: V8 keeps memory that starting needed (30 MB for new objects
 * alone) for minutes.
 */
export const restMs = ({ quick }: Options): number => (quick ? 20_000 : 240_000)

/** A temporary folder that is removed at the end of the program. */
export function temporaryFolder(program = 'bench'): string {
  const folder = mkdtempSync(join(tmpdir(), `shinobi-${program}-`))
  onEnd(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export async function startBoard({
  databaseUrl,
  dataDir = temporaryFolder(),
  script = MAIN,
  settings = {},
  launcher = [],
  log = (chunk) => void process.stderr.write(chunk),
  onSpawn,
}: BoardOptions): Promise<Board> {
  // BENCH_NODE_OPTIONS is for profiling, as in BENCH_NODE_OPTIONS=--cpu-prof.
  const nodeOptions = process.env['BENCH_NODE_OPTIONS']
  const [program, ...args] = [...launcher, NODE, script]
  const child = spawn(program, args, {
    cwd: dataDir,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: process.env['HOME'] ?? '',
      NODE_ENV: 'production',
      // As scripts/start.mjs sets it.
      NODE_COMPILE_CACHE: join(ROOT, 'node_modules/.cache/compiled'),
      ...(nodeOptions === undefined ? {} : { NODE_OPTIONS: nodeOptions }),
      PORT: '0',
      HOST: '127.0.0.1',
      DATA_DIR: dataDir,
      CORS_ORIGINS: PAST_THE_CACHE.origin,
      LOG_LEVEL: 'warn',
      ...(databaseUrl === null ? {} : { DATABASE_URL: databaseUrl }),
      // The load comes from one address and few browsers.
      SPAM_POSTS: '1000000',
      SPAM_POSTS_PER_ADDRESS: '1000000',
      // A run writes more than a million posts from one address in a quarter of an hour.
      SPAM_WINDOW_MINUTES: '1',
      SOCKETS_PER_ADDRESS: '1000000',
      SOCKET_EVENTS_PER_SECOND: '1000000',
      SHIELD_AUTOMATIC: 'false',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-4_000)
  })
  const ended = once(child, 'exit').then(([code, signal]): Ended => ({ code, signal }))
  const forget = onEnd(() => child.kill('SIGKILL'))
  void ended.then(forget)
  if (child.pid !== undefined) onSpawn?.(child.pid)
  for await (const line of createInterface({ input: child.stdout })) {
    const port = /open at http:\/\/[^:]+:(\d+)/.exec(line)?.[1]
    if (port === undefined) {
      // The server logs to standard output too.
      said = `${said}${line}\n`.slice(-4_000)
      continue
    }
    // Warnings and errors, which may explain a figure or a failure.
    for (const stream of [child.stdout, child.stderr]) stream.on('data', log)
    child.stdout.resume()
    await liftPostLimit(databaseUrl ?? readFileSync(join(dataDir, 'run', 'url'), 'utf8'))
    return {
      url: `http://127.0.0.1:${port}`,
      pid: child.pid!,
      ended,
      async stop() {
        child.kill('SIGTERM')
        await ended
      },
    }
  }
  throw new Error(`The board ended before it was open: ${said}`)
}

/** A hot thread of the bench gets more posts than administrators can allow a thread. */
async function liftPostLimit(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  // A board that is killed now breaks this connection too.
  client.on('error', () => {})
  await client.connect()
  await client.query('update categories set "postLimit" = 1000000000')
  await client.end()
}

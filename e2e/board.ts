/** A running board for tests: the built server as a process, with its own embedded database. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import type { BrowserContext } from '@playwright/test'
import type { User } from '@shinobi/contract/accounts'
import type { Post } from '@shinobi/contract/posts'
import type { Thread } from '@shinobi/contract/threads'
import pg from 'pg'
import { freePort } from '../apps/server/src/lib/free-port.ts'
import { temporary } from '../scripts/temporary.mjs'

const ROOT = resolve(import.meta.dirname, '..')
const CLOCK = pathToFileURL(join(import.meta.dirname, 'clock.mjs')).href

export interface Board {
  /** Address without a trailing slash; it stays the same over restarts. */
  readonly url: string
  /** The data folder. */
  readonly folder: string
  /** kill -9, as a crash would. */
  kill(): Promise<void>
  /** Starts again on the same data and port. */
  start(): Promise<void>
  /** Stops, and starts again so many days later by its clock. */
  later(days: number): Promise<void>
  close(): Promise<void>
}

/** Boards that a failed test leaves behind must not outlive the run. */
const running = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/** @returns the data folder of an empty board that was started once */
export async function makeTemplate(): Promise<string> {
  const folder = mkdtempSync(join(temporary, 'shinobi-e2e-'))
  const board = await serveFrom(folder, {})
  await board.stop()
  return folder
}

const HOUR_MS = 3_600_000
/**
 * The setting of a board at noon in Japan (3:00 UTC): no day ends during a journey that is about
 * one.
 */
export const atNoon = (): { readonly BOARD_AHEAD_MS: string } => {
  const sinceNoon = (Date.now() - 3 * HOUR_MS) % (24 * HOUR_MS)
  return { BOARD_AHEAD_MS: String(24 * HOUR_MS - sinceNoon) }
}

/** An empty board. `settings` may have those of its clock (clock.mjs). */
export async function openBoard(settings: Readonly<Record<string, string>> = {}): Promise<Board> {
  const dataDir = mkdtempSync(join(temporary, 'shinobi-e2e-'))
  cpSync(process.env['E2E_TEMPLATE']!, dataDir, { recursive: true })
  const { stop, ...board } = await serveFrom(dataDir, settings)
  return {
    ...board,
    async close() {
      await stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** A board without `close`. */
type Served = Omit<Board, 'close'> & { readonly stop: () => Promise<void> }

async function serveFrom(dataDir: string, settings: Readonly<Record<string, string>>): Promise<Served> {
  // Its own, also while it is down.
  const port = String(await freePort())
  let child: ChildProcess | null = null
  let ahead = Number(settings['BOARD_AHEAD_MS'] ?? 0)

  async function start(): Promise<void> {
    child = spawn(join(ROOT, 'node_modules/.bin/node'), [join(ROOT, 'apps/server/dist/server/main.js')], {
      cwd: dataDir,
      env: {
        PATH: process.env['PATH'] ?? '',
        NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
        DATA_DIR: dataDir,
        PORT: port,
        LOG_LEVEL: 'warn',
        SPAM_POSTS: '100000',
        UPLOADS_PER_HOUR: '100000',
        REGISTRATIONS_PER_HOUR: '100000',
        SHIELD_AUTOMATIC: 'false',
        NEWS_SCHEDULE: 'false',
        CONTACT_EMAIL: 'shinobi@example.jp',
        NODE_OPTIONS: `--import=${CLOCK}`,
        ...settings,
        BOARD_AHEAD_MS: String(ahead),
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const started = child
    running.add(started)
    started.once('exit', () => running.delete(started))
    for await (const line of createInterface({ input: started.stdout! })) {
      if (!line.includes('open at http://')) continue
      // Drain its output, so that the pipe never fills.
      started.stdout!.resume()
      return
    }
    throw new Error('the board ended before it was open')
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    if (child === null || child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.kill(signal)
    await gone
  }

  await start()
  return {
    url: `http://localhost:${port}`,
    folder: dataDir,
    kill: () => end('SIGKILL'),
    start,
    async later(days) {
      ahead += days * 86_400_000
      await end('SIGTERM')
      await start()
    },
    stop: () => end('SIGTERM'),
  }
}

/**
 * Sends a request again as long as the board is too busy for it.
 * @throws Error when it is refused
 */
async function ask(url: string, request: RequestInit): Promise<Response> {
  for (;;) {
    const answer = await fetch(url, request)
    if (answer.ok) return answer
    const said = await answer.text()
    if (answer.status !== 503) throw new Error(`refused: ${answer.status} ${said}`)
    await sleep(100)
  }
}

async function post<T>(board: Board, path: string, body: unknown): Promise<T> {
  const answer = await ask(`${board.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return (await answer.json()) as T
}

/** Creates a thread over the API, with defaults for whatever a test does not set. */
export const startThread = (board: Board, fields: Readonly<Record<string, string>> = {}): Promise<Thread> =>
  post(board, '/api/threads', {
    title: '今夜の月について語ろう',
    content: '綺麗ですね',
    category: 'general',
    ...fields,
  })

/** Writes a post over the API from an address, for boards with TRUST_PROXY. */
export async function writeFrom(
  board: Board,
  address: string,
  threadId: string,
  fields: Readonly<Record<string, string | boolean>>,
): Promise<Post> {
  const answer = await ask(`${board.url}/api/threads/${threadId}/posts`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
    body: JSON.stringify({ name: '名無し', ...fields }),
  })
  return (await answer.json()) as Post
}

/**
 * Gives a browser that has its cookie a level of 忍法帖, as days of writing do. Before its first
 * post: the server remembers levels for a while.
 */
export async function giveLevel(board: Board, context: BrowserContext, level: number): Promise<void> {
  const cookie = (await context.cookies()).find(({ name }) => name === 'visitor')
  const visitorId = /[0-9a-f-]{36}/.exec(decodeURIComponent(cookie?.value ?? ''))?.[0]
  if (visitorId === undefined) throw new Error('the browser has no cookie of a visitor')
  const database = new pg.Client({ host: join(board.folder, 'run'), port: 5432, user: 'shinobi', database: 'postgres' })
  await database.connect()
  try {
    await database.query('insert into levels ("actorId", days, "seenOn") values ($1, $2, current_date)', [
      visitorId,
      level,
    ])
  } finally {
    await database.end()
  }
}

let guests = 0
/** Writes a post over the API, each as another visitor. */
export const writePost = (board: Board, threadId: string, content: string): Promise<Post> =>
  post(board, `/api/threads/${threadId}/posts`, { content, name: `通りすがり${(guests += 1)}` })

/** Writes many posts, a batch at a time: they are numbered in any order. */
export async function writePosts(board: Board, threadId: string, count: number): Promise<void> {
  for (let left = count; left > 0; left -= 40) {
    const batch = Array.from({ length: Math.min(40, left) }, () => writePost(board, threadId, '巻物の一段'))
    await Promise.all(batch)
  }
}

/** Posts as the server returns them. */
export async function readPosts(board: Board, threadId: string): Promise<Post[]> {
  const posts: Post[] = []
  for (;;) {
    const answer = await fetch(
      `${board.url}/api/threads/${threadId}/posts?limit=100&after=${posts.at(-1)?.number ?? 0}`,
    )
    const page = (await answer.json()) as Post[]
    if (page.length === 0) return posts
    posts.push(...page)
  }
}

/** A member with an account. */
export interface Member {
  readonly user: User
  readonly password: string
  /** Makes an API call as the member, with a session of its own. */
  readonly send: <T>(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown) => Promise<T>
}

let members = 0
/** Registers a member over the API; `logIn` of test.ts logs them in to a browser. */
export async function signUp(board: Board, name?: string): Promise<Member> {
  members += 1
  const username = name ?? `会員${members}号`
  const password = '忍びの合言葉 42'
  const cookies = new Map<string, string>()
  const send: Member['send'] = async <T>(method: string, path: string, body?: unknown) => {
    const answer = await ask(board.url + path, {
      method,
      headers: {
        origin: board.url,
        cookie: [...cookies].map(([key, value]) => `${key}=${value}`).join('; '),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    for (const cookie of answer.headers.getSetCookie()) {
      const [, key = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      cookies.set(key, value)
    }
    return (await answer.json()) as T
  }
  const email = `member${members}.${Date.now()}@example.jp`
  const { user } = await send<{ user: User }>('POST', '/auth/register', { username, email, password })
  return { user, password, send }
}

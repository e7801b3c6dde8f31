/**
 * A whole board for a test: the real app on its own PostgreSQL database, with a clock that the test
 * sets.
 */
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { hash } from '@node-rs/argon2'
import { pino, type DestinationStream } from 'pino'
import { inject } from 'vitest'
import { io as connect, type Socket } from 'socket.io-client'
import type { ClientToServerEvents, JoinAck, NewPost, PostAck, ServerToClientEvents } from '@shinobi/contract/events'
import type { Post } from '@shinobi/contract/posts'
import type { Thread } from '@shinobi/contract/threads'
import { temporary } from '../../../../scripts/temporary.mjs'
import { buildApp, type BuiltApp } from '../app.ts'
import { readConfig, type Config } from '../config.ts'
import type { BoardDatabase } from '../db/board-database.ts'
import { openDatabase, type Database } from '../db/client.ts'
import { takeName } from '../features/accounts/user-names.queries.ts'
import { insertUser } from '../features/accounts/users.queries.ts'
import { inHalfLives } from '../features/threads/threads.trending.ts'
import type { WebBundle } from '../http/pages.ts'
import { dayInJapan } from '../lib/day-in-japan.ts'
import { foldName } from '../lib/fold.ts'
import { createLogger } from '../logger.ts'
import { uuidv7 } from '../lib/uuid.ts'
import { openBus } from '../redis/bus.ts'
import { dropDatabase, findServers, inDatabase, runOnAll } from './citus.ts'
import { recordStatements } from './statements.ts'

/** The secret of every test board, for signatures and encryption. */
export const SECRET = 'a secret for tests that is long enough'

/** 2026-11-21 13:03 in Tokyo. */
export const START = Date.parse('2026-11-21T04:03:00Z')

export interface Board extends BuiltApp {
  readonly database: Database
  readonly config: Config
  /** The board's clock in milliseconds; tests set it. */
  readonly clock: { now: number }
  /**
   * Free space of the board's disk; tests set it, and then make `deps.writability.disk` check it.
   */
  readonly disk: { freeBytes: number }
  /** Finishes all work that follows commits: the search index, the ranking of lists, mails. */
  settle(): Promise<void>
  /** Listens (once), and returns the address. */
  listen(): Promise<string>
  close(): Promise<void>
}

export type Settings = Readonly<Record<string, string>>

/**
 * Opens an empty board with the seven initial categories. Pass a database to open a second server
 * on it, a log destination to read the log, and the built web app to serve pages.
 */
export async function openBoard(
  settings: Settings = {},
  shared?: Database,
  logTo?: DestinationStream,
  bundle: WebBundle | null = null,
): Promise<Board> {
  const dataDir = mkdtempSync(join(temporary, 'shinobi-board-'))
  const config = readConfig({
    DATA_DIR: dataDir,
    PUBLIC_URL: 'http://localhost',
    LOG_LEVEL: 'silent',
    TRUST_PROXY: 'true',
    // Raid mode stays off, so that tests can have crowds of visitors.
    SHIELD_AUTOMATIC: 'false',
    NEWS_SCHEDULE: 'false',
    ...settings,
  })
  const database = shared ?? (await openTestDatabase())
  const clock = { now: START }
  const disk = { freeBytes: 100e9 }
  const logger =
    logTo === undefined
      ? pino({ level: process.env['TEST_LOG_LEVEL'] ?? 'silent' })
      : createLogger({ logLevel: 'info' }, { to: logTo, windowMs: 0 })
  const secret = config.sessionSecret ?? SECRET
  const bus = config.redisUrl === null ? null : await openBus({ url: config.redisUrl, secret, log: logger })
  const built = await buildApp({
    config,
    database,
    secret,
    bundle,
    bus,
    now: () => clock.now,
    logger,
    newsHostDelayMs: 0,
    // A busy machine draws slowly; the test of the budget sets its own.
    cardBudgetMs: 60_000,
    readFreeBytes: async () => disk.freeBytes,
  })
  await built.app.ready()
  let listening: Promise<string> | null = null
  async function listen(): Promise<string> {
    // Crowds connect at once; a small backlog would make a busy system refuse some of them.
    await built.app.listen({ port: 0, host: '127.0.0.1', backlog: 4_096 })
    return `http://127.0.0.1:${(built.app.server.address() as AddressInfo).port}`
  }
  return {
    ...built,
    database,
    config,
    clock,
    disk,
    settle: built.services.settle,
    listen: () => (listening ??= listen()),
    async close() {
      await built.app.close()
      await bus?.close()
      if (shared === undefined) await database.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** A database of one test. */
export type TestDatabase = BoardDatabase

/** An empty, migrated database. */
export async function openTestDatabase(): Promise<TestDatabase> {
  const server = inject('databaseServer')
  const name = `test_${randomUUID().replaceAll('-', '')}`
  servers ??= findServers(server)
  await runOnAll(await servers, `create database ${name} template ${inject('template')} strategy file_copy`)
  const url = inDatabase(server, name)
  // Visitors of a crowd queue up for these connections, and a busy machine opens one in seconds:
  // after as many, a board of visitors answers 503.
  const database = openDatabase({ url, pool: 8, connectTimeoutMs: 60_000 })
  recordStatements(database)
  return {
    ...database,
    url,
    async close() {
      await database.close()
      await dropDatabase(await servers!, name)
    },
  }
}

let servers: Promise<string[]> | null = null

/**
 * A visitor with a browser: keeps cookies, sends the page's origin, and sends requests over the
 * network, and so through the cache.
 */
export interface Guest {
  get<T = unknown>(url: string, headers?: Record<string, string>): Promise<Answer<T>>
  post<T = unknown>(url: string, body?: unknown, headers?: Record<string, string>): Promise<Answer<T>>
  put<T = unknown>(url: string, body?: unknown, headers?: Record<string, string>): Promise<Answer<T>>
  delete<T = unknown>(url: string, body?: unknown, headers?: Record<string, string>): Promise<Answer<T>>
  /** Sends a form; a Blob is sent as the file. */
  form<T = unknown>(
    url: string,
    fields: Readonly<Record<string, string | Blob>>,
    method?: 'POST' | 'PUT',
    headers?: Record<string, string>,
  ): Promise<Answer<T>>
  readonly cookies: Map<string, string>
}

export interface Answer<T> {
  readonly status: number
  readonly body: T
  readonly headers: Readonly<Record<string, string | undefined>>
}

export function visit(board: Pick<Board, 'listen'>, address = '203.0.113.7'): Guest {
  const cookies = new Map<string, string>()
  async function ask<T>(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    url: string,
    payload?: string | Uint8Array<ArrayBuffer>,
    headers: Record<string, string> = {},
  ): Promise<Answer<T>> {
    const answer = await fetch((await board.listen()) + url, {
      method,
      redirect: 'manual',
      ...(payload === undefined ? {} : { body: payload }),
      headers: {
        'x-forwarded-for': address,
        ...(method !== 'GET' ? { origin: 'http://localhost' } : {}),
        ...(cookies.size === 0 ? {} : { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') }),
        ...headers,
      },
    })
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie)!
      // A cookie is deleted by an empty value.
      if (value === '') cookies.delete(name!)
      else cookies.set(name!, value!)
    }
    const headersOfAnswer = Object.fromEntries(answer.headers)
    const text = await answer.text()
    const isJson = headersOfAnswer['content-type']?.includes('json') ?? false
    return { status: answer.status, body: (isJson ? JSON.parse(text) : text) as T, headers: headersOfAnswer }
  }
  const sendJson =
    (method: 'POST' | 'PUT' | 'DELETE') =>
    <T>(url: string, body: unknown = {}, headers: Record<string, string> = {}) =>
      ask<T>(method, url, JSON.stringify(body), { 'content-type': 'application/json', ...headers })
  return {
    cookies,
    get: (url, headers = {}) => ask('GET', url, undefined, headers),
    post: sendJson('POST'),
    put: sendJson('PUT'),
    delete: sendJson('DELETE'),
    form: async (url, fields, method = 'POST', headers = {}) => {
      const form = new FormData()
      for (const [name, value] of Object.entries(fields)) {
        if (typeof value === 'string') form.set(name, value)
        else form.set(name, value, 'picture')
      }
      const encoded = new Response(form)
      return ask(method, url, new Uint8Array(await encoded.arrayBuffer()), {
        'content-type': encoded.headers.get('content-type')!,
        ...headers,
      })
    },
  }
}

/** A member, logged in. */
export interface MemberGuest extends Guest {
  readonly userId: string
  readonly name: string
}

/** Gives a visitor who has acted before, or a member, a level of 忍法帖. */
export async function giveLevel(board: Board, guest: Guest | MemberGuest, level: number): Promise<void> {
  const actorId = 'userId' in guest ? guest.userId : /[0-9a-f-]{36}/.exec(guest.cookies.get('visitor') ?? '')![0]
  await board.settle()
  await board.database.db
    .insertInto('levels')
    .values({ actorId, days: level, seenOn: dayInJapan(board.clock.now) })
    .onConflict((conflict) => conflict.column('actorId').doUpdateSet({ days: level, removals: 0, pendingDay: null }))
    .execute()
  board.deps.levels.forget(actorId)
}

/** What a thread has in trending: the decayed weight of its posts and likes. */
export async function scoreOf(board: Board, { _id }: { readonly _id: string }): Promise<number> {
  const threads = board.database.db.selectFrom('threads').select('rankedHeat').where('id', '=', _id)
  const { rankedHeat } = await threads.executeTakeFirstOrThrow()
  return 2 ** (rankedHeat - inHalfLives(board.clock.now))
}

/** The password of all accounts of `signUp`. */
export const PASSWORD = '忍びの合言葉 42'
/** Computed with the smallest parameters, so that a crowd of members costs little. */
let quickHash: Promise<string> | null = null
let accounts = 0

/** Rights and address of an account. */
export interface Account {
  readonly isAdmin?: boolean
  /** Ids of the categories that the member moderates. */
  readonly moderates?: 'all' | readonly string[] | null
  /** Whether the mail address is confirmed. */
  readonly isConfirmed?: boolean
  readonly address?: string
}

/** Creates an account in the database, without a registration, and logs in over HTTP. */
export async function signUp(
  board: Board,
  name = `会員${(accounts += 1)}`,
  { isAdmin = false, moderates = null, isConfirmed = true, address }: Account = {},
): Promise<MemberGuest> {
  quickHash ??= hash(PASSWORD, { memoryCost: 8, timeCost: 1, parallelism: 1 })
  const userId = uuidv7(board.clock.now)
  const { db } = board.database
  const at = new Date(board.clock.now)
  const email = `${userId}@example.jp`
  const emailVerifiedAt = isConfirmed ? at : null
  await insertUser(db, { id: userId, name, email, emailVerifiedAt, passwordHash: await quickHash, at })
  if (!(await takeName(db, userId, foldName(name), at))) throw new Error(`the name ${name} is taken`)
  if (isAdmin) await db.updateTable('users').set({ isAdmin }).where('id', '=', userId).execute()
  if (moderates !== null) {
    const categoryIds = moderates === 'all' ? null : JSON.stringify(moderates)
    await db.insertInto('moderators').values({ userId, categoryIds, createdAt: at }).execute()
  }
  const guest = visit(board, address)
  const answer = await guest.post('/auth/login', { username: name, password: PASSWORD })
  if (answer.status !== 200) throw new Error(`the log-in was refused: ${JSON.stringify(answer.body)}`)
  return { ...guest, userId, name }
}

/** Opens a thread, with defaults for the fields that a test does not set. */
export async function startThread(guest: Guest, fields: Readonly<Record<string, string | Blob>> = {}): Promise<Thread> {
  const answer = await guest.form<Thread>('/api/threads', {
    title: '今夜の月について',
    content: '綺麗ですね',
    category: 'general',
    ...fields,
  })
  if (answer.status !== 201) throw new Error(`the thread was refused: ${JSON.stringify(answer.body)}`)
  return answer.body
}

/** Posts over HTTP. */
export async function writeTo(
  guest: Guest,
  thread: { _id: string },
  content: string,
  name = '名無しの忍者',
): Promise<Post> {
  const answer = await guest.post<Post>(`/api/threads/${thread._id}/posts`, { content, name })
  if (answer.status !== 201) throw new Error(`the post was refused: ${JSON.stringify(answer.body)}`)
  return answer.body
}

export type LiveClient = Socket<ServerToClientEvents, ClientToServerEvents>

/** Connects a real socket to a listening board, with the guest's cookies. */
export async function connectTo(url: string, guest?: Guest): Promise<LiveClient> {
  const cookie = guest === undefined ? '' : [...guest.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const socket: LiveClient = connect(url, {
    transports: ['websocket'],
    reconnection: false,
    ...(cookie === '' ? {} : { extraHeaders: { cookie } }),
  })
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve)
    socket.once('connect_error', reject)
  })
  return socket
}

export const enter = (socket: LiveClient, threadId: string): Promise<JoinAck> =>
  socket.emitWithAck('joinThread', { threadId, name: '影', isLoggedIn: false })

export const send = (socket: LiveClient, post: NewPost): Promise<PostAck> => socket.emitWithAck('newPost', post)

/** The next `count` posts that a socket receives. */
export function hear(socket: LiveClient, count: number): Promise<Post[]> {
  const heard: Post[] = []
  return new Promise((resolve) => {
    socket.on('newPost', function listen(post) {
      heard.push(post)
      if (heard.length < count) return
      socket.off('newPost', listen)
      resolve(heard)
    })
  })
}

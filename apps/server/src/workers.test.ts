/** One board with several processes on one machine (WEB_CONCURRENCY). */
import { execFileSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Post } from '@shinobi/contract/posts'
import type { Thread } from '@shinobi/contract/threads'
import { connectTo, enter, openTestDatabase, type LiveClient, type TestDatabase } from './testing/board.ts'
import { startRedis, type RedisServer } from './testing/outside/redis-server.ts'
import { readScrape } from './testing/scrape.ts'
import { openServerProcesses, outcome, post, started, type ServerProcesses } from './testing/server-process.ts'

/** Starting processes one after the other takes long on a busy machine. */
const TIMEOUT_MS = 90_000
const METRICS_TOKEN = 'a-token-for-the-figures'
const soon = { timeout: TIMEOUT_MS, interval: 50 }
/**
 * Long enough for a machine that is busy with other tests, and for some requests to /metrics that
 * reach the process that hangs.
 */
const WORKER_TIMEOUT_SECONDS = '40'
/** A request to a process that is killed at that moment may never be answered. */
const KILLED_MS = 3_000

describe('a board of two processes', { timeout: 3 * TIMEOUT_MS }, () => {
  let redis: RedisServer
  let database: TestDatabase
  let servers: ServerProcesses
  let primary: ChildProcess
  let url: string
  let sockets: LiveClient[]

  beforeAll(async () => {
    redis = await startRedis()
    database = await openTestDatabase()
    servers = openServerProcesses()
    await start()
  })
  afterAll(async () => {
    await servers.close()
    await database.close()
    await redis.close()
  })
  beforeEach(() => {
    sockets = []
  })
  afterEach(() => {
    for (const socket of sockets) socket.disconnect()
  })

  async function start(): Promise<void> {
    primary = servers.run({
      ...{ DATABASE_URL: database.url, REDIS_URL: redis.url, WEB_CONCURRENCY: '2' },
      ...{ METRICS_TOKEN, WORKER_TIMEOUT_SECONDS, SHIELD_AUTOMATIC: 'false' },
    })
    url = await started(primary)
  }

  function workers(): number[] {
    try {
      const pids = execFileSync('pgrep', ['--parent', String(primary.pid)], { encoding: 'utf8' })
      return pids.trim().split('\n').map(Number)
    } catch {
      return []
    }
  }

  const isAlive = (pid: number): boolean => {
    try {
      return process.kill(pid, 0)
    } catch {
      return false
    }
  }

  const openThread = () =>
    post<Thread>(`${url}/api/threads`, { title: '二人の番人', content: '交代で', category: 'general' })
  const write = (thread: Thread, content: string, patienceMs?: number) =>
    post<Post>(`${url}/api/threads/${thread._id}/posts`, { content, name: `影${content}` }, patienceMs)

  it('delivers every post once to every socket, whichever process it is connected to', async () => {
    const thread = await openThread()
    const heard: string[][] = []
    for (let count = 0; count < 6; count += 1) {
      const socket = await connectTo(url)
      sockets.push(socket)
      await enter(socket, thread._id)
      const texts: string[] = []
      heard.push(texts)
      socket.on('newPost', ({ content }) => texts.push(content))
    }
    const texts = Array.from({ length: 8 }, (_, index) => `${index}の刻`)
    for (const text of texts) await write(thread, text)
    await vi.waitUntil(() => heard.every((one) => one.includes(texts.at(-1)!)), soon)
    for (const one of heard) expect(one.toSorted()).toEqual(texts.toSorted())
  })

  /**
   * The metrics once so many processes have contributed: a busy one may miss its time to. A request
   * to a process that is stopped at that moment may never be answered, and is repeated.
   */
  const figuresOf = (answering: number) =>
    vi.waitUntil(async () => {
      const headers = { authorization: `Bearer ${METRICS_TOKEN}`, connection: 'close' }
      const signal = AbortSignal.timeout(6_000)
      const told = await fetch(`${url}/metrics`, { headers, signal }).then(
        async (answer) => ({ status: answer.status, text: await answer.text() }),
        () => null,
      )
      if (told === null) return null
      expect(told.status).toBe(200)
      const { figures } = readScrape(told.text)
      return figures.get('shinobi_workers{state="answering"}') === answering ? figures : null
    }, soon)

  it('reports the total of both processes, whichever is asked', async () => {
    for (let count = 0; count < 4; count += 1) sockets.push(await connectTo(url))
    const tellFour = async (): Promise<boolean> => (await figuresOf(2)).get('shinobi_sockets') === 4
    // Sockets of earlier tests have to close first.
    await vi.waitUntil(tellFour, soon)
    for (let count = 0; count < 4; count += 1) expect(await tellFour()).toBe(true)
  })

  it('replaces a killed process, and keeps serving meanwhile', async () => {
    const [victim, other] = workers() as [number, number]
    const thread = await openThread()
    process.kill(victim, 'SIGKILL')
    const acknowledged: number[] = []
    let tries = 0
    await vi.waitUntil(async () => {
      // A connection to the killed process breaks; the next one reaches another process.
      const written = await write(thread, `${(tries += 1)}`, KILLED_MS).catch(() => null)
      if (written !== null) acknowledged.push(written.number)
      return workers().length === 2 && acknowledged.length >= 20
    }, soon)
    expect(workers()).toContain(other)
    expect(workers()).not.toContain(victim)
    const posts = (await (await fetch(`${url}/api/threads/${thread._id}/posts?limit=100`)).json()) as Post[]
    expect(posts.map(({ number }) => number)).toEqual(posts.map((_, index) => index + 1))
    expect(posts.map(({ number }) => number)).toEqual(expect.arrayContaining(acknowledged))
  })

  it('replaces a process that hangs, and /metrics answers meanwhile without losing counts', async () => {
    const thread = await openThread()
    for (let count = 0; count < 6; count += 1) await write(thread, `${count}`)
    const POSTS = 'shinobi_grouped_total{of="posts"}'
    // The process that replaces the killed one may not have reported its metrics yet.
    const before = await figuresOf(2)
    expect(before.get('shinobi_workers{state="silent"}')).toBe(0)

    const [victim, other] = workers() as [number, number]
    process.kill(victim, 'SIGSTOP')
    const meanwhile = await figuresOf(1)
    expect(meanwhile.get('shinobi_workers{state="silent"}')).toBe(1)
    expect(meanwhile.get(POSTS)).toBe(before.get(POSTS))

    await vi.waitUntil(() => !isAlive(victim) && workers().length === 2, soon)
    expect(workers()).toContain(other)
    const after = await figuresOf(2)
    expect(after.get('shinobi_workers_replaced_total{reason="hung"}')).toBe(1)
    expect(after.get(POSTS)).toBe(before.get(POSTS))
  })

  it('replaces all processes on SIGHUP without refusing a request or losing a post', async () => {
    const thread = await openThread()
    const before = workers()
    const page = (after: number) => fetch(`${url}/api/threads/${thread._id}/posts?limit=100&after=${after}`)
    const acknowledged: number[] = []
    let isOver = false
    // Throws when a request is refused, or its connection breaks. A thread takes 1,000 posts, so
    // most of the requests read.
    async function visitOften(writer: number): Promise<void> {
      for (let count = 0; !isOver; count += 1) {
        if (count % 20 === 0) acknowledged.push((await write(thread, `${writer}の${count}`)).number)
        else expect((await page(count)).status).toBe(200)
      }
    }
    const visits = Promise.all([1, 2, 3].map(visitOften))
    primary.kill('SIGHUP')
    const areReplaced = (): boolean => workers().length === 2 && !workers().some((pid) => before.includes(pid))
    await Promise.race([visits, vi.waitUntil(areReplaced, { timeout: 2 * TIMEOUT_MS, interval: 500 })])
    isOver = true
    await visits
    expect(acknowledged.length).toBeGreaterThan(0)
    const stored: Post[] = []
    for (;;) {
      const posts = (await (await page(stored.length)).json()) as Post[]
      if (posts.length === 0) break
      stored.push(...posts)
    }
    expect(stored.map(({ number }) => number)).toEqual(stored.map((_, index) => index + 1))
    expect(stored.map(({ number }) => number)).toEqual(expect.arrayContaining(acknowledged))
    expect((await figuresOf(2)).get('shinobi_workers_replaced_total{reason="reload"}')).toBe(2)
  })

  it('stops all processes on SIGTERM, with exit code 0', async () => {
    const pids = workers()
    primary.kill('SIGTERM')
    expect((await outcome(primary)).code).toBe(0)
    expect(pids.filter(isAlive)).toEqual([])
  })

  it('leaves no process behind when the primary is killed', async () => {
    await start()
    const pids = workers()
    primary.kill('SIGKILL')
    await once(primary, 'exit')
    await vi.waitUntil(() => !pids.some(isAlive), soon)
    await expect(fetch(url)).rejects.toThrow('fetch failed')
  })
})

it(
  'several processes share the embedded database, which survives when one of them is killed',
  async () => {
    const servers = openServerProcesses()
    const redis = await startRedis()
    const primary = servers.run({ REDIS_URL: redis.url, WEB_CONCURRENCY: '2' })
    const url = await started(primary)
    const thread = await post<Thread>(`${url}/api/threads`, { title: '二人で一つ', content: '蔵', category: 'general' })
    const children = execFileSync('pgrep', ['--parent', String(primary.pid), 'node'], { encoding: 'utf8' })
    process.kill(Number(children.split('\n')[0]), 'SIGKILL')
    const write = () => post<Post>(`${url}/api/threads/${thread._id}/posts`, { content: '続き', name: '影' }, KILLED_MS)
    const written = await vi.waitUntil(() => write().catch(() => null), soon)
    expect(written.number).toBeGreaterThan(1)
    primary.kill('SIGTERM')
    expect((await outcome(primary)).code).toBe(0)
    await servers.close()
    await redis.close()
  },
  TIMEOUT_MS * 2,
)

it('several processes report once why they cannot serve', async () => {
  const servers = openServerProcesses()
  const [redis, database] = [await startRedis(), await openTestDatabase()]
  const settings = { DATABASE_URL: database.url, REDIS_URL: redis.url, WEB_CONCURRENCY: '3' }
  const { code, lines } = await outcome(servers.run({ ...settings, HOST: '203.0.113.250' }))
  expect(code).toBe(1)
  expect(lines).toHaveLength(1)
  expect(lines[0]).toContain('HOST')
  await servers.close()
  await database.close()
  await redis.close()
})

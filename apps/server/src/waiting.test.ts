/**
 * A board whose database or Redis is unavailable at the start: it retries, logs one warning, and
 * opens when it is available.
 */
import type { ChildProcess } from 'node:child_process'
import { Redis } from 'ioredis'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { openTestDatabase, type TestDatabase } from './testing/board.ts'
import { freePort } from './lib/free-port.ts'
import { gateTo, through, type Gate } from './testing/outside/gate.ts'
import { startRedis, type RedisServer } from './testing/outside/redis-server.ts'
import { openServerProcesses, outcome, started, type ServerProcesses } from './testing/server-process.ts'

/** Starting processes takes long on a busy machine. */
const TIMEOUT_MS = 60_000
const soon = { timeout: TIMEOUT_MS, interval: 50 }

describe('a board that starts', { timeout: 2 * TIMEOUT_MS }, () => {
  let database: TestDatabase
  let redis: RedisServer
  let gates: { readonly postgres: Gate; readonly redis: Gate }
  let servers: ServerProcesses
  let port: number

  beforeAll(async () => {
    database = await openTestDatabase()
    redis = await startRedis()
  })
  afterAll(async () => {
    await database.close()
    await redis.close()
  })
  beforeEach(async () => {
    gates = { postgres: await gateTo(database.url), redis: await gateTo(redis.url) }
    servers = openServerProcesses()
    port = await freePort()
  })
  afterEach(async () => {
    await servers.close()
    await gates.postgres.close()
    await gates.redis.close()
  })

  /** A board behind both gates, and the warnings in its log. */
  function start(settings: Readonly<Record<string, string>>): { board: ChildProcess; warnings: () => string[] } {
    const board = servers.run({
      ...{ PORT: String(port), LOG_LEVEL: 'warn', DATABASE_URL: through(gates.postgres, database.url) },
      ...settings,
    })
    let text = ''
    board.stdout!.on('data', (chunk: Buffer) => (text += chunk.toString()))
    return { board, warnings: () => text.split('\n').filter((line) => line.includes('is away')) }
  }
  const ask = (path: string, accept = '*/*') => fetch(`http://127.0.0.1:${port}${path}`, { headers: { accept } })
  const isListening = (): Promise<boolean> =>
    ask('/healthz').then(
      () => true,
      () => false,
    )

  it.each([
    ['one process', {}],
    ['two processes', { WEB_CONCURRENCY: '2' }],
  ])('without its database retries as %s, and opens when it is available', async (_, settings) => {
    const { board, warnings } = start({ ...settings, REDIS_URL: redis.url })
    await vi.waitUntil(isListening, soon)
    await vi.waitUntil(() => gates.postgres.turnedAway() >= 3, soon)
    expect(warnings()).toEqual([
      expect.stringContaining('PostgreSQL is away: waiting for it, and answering 503 meanwhile'),
    ])
    expect((await ask('/healthz')).status).toBe(200)
    const ready = await ask('/readyz')
    expect([ready.status, await ready.json()]).toEqual([503, { status: 'database away' }])
    const page = await ask('/', 'text/html,*/*;q=0.8')
    expect([page.status, page.headers.get('content-type')]).toEqual([503, 'text/html; charset=utf-8'])
    expect(page.headers.get('retry-after')).toBe('5')
    expect(await page.text()).toContain('<h1>ただいま、つながりません</h1>')
    const call = await ask('/api/threads')
    expect([call.status, await call.json()]).toEqual([503, expect.objectContaining({ code: 'unavailable' })])

    const open = started(board)
    gates.postgres.open()
    // No connection is refused while the board takes over the server.
    let isOpen = false
    const statuses = new Set<number>()
    const visitors = Promise.all(
      Array.from({ length: 4 }, async () => {
        while (!isOpen) statuses.add((await ask('/api/categories')).status)
      }),
    )
    await open
    isOpen = true
    await visitors
    expect([...statuses].filter((status) => status !== 200 && status !== 503)).toEqual([])
    await expect.poll(async () => (await ask('/readyz')).status).toBe(200)
    expect((await ask('/api/threads')).status).toBe(200)
    expect(warnings()).toHaveLength(1)
  })

  it('without Redis retries, and opens when it is available', async () => {
    gates.postgres.open()
    const { board, warnings } = start({ REDIS_URL: through(gates.redis, redis.url) })
    await vi.waitUntil(isListening, soon)
    await vi.waitUntil(() => gates.redis.turnedAway() >= 6, soon)
    expect(warnings()).toEqual([expect.stringContaining('Redis is away')])
    const ready = await ask('/readyz')
    expect([ready.status, await ready.json()]).toEqual([503, { status: 'redis away' }])
    const open = started(board)
    gates.redis.open()
    await open
    await expect.poll(async () => (await ask('/readyz')).status).toBe(200)
  })

  it('and retries stops on SIGTERM with exit code 0', async () => {
    const { board } = start({})
    await vi.waitUntil(isListening, soon)
    board.kill('SIGTERM')
    expect((await outcome(board)).code).toBe(0)
  })

  it('and retries reports in one line that its port is in use', async () => {
    start({})
    await vi.waitUntil(isListening, soon)
    const { code, lines } = await outcome(
      servers.run({ PORT: String(port), DATABASE_URL: 'postgres://x@127.0.0.1:9/x' }),
    )
    expect(code).toBe(1)
    expect(lines).toEqual([expect.stringContaining(`Port ${port} is taken`)])
  })

  it.each(['database', 'user'])(
    'does not retry for a %s that does not exist, but reports it in one line',
    async (what) => {
      const address = new URL(database.url)
      if (what === 'database') address.pathname = '/nowhere'
      else address.username = 'nobody_here'
      const { code, lines } = await outcome(servers.run({ DATABASE_URL: address.href }))
      expect(code).toBe(1)
      expect(lines).toEqual([expect.stringContaining('Setting DATABASE_URL cannot be used')])
    },
  )

  it('does not retry for a Redis that refuses its password, but reports it in one line', async () => {
    const strict = await startRedis()
    const client = new Redis(strict.url)
    await client.config('SET', 'requirepass', '合言葉')
    client.disconnect()
    const { code, lines } = await outcome(servers.run({ DATABASE_URL: database.url, REDIS_URL: strict.url }))
    expect(code).toBe(1)
    expect(lines).toEqual([expect.stringMatching(/Setting REDIS_URL cannot be used.*NOAUTH/)])
    await strict.close()
  })
})

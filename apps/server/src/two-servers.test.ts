/** Two servers of one board: with one PostgreSQL and one Redis, which may fail. */
import { Redis } from 'ioredis'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ThreadState } from '@shinobi/contract/events'
import type { HeldAnswer, Post } from '@shinobi/contract/posts'
import type { Thread } from '@shinobi/contract/threads'
import {
  connectTo,
  enter,
  hear,
  openBoard,
  openTestDatabase,
  signUp,
  startThread,
  visit,
  writeTo,
  type Board,
  type Guest,
  type LiveClient,
  type TestDatabase,
} from './testing/board.ts'
import { uuidv7 } from './lib/uuid.ts'
import { crowd } from './testing/raid.ts'
import { startRedis, type RedisServer } from './testing/outside/redis-server.ts'

/**
 * The connection between servers does not depend on the database, and an embedded one serves a
 * single process.
 */

/** Timeout for messages over Redis. */
const soon = { timeout: 60_000, interval: 20 }

describe('two servers', () => {
  let redis: RedisServer
  let database: TestDatabase
  let east: Board
  let west: Board
  let sockets: LiveClient[]
  /** Milliseconds for which the servers wait for Redis. */
  let patience: number
  const waitForRedis = (milliseconds: number): void => {
    for (const { deps } of [east, west]) deps.bus!.redis.options.commandTimeout = milliseconds
  }

  beforeEach(async () => {
    sockets = []
    redis = await startRedis()
    database = await openTestDatabase()
    const settings = { DATABASE_URL: database.url, REDIS_URL: redis.url, SPAM_POSTS: '5' }
    east = await openBoard(settings, database)
    west = await openBoard(settings, database)
    // A server that gets no answer from Redis in time counts alone, and a busy machine is slow.
    patience = east.deps.bus!.redis.options.commandTimeout!
    waitForRedis(soon.timeout)
    await Promise.all([east.listen(), west.listen()])
    await bothHearEachOther()
  })
  afterEach(async () => {
    for (const socket of sockets) socket.disconnect()
    await Promise.all([east.close(), west.close()])
    await database.close()
    await redis.close()
  })

  /**
   * Waits until a cache entry is dropped only because of the other server's message, in both
   * directions.
   */
  async function bothHearEachOther(): Promise<void> {
    for (const [teller, hearer] of [
      [east, west],
      [west, east],
    ] as const) {
      await vi.waitUntil(async () => {
        const load = hearer.deps.cache.begin('/probe', 0)
        load.tags.add('probe')
        hearer.deps.cache.finish(load, [], Buffer.from('probe'))
        teller.deps.cache.drop(['probe'], 'at once')
        await new Promise((resolve) => setTimeout(resolve, 20))
        return hearer.deps.cache.peek('/probe') === undefined
      }, soon)
    }
  }

  async function reader(board: Board, thread: Thread, guest?: Guest): Promise<LiveClient> {
    const socket = await connectTo(await board.listen(), guest)
    sockets.push(socket)
    await enter(socket, thread._id)
    return socket
  }

  const postsOn = async (board: Board, thread: Thread): Promise<string[]> =>
    (await visit(board).get<Post[]>(`/api/threads/${thread._id}/posts`)).body.map(({ content }) => content)

  /** The same browser at the other server. */
  function atOther(guest: Guest, board: Board): Guest {
    const there = visit(board)
    for (const [name, value] of guest.cookies) there.cookies.set(name, value)
    return there
  }

  it('a post on one is delivered on the other, exactly once', async () => {
    const kaede = visit(east)
    const thread = await startThread(kaede)
    const [here, there] = [await reader(east, thread), await reader(west, thread)]
    const heard: Record<'here' | 'there', string[]> = { here: [], there: [] }
    here.on('newPost', ({ content }) => heard.here.push(content))
    there.on('newPost', ({ content }) => heard.there.push(content))
    await writeTo(kaede, thread, '東から')
    await writeTo(visit(west), thread, '西から', '西の忍')
    await vi.waitUntil(() => heard.here.length >= 2 && heard.there.length >= 2, soon)
    // A duplicate would have arrived before the next post.
    await writeTo(kaede, thread, '締め')
    await vi.waitUntil(() => heard.here.includes('締め') && heard.there.includes('締め'), soon)
    for (const one of [heard.here, heard.there]) expect(one.toSorted()).toEqual(['東から', '西から', '締め'].toSorted())
  })

  it('a change on one invalidates the cache of the other', async () => {
    const kaede = visit(east)
    const thread = await startThread(kaede)
    expect(await postsOn(west, thread)).toEqual(['綺麗ですね'])
    await writeTo(kaede, thread, '雲が出た')
    await vi.waitUntil(async () => (await postsOn(west, thread)).includes('雲が出た'), soon)
  })

  it('a break that is too short for a heartbeat to be missing leaves nothing stale', async () => {
    const load = west.deps.cache.begin('/probe', 0)
    load.tags.add('probe')
    west.deps.cache.finish(load, [], Buffer.from('probe'))
    const observer = new Redis(redis.url)
    // They connect again after a tenth of a second.
    expect(await observer.call('CLIENT', 'KILL', 'TYPE', 'pubsub')).toBeGreaterThan(1)
    east.deps.cache.drop(['probe'], 'at once')
    observer.disconnect()
    await vi.waitUntil(() => west.deps.cache.peek('/probe') === undefined, soon)
  })

  it('limits count across both', async () => {
    const kaede = visit(east)
    const thread = await startThread(kaede)
    await writeTo(kaede, thread, '一')
    const there = atOther(kaede, west)
    for (const text of ['二', '三']) await writeTo(there, thread, text)
    // The opening post counts as well.
    for (const guest of [kaede, there]) {
      const answer = await guest.post(`/api/threads/${thread._id}/posts`, { content: '五', name: '名無しの忍者' })
      expect([answer.status, answer.body]).toMatchObject([429, { code: 'spam' }])
    }
  })

  it('a log-out at one closes the session’s sockets at the other', async () => {
    const thread = await startThread(visit(east))
    const member = await signUp(east)
    const socket = await reader(west, thread, atOther(member, west))
    const gone = new Promise<string>((resolve) => socket.once('disconnect', resolve))
    await member.post('/auth/logout')
    expect(await gone).toBe('io server disconnect')
  })

  it('a server that stops disconnects only its own readers, who reconnect by themselves', async () => {
    const kaede = visit(east)
    const thread = await startThread(kaede)
    const north = await openBoard({ DATABASE_URL: database.url, REDIS_URL: redis.url }, database)
    const [its, elsewhere] = [await reader(north, thread), await reader(west, thread)]
    const gone = new Promise<string>((resolve) => its.once('disconnect', resolve))
    await north.close()
    // A client opens such a connection again; one that the server ended on purpose it does not.
    expect(await gone).toBe('transport close')
    const heard = hear(elsewhere, 1)
    await writeTo(kaede, thread, '北は閉じた')
    expect((await heard)[0]!.content).toBe('北は閉じた')
  })

  it('the first event after a start arrives, even while the other server is about to read', async () => {
    const thread = await startThread(visit(east))
    const there = await reader(west, thread)
    const heard = new Promise<string>((resolve) => there.once('newPost', ({ content }) => resolve(content)))
    const observer = new Redis(redis.url)
    const reading = String(await observer.client('LIST')).matchAll(/^id=(\d+) .*cmd=xread /gmu)
    const ids = Array.from(reading, ([, id]) => Number(id))
    expect(ids).toHaveLength(2)
    // They connect again after a tenth of a second.
    for (const id of ids) await observer.client('KILL', 'ID', id)
    observer.disconnect()
    await writeTo(visit(east), thread, '一番乗り')
    expect(await heard).toBe('一番乗り')
  })

  it('a raid that is spread over both raises the shield of both', async () => {
    const boss = await signUp(east, '頭領', { isAdmin: true })
    const thread = await startThread(boss)
    const calm = { shieldAutomatic: true, shieldPostsPerMinute: [8, 100, 200] }
    expect((await boss.put('/api/admin/settings', calm)).status).toBe(200)
    await west.deps.revisions.settle()
    // Four attempts at each, of the eight that raise the first level.
    for (const board of [east, west]) {
      for (const raider of crowd(board, 4))
        await raider.post(`/api/threads/${thread._id}/posts`, { content: '荒らす', name: '影' })
    }
    const stepAt = (board: Board) => board.deps.shields.find(thread.categoryId)?.step ?? 0
    await vi.waitUntil(() => stepAt(east) === 1 && stepAt(west) === 1, soon)
  })

  it('a post that one has held is not published by the other when it is sent again after the rule has gone', async () => {
    const boss = await signUp(east, '頭領', { isAdmin: true })
    const rule = { word: '宣伝', action: 'hold', allow: [], note: '' }
    const { body: word } = await boss.post<{ _id: string }>('/api/admin/words', rule)
    const thread = await startThread(boss)
    const guest = visit(east)
    const post = { content: '宣伝です', name: '旅人', clientPostId: uuidv7(east.clock.now) }
    const url = `/api/threads/${thread._id}/posts`
    const held = await guest.post<HeldAnswer>(url, post)
    expect(held.status).toBe(202)
    await boss.delete(`/api/admin/words/${word._id}`)
    await west.deps.revisions.settle()
    await bothHearEachOther()
    const again = await atOther(guest, west).post<HeldAnswer>(url, post)
    expect([again.status, again.body]).toEqual([202, held.body])
    expect(await postsOn(west, thread)).toEqual(['綺麗ですね'])
  })

  describe('while Redis is unavailable', () => {
    afterEach(async () => {
      redis.thaw()
    })

    const outages: [name: string, begin: () => Promise<void>, end: () => Promise<void>][] = [
      ['killed', () => redis.kill(), () => redis.start()],
      ['frozen', async () => redis.freeze(), async () => redis.thaw()],
    ]

    it.each(outages)('(%s) each keeps working, and both catch up afterwards', async (_name, begin, end) => {
      const kaede = visit(east)
      const thread = await startThread(kaede)
      const [here, there] = [await reader(east, thread), await reader(west, thread)]
      expect(await postsOn(west, thread)).toHaveLength(1)
      waitForRedis(patience)
      await begin()

      // Readers at the same server get it live.
      const heard = hear(here, 1)
      await writeTo(kaede, thread, '闇の中')
      expect((await heard)[0]!.content).toBe('闇の中')
      // The other one caches nothing for longer than a second.
      west.clock.now += 1_100
      await vi.waitUntil(async () => (await postsOn(west, thread)).includes('闇の中'), soon)
      // Limits apply, per server.
      for (const text of ['二', '三', '四']) await writeTo(kaede, thread, text)
      const refused = await kaede.post(`/api/threads/${thread._id}/posts`, { content: '五', name: '名無しの忍者' })
      expect(refused.status).toBe(429)

      const reminded = new Promise<ThreadState>((resolve) => {
        there.on('threadChanged', (state) => {
          if (state.postCount === 5) resolve(state)
        })
      })
      await end()
      expect((await reminded).threadId).toBe(thread._id)
      await bothHearEachOther()
      await writeTo(visit(west), thread, '夜明け', '西の忍')
      await vi.waitUntil(async () => (await postsOn(east, thread)).includes('夜明け'), soon)
    })
  })
})

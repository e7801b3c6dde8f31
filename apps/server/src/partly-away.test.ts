import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { messages } from '@shinobi/contract/messages'
import type { Notices } from '@shinobi/contract/shields'
import type { Thread } from '@shinobi/contract/threads'
import type { Cluster } from './db/workers.ts'
import { reachOf } from './db/statement-reach.ts'
import type { Poller } from './lib/poller.ts'
import {
  openBoard,
  openTestDatabase,
  startThread,
  visit,
  writeTo,
  type Board,
  type Guest,
  type TestDatabase,
} from './testing/board.ts'
import { isOnCluster } from './testing/citus.ts'

/** One PostgreSQL that the board takes for a cluster of two workers, each with one thread. */
// A real cluster would be checked as well.
describe.skipIf(await isOnCluster())('while a worker of the cluster does not answer', () => {
  const away = new Set<number>()
  let database: TestDatabase
  let board: Board
  let guest: Guest
  let reachable: Thread
  let unreachable: Thread
  let checks: Poller

  beforeAll(async () => {
    database = await openTestDatabase()
    const cluster: Cluster = {
      findAway: async () => new Set(away),
      workerOf: async (threadId) => (threadId === unreachable._id ? 1 : 2),
      reachOf,
    }
    board = await openBoard({}, database)
    guest = visit(board)
    reachable = await startThread(guest, { title: '届くスレッド' })
    unreachable = await startThread(guest, { title: '届かないスレッド' })
    checks = database.workers.follow(cluster, board.deps.log)
    await guest.get('/api/threads')
    away.add(1)
    board.clock.now += 61_000
    await checks.poll()
  })
  afterAll(async () => {
    await checks.close()
    await board.close()
    await database.close()
  })

  it('the board is ready and says that it is degraded', async () => {
    const ready = async () => {
      const answer = await board.app.inject('/readyz')
      return [answer.statusCode, answer.json()]
    }
    await expect.poll(ready).toEqual([200, { status: 'degraded', workersAway: 1 }])
  })

  it('threads of the others are read', async () => {
    expect((await guest.get(`/api/threads/${reachable._id}`)).status).toBe(200)
    expect((await guest.get(`/api/threads/${reachable._id}/posts`)).status).toBe(200)
  })

  it('its threads get 503 in Japanese, with the time of the next try', async () => {
    const { status, body, headers } = await guest.get(`/api/threads/${unreachable._id}/posts`)
    expect({ status, body }).toEqual({ status: 503, body: { message: messages.unavailable, code: 'unavailable' } })
    expect(headers['retry-after']).toBe('5')
  })

  it('lists show what was there before, and every page can say so', async () => {
    const list = await guest.get<Thread[]>('/api/threads')
    expect(list.status).toBe(200)
    expect(list.body.map(({ title }) => title)).toEqual(expect.arrayContaining(['届くスレッド', '届かないスレッド']))
    expect((await guest.get<Notices>('/api/notices')).body.partlyAway).toBe(true)
  })

  it('everything is as before once it is back', async () => {
    away.clear()
    await checks.poll()
    board.clock.now += 1_000
    await writeTo(guest, unreachable, '届いた')
    const { body } = await guest.get<unknown[]>(`/api/threads/${unreachable._id}/posts`)
    expect(body).toHaveLength(2)
    expect((await guest.get<Notices>('/api/notices')).body.partlyAway).toBe(false)
    await expect.poll(async () => (await board.app.inject('/readyz')).json()).toEqual({ status: 'ready' })
  })
})

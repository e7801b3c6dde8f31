import { describe, expect } from 'vitest'
import type { ErrorAnswer } from '@shinobi/contract/errors'
import { messages } from '@shinobi/contract/messages'
import type { TraceOrder } from '@shinobi/contract/moderation'
import {
  connectTo,
  enter,
  openBoard,
  openTestDatabase,
  send,
  signUp,
  startThread,
  visit,
  writeTo,
} from '../../testing/board.ts'
import { boardTest } from '../../testing/fixtures.ts'

const HOUR = 3_600_000
const SUSPECT = '192.0.2.99'

const it = boardTest
  .extend('thread', ({ board }) => startThread(visit(board), { title: '怪しいスレッド' }))
  .extend('helpers', ({ board, admin, thread }) => {
    const start = (hours = 2) =>
      admin.post<TraceOrder & ErrorAnswer>(`/api/admin/threads/${thread._id}/tracing`, {
        reason: '犯行予告の疑い',
        hours,
      })
    const read = (reason = '警察からの照会') =>
      admin.post<{ traces: { number: number; address: string; agent: string; at: string }[] } & ErrorAnswer>(
        `/api/admin/threads/${thread._id}/traces`,
        { reason },
      )
    const end = () => admin.delete<ErrorAnswer>(`/api/admin/threads/${thread._id}/tracing`)
    /** Advances the clock, and renews the administrator's session. */
    async function pass(ms: number): Promise<void> {
      board.clock.now += ms
      await admin.post('/auth/refresh')
    }
    const list = async () => (await admin.get<{ orders: TraceOrder[] }>('/api/admin/tracing')).body.orders
    const stored = () => board.database.db.selectFrom('traces').selectAll().where('threadId', '=', thread._id).execute()
    const entries = async () =>
      board.database.db
        .selectFrom('auditLog')
        .select(['action', 'actorName', 'reason', 'details', 'isPublic'])
        .where('threadId', '=', thread._id)
        .orderBy('id')
        .execute()
    const suspect = () => ({
      post: (content: string) =>
        visit(board, SUSPECT).post(
          `/api/threads/${thread._id}/posts`,
          { content, name: `影${(names += 1)}` },
          { 'user-agent': 'Ninja Browser/1.0' },
        ),
    })
    return { start, read, end, pass, list, stored, entries, suspect }
  })

let names = 0

describe('temporary logging of a thread', () => {
  it('stores nothing without an order', async ({ helpers: { read, stored, suspect } }) => {
    await suspect().post('普通の書き込み')
    expect(await stored()).toEqual([])
    expect(await read()).toMatchObject({ status: 404, body: { message: messages.tracing_none } })
  })

  it('stores address and user agent of later posts, encrypted, and shows them to administrators who give a reason', async ({
    board,
    thread,
    helpers: { start, read, list, stored, suspect },
  }) => {
    await suspect().post('その前の書き込み')
    const answer = await start()
    expect(answer).toMatchObject({
      status: 200,
      body: {
        threadId: thread._id,
        title: '怪しいスレッド',
        reason: '犯行予告の疑い',
        createdBy: '半蔵',
        traces: 0,
      },
    })
    await board.deps.revisions.settle()
    await suspect().post('その後の書き込み')
    const rows = await stored()
    expect(rows).toHaveLength(1)
    expect(JSON.stringify(rows)).not.toMatch(/192\.0\.2|Ninja/)
    expect((await list()).find(({ threadId }) => threadId === thread._id)).toMatchObject({ traces: 1 })
    expect((await read()).body).toEqual({
      traces: [
        {
          postId: rows[0]!.postId,
          ...{ number: 3, address: SUSPECT, agent: 'Ninja Browser/1.0', at: new Date(board.clock.now).toISOString() },
        },
      ],
    })
  })

  it('applies to posts by socket, by members and by visitors alike, and to no other thread', async ({
    board,
    thread,
    helpers: { start, read, stored },
  }) => {
    await start()
    await board.deps.revisions.settle()
    const other = await startThread(visit(board))
    await writeTo(visit(board), other, 'よそのスレッド')
    const member = await signUp(board, undefined, { address: '192.0.2.55' })
    await writeTo(member, thread, '会員の書き込み')
    const socket = await connectTo(await board.listen())
    await enter(socket, thread._id)
    await send(socket, { threadId: thread._id, content: 'ソケットから', name: '風の忍' })
    socket.close()
    const { traces } = (await read()).body
    expect(traces.map(({ number }) => number)).toEqual([2, 3])
    expect(traces[0]!.address).toBe('192.0.2.55')
    expect(traces[1]!.address).toMatch(/127\.0\.0\.1$/)
    expect(await stored()).toHaveLength(2)
  })

  it('logs who read the entries, why, and how many they saw, but not the entries', async ({
    board,
    helpers: { start, read, entries, suspect },
  }) => {
    await start()
    await board.deps.revisions.settle()
    await suspect().post('一')
    await suspect().post('二')
    await read('一度目')
    await read('二度目')
    expect(await entries()).toMatchObject([
      { action: 'tracing_start', reason: '犯行予告の疑い', details: { hours: 2 }, isPublic: false },
      { action: 'traces_read', actorName: '半蔵', reason: '一度目', details: { traces: 2 } },
      { action: 'traces_read', actorName: '半蔵', reason: '二度目', details: { traces: 2 } },
    ])
    expect(JSON.stringify(await entries())).not.toContain(SUSPECT)
    expect((await read('')).body.code).toBe('bad_reason')
    expect(await entries()).toHaveLength(3)
  })

  it('deletes all entries when an administrator ends it, and stores no more', async ({
    board,
    helpers: { start, read, end, stored, entries, suspect },
  }) => {
    await start()
    await board.deps.revisions.settle()
    await suspect().post('一')
    expect((await end()).status).toBe(200)
    expect(await stored()).toEqual([])
    await suspect().post('二')
    expect(await stored()).toEqual([])
    expect((await read()).status).toBe(404)
    expect((await end()).body.message).toBe(messages.tracing_none)
    expect((await entries()).map(({ action, actorName }) => [action, actorName])).toEqual([
      ['tracing_start', '半蔵'],
      ['tracing_end', '半蔵'],
    ])
  })

  it('ends when it expires, and the log names no actor for this', async ({
    board,
    helpers: { start, read, pass, stored, entries, suspect },
  }) => {
    // The regular sweep is stopped: it could come before the test looks.
    await board.deps.ipLogging.close()
    await start(1)
    await board.deps.revisions.settle()
    await suspect().post('一')
    await pass(HOUR - 1)
    await board.deps.ipLogging.sweep()
    expect(await stored()).toHaveLength(1)
    await pass(1)
    // Entries are inaccessible from that moment, even before a sweep.
    expect((await read()).status).toBe(404)
    await suspect().post('二')
    expect(await stored()).toHaveLength(1)
    await Promise.all([board.deps.ipLogging.sweep(), board.deps.ipLogging.sweep()])
    expect(await stored()).toEqual([])
    expect((await entries()).map(({ action, actorName }) => [action, actorName])).toEqual([
      ['tracing_start', '半蔵'],
      ['tracing_end', null],
    ])
  })

  it('has one active order for a thread, and a new one can start after its end', async ({
    helpers: { start, pass },
  }) => {
    await start(1)
    expect(await start()).toMatchObject({
      status: 409,
      body: { code: 'already_done', message: messages.tracing_running },
    })
    await pass(HOUR)
    expect((await start()).status).toBe(200)
  })

  it('requires a reason, a duration and an existing thread', async ({ admin, thread }) => {
    const url = `/api/admin/threads/${thread._id}/tracing`
    expect((await admin.post(url, { reason: '', hours: 1 })).status).toBe(400)
    expect((await admin.post(url, { reason: '理由', hours: 721 })).status).toBe(400)
    expect((await admin.post(url, { reason: '理由' })).status).toBe(400)
    const nowhere = '/api/admin/threads/01900000-0000-7000-8000-00000000dead/tracing'
    expect((await admin.post(nowhere, { reason: '理由', hours: 1 })).status).toBe(404)
  })

  it('is refused to moderators, with 403', async ({ board, thread, helpers: { start } }) => {
    const moderator = await signUp(board, undefined, { moderates: 'all' })
    await start()
    for (const ask of [
      moderator.get('/api/admin/tracing'),
      moderator.post(`/api/admin/threads/${thread._id}/tracing`, { reason: '理由', hours: 1 }),
      moderator.post(`/api/admin/threads/${thread._id}/traces`, { reason: '理由' }),
      moderator.delete(`/api/admin/threads/${thread._id}/tracing`),
    ])
      expect((await ask).status).toBe(403)
  })
})

it('temporary logging applies on every server, and a server started later deletes entries of orders that ended before', async () => {
  const database = await openTestDatabase()
  const one = await openBoard({}, database)
  const two = await openBoard({}, database)
  const boss = await signUp(one, '頭領さん', { isAdmin: true })
  const logged = await startThread(visit(one))
  await boss.post(`/api/admin/threads/${logged._id}/tracing`, { reason: '理由', hours: 1 })
  await two.deps.revisions.settle()
  await writeTo(visit(two), logged, 'もう一台のサーバーから')
  const count = async () =>
    (await database.db.selectFrom('traces').select('postId').where('threadId', '=', logged._id).execute()).length
  expect(await count()).toBe(1)
  // The state after a crash between the end and the deletion.
  await database.db.updateTable('traceOrders').set({ endedAt: new Date() }).where('threadId', '=', logged._id).execute()
  const late = await openBoard({}, database)
  await late.deps.ipLogging.sweep()
  expect(await count()).toBe(0)
  for (const server of [one, two, late]) await server.close()
  await database.close()
})

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ErrorAnswer } from '@shinobi/contract/errors'
import { messages } from '@shinobi/contract/messages'
import type { TraceOrder } from '@shinobi/contract/moderation'
import type { Thread } from '@shinobi/contract/threads'
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
  type Board,
  type MemberGuest,
} from '../../testing/board.ts'

const HOUR = 3_600_000
const SUSPECT = '192.0.2.99'

let board: Board
let admin: MemberGuest
let thread: Thread
beforeAll(async () => {
  board = await openBoard({ SPAM_POSTS: '10000' })
  admin = await signUp(board, '頭領さん', { isAdmin: true })
})
beforeEach(async () => {
  thread = await startThread(visit(board), { title: '怪しいスレッド' })
})
afterAll(() => board.close())

const start = (hours = 2) =>
  admin.post<TraceOrder & ErrorAnswer>(`/api/admin/threads/${thread._id}/tracing`, { reason: '犯行予告の疑い', hours })
const read = (reason = '警察からの照会') =>
  admin.post<{ traces: { number: number; address: string; agent: string; at: string }[] } & ErrorAnswer>(
    `/api/admin/threads/${thread._id}/traces`,
    { reason },
  )
const end = () => admin.delete<ErrorAnswer>(`/api/admin/threads/${thread._id}/tracing`)
/** Time goes by; the administrator's browser renews its session. */
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
let names = 0

describe('temporary logging of a thread', () => {
  it('keeps nothing of anybody where there is none', async () => {
    await suspect().post('普通の書き込み')
    expect(await stored()).toEqual([])
    expect(await read()).toMatchObject({ status: 404, body: { message: messages.tracing_none } })
  })

  it('keeps address and agent of who writes from then on, sealed, and shows them to who gives a reason', async () => {
    await suspect().post('その前の書き込み')
    const answer = await start()
    expect(answer).toMatchObject({
      status: 200,
      body: {
        threadId: thread._id,
        title: '怪しいスレッド',
        reason: '犯行予告の疑い',
        createdBy: '頭領さん',
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

  it('holds for the socket too, for members and strangers alike, and for no other thread', async () => {
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

  it('tells of every reading who it was, why, and how many they saw, but not what', async () => {
    await start()
    await board.deps.revisions.settle()
    await suspect().post('一')
    await suspect().post('二')
    await read('一度目')
    await read('二度目')
    expect(await entries()).toMatchObject([
      { action: 'tracing_start', reason: '犯行予告の疑い', details: { hours: 2 }, isPublic: false },
      { action: 'traces_read', actorName: '頭領さん', reason: '一度目', details: { traces: 2 } },
      { action: 'traces_read', actorName: '頭領さん', reason: '二度目', details: { traces: 2 } },
    ])
    expect(JSON.stringify(await entries())).not.toContain(SUSPECT)
    expect((await read('')).body.code).toBe('bad_reason')
    expect(await entries()).toHaveLength(3)
  })

  it('forgets everything when an administrator ends it, and keeps nothing more', async () => {
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
      ['tracing_start', '頭領さん'],
      ['tracing_end', '頭領さん'],
    ])
  })

  it('ends by itself when its time is over, and the board says so', async () => {
    await start(1)
    await board.deps.revisions.settle()
    await suspect().post('一')
    await pass(HOUR - 1)
    await board.deps.ipLogging.sweep()
    expect(await stored()).toHaveLength(1)
    await pass(1)
    // From that moment on, sweep or not.
    expect((await read()).status).toBe(404)
    await suspect().post('二')
    expect(await stored()).toHaveLength(1)
    await Promise.all([board.deps.ipLogging.sweep(), board.deps.ipLogging.sweep()])
    expect(await stored()).toEqual([])
    expect((await entries()).map(({ action, actorName }) => [action, actorName])).toEqual([
      ['tracing_start', '頭領さん'],
      ['tracing_end', null],
    ])
  })

  it('runs once for a thread, and again after its end', async () => {
    await start(1)
    expect(await start()).toMatchObject({
      status: 409,
      body: { code: 'already_done', message: messages.tracing_running },
    })
    await pass(HOUR)
    expect((await start()).status).toBe(200)
  })

  it('asks for a reason, a time and a thread', async () => {
    const url = `/api/admin/threads/${thread._id}/tracing`
    expect((await admin.post(url, { reason: '', hours: 1 })).status).toBe(400)
    expect((await admin.post(url, { reason: '理由', hours: 721 })).status).toBe(400)
    expect((await admin.post(url, { reason: '理由' })).status).toBe(400)
    const nowhere = '/api/admin/threads/01900000-0000-7000-8000-00000000dead/tracing'
    expect((await admin.post(nowhere, { reason: '理由', hours: 1 })).status).toBe(404)
  })

  it('is for administrators alone', async () => {
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

it('holds on every server, and one that starts later sweeps what ran out while none was there', async () => {
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
  // What a crash between the end and the deletion leaves.
  await database.db.updateTable('traceOrders').set({ endedAt: new Date() }).where('threadId', '=', logged._id).execute()
  const late = await openBoard({}, database)
  await late.deps.ipLogging.sweep()
  expect(await count()).toBe(0)
  for (const server of [one, two, late]) await server.close()
  await database.close()
})

/** The limit of posts per thread: who still gets in, who is refused, and what stays open. */
import { describe, expect } from 'vitest'
import { THREAD_POSTS } from '@shinobi/contract/limits'
import { messages } from '@shinobi/contract/messages'
import type { HeldAnswer, Post } from '@shinobi/contract/posts'
import type { Thread } from '@shinobi/contract/threads'
import { inTransaction } from '../../db/transaction.ts'
import { uuidv7 } from '../../lib/uuid.ts'
import { connectTo, enter, hear, send, signUp, startThread, visit, writeTo, type Guest } from '../../testing/board.ts'
import { fillThread } from '../../testing/filled-thread.ts'
import { boardTest } from '../../testing/fixtures.ts'
import { countLockWaits } from '../../testing/lock-waits.ts'
import { prove } from '../../testing/raid.ts'
import { insertPosts } from './numbering.queries.ts'

interface Refusal {
  readonly code: string
  readonly message: string
}

const it = boardTest.extend('helpers', ({ board, admin, guest, database }) => {
  const setLimit = async (postLimit: number): Promise<void> => {
    expect((await admin.put('/api/admin/settings', { postLimit })).status).toBe(200)
    await board.deps.revisions.settle()
  }
  const find = async ({ _id }: { _id: string }): Promise<Thread> =>
    (await guest.get<Thread>(`/api/threads/${_id}`)).body
  const numbersOf = async ({ _id }: { _id: string }): Promise<number[]> => {
    const rows = await database.db.selectFrom('posts').select('number').where('threadId', '=', _id).execute()
    return rows.map(({ number }) => number).toSorted((a, b) => a - b)
  }
  const tryToWrite = (who: Guest, { _id }: { _id: string }, content: string) =>
    who.post<Refusal>(`/api/threads/${_id}/posts`, { content, name: '名無し' })
  return { setLimit, find, numbersOf, tryToWrite }
})
it.afterEach(async ({ helpers }) => {
  await helpers.setLimit(THREAD_POSTS)
})

const upTo = (last: number): number[] => Array.from({ length: last }, (_, index) => index + 1)

describe('twenty writers at 990 of 1,000 posts', () => {
  it('fill a thread to exactly 1,000, over HTTP and the socket of two servers, and the others are refused', async ({
    board,
    other,
    database,
    guest,
    helpers,
  }) => {
    const thread = await fillThread(board, guest, 990)
    const urls = [await board.listen(), await other.listen()]
    const overHttp = Array.from({ length: 10 }, (_, index) => {
      const writer = visit(index % 2 === 0 ? board : other, `198.51.100.${index}`)
      return async (): Promise<string> => {
        const { status, body } = await helpers.tryToWrite(writer, thread, `HTTPの${index}`)
        return status === 201 ? 'written' : `${status} ${body.code} ${body.message}`
      }
    })
    const sockets = await Promise.all(Array.from({ length: 10 }, (_, index) => connectTo(urls[index % 2]!)))
    const overSocket = sockets.map((socket, index) => async (): Promise<string> => {
      const answer = await send(socket, { threadId: thread._id, content: `ソケットの${index}`, name: '名無し' })
      return 'error' in answer ? `409 ${answer.error.code} ${answer.error.message}` : 'written'
    })
    const outcomes = await Promise.all([...overHttp, ...overSocket].map((write) => write()))
    for (const socket of sockets) socket.disconnect()
    expect(outcomes.filter((outcome) => outcome === 'written')).toHaveLength(10)
    expect(new Set(outcomes.filter((outcome) => outcome !== 'written'))).toEqual(
      new Set([`409 thread_full ${messages.thread_full(1_000)}`]),
    )
    expect(messages.thread_full(1_000)).toBe('このスレッドは1,000件に達しました。次のスレッドへどうぞ。')
    expect(await helpers.numbersOf(thread)).toEqual(upTo(1_000))
    // From the database: without a bus each server caches answers for itself.
    const row = await database.db.selectFrom('threads').selectAll().where('id', '=', thread._id).executeTakeFirst()
    expect(row).toMatchObject({ postCount: 1_000, revision: 1_001, closedAt: expect.any(Date) })
  })

  it('are answered alike when one statement has all of their posts', async ({ board, database, guest, helpers }) => {
    const thread = await fillThread(board, guest, 990)
    const open = await fillThread(board, guest, 10)
    const at = board.clock.now
    const post = (threadId: string, content: string) => ({
      ...{ threadId, id: uuidv7(at), name: null, content, image: null, userId: null, visitorId: uuidv7(at) },
      clientPostId: null,
    })
    const posts = Array.from({ length: 40 }, (_, index) => post(index % 2 === 0 ? thread._id : open._id, `${index}`))
    const placed = await insertPosts(database.db, posts, { at, postLimit: 1_000 })
    const inFull = placed.filter(({ id }) => posts.find((one) => one.id === id)?.threadId === thread._id)
    expect(inFull.filter(({ number }) => number === null)).toEqual(
      Array.from({ length: 10 }, () => ({
        ...{ id: expect.any(String), number: null, isLocked: false, fullAt: 1_000 },
      })).map((one) => expect.objectContaining(one)),
    )
    expect(await helpers.numbersOf(thread)).toEqual(upTo(1_000))
    expect(await helpers.numbersOf(open)).toEqual(upTo(30))
    const states = placed.flatMap((one) => (one.number === null || !inFull.includes(one) ? [] : [one]))
    // Only the last post shows clients that the thread has changed beyond its posts.
    expect(states.toSorted((a, b) => a.number - b.number).map(({ number, revision }) => revision - number)).toEqual([
      ...Array.from({ length: 9 }, () => 0),
      1,
    ])
  })
})

describe('a full thread', () => {
  it('tells its readers with the last post that it has changed, and stays open for likes and reports', async ({
    board,
    guest,
    helpers,
  }) => {
    const thread = await fillThread(board, guest, 999)
    const reader = await connectTo(await board.listen(), guest)
    await enter(reader, thread._id)
    const states: { postCount: number; revision: number }[] = []
    reader.on('newPost', (_, state) => void states.push(state))
    const heard = hear(reader, 1)
    const post = await writeTo(guest, thread, '最後の一言', '名無し')
    await heard
    reader.disconnect()
    expect(states).toEqual([{ threadId: thread._id, postCount: 1_000, revision: 1_001 }])
    expect(await helpers.find(thread)).toMatchObject({ postCount: 1_000, revision: 1_001, locked: false })
    const member = await signUp(board)
    expect((await member.post(`/api/threads/${thread._id}/like`)).status).toBe(200)
    expect((await member.post(`/api/threads/${thread._id}/posts/${post._id}/like`)).status).toBe(200)
    const report = await guest.post(`/api/threads/${thread._id}/posts/${post._id}/report`, { reason: '荒らしです' })
    expect(report.status).toBeLessThan(300)
  })

  it('returns a post that was sent before the thread was full, when it is sent again', async ({ board, guest }) => {
    const thread = await fillThread(board, guest, 999)
    const input = { content: '滑り込み', name: '名無し', clientPostId: uuidv7(board.clock.now) }
    const first = await guest.post<Post>(`/api/threads/${thread._id}/posts`, input)
    const again = await guest.post<Post>(`/api/threads/${thread._id}/posts`, input)
    expect([first.status, again.status]).toEqual([201, 201])
    expect(again.body).toEqual(first.body)
  })

  it('refuses administrators too, and the approval of a post that was held before', async ({
    board,
    admin,
    guest,
    helpers,
  }) => {
    const thread = await fillThread(board, guest, 999)
    await admin.put(`/api/admin/shields/${thread.categoryId}`, { step: 3 })
    const newcomer = visit(board, '198.51.100.77')
    await prove(newcomer)
    const held = await helpers.tryToWrite(newcomer, thread, '確認待ちの一言')
    await admin.put(`/api/admin/shields/${thread.categoryId}`, { step: null })
    await writeTo(admin, thread, '千番目')
    expect((await helpers.tryToWrite(admin, thread, '千一番目')).body.code).toBe('thread_full')
    expect(held.status).toBe(202)
    const { _id } = (held.body as unknown as HeldAnswer).held
    const answer = await admin.post<Refusal>(`/api/admin/held/${_id}/decision`, { action: 'approve' })
    expect(answer.body).toMatchObject({ code: 'thread_full', message: messages.thread_full(1_000) })
    expect(await helpers.numbersOf(thread)).toEqual(upTo(1_000))
  })
})

describe('a changed limit', () => {
  it('lets a thread above it take one last post, and leaves closed threads closed when it is raised', async ({
    board,
    guest,
    helpers,
  }) => {
    const thread = await fillThread(board, guest, 150)
    await helpers.setLimit(100)
    expect(await helpers.find(thread)).toMatchObject({ postLimit: 100, closedAt: null })
    expect((await writeTo(guest, thread, '最後', '名無し')).number).toBe(151)
    expect(await helpers.tryToWrite(guest, thread, '遅れた')).toMatchObject({
      ...{ status: 409, body: { code: 'thread_full', message: messages.thread_full(151) } },
    })
    const young = await fillThread(board, guest, 99)
    await helpers.setLimit(200)
    expect(await helpers.find(thread)).toMatchObject({ postLimit: 151, postCount: 151, closedAt: expect.any(String) })
    expect((await helpers.tryToWrite(guest, thread, 'まだ？')).body.code).toBe('thread_full')
    await writeTo(guest, young, '百番目', '名無し')
    expect(await helpers.find(young)).toMatchObject({ postLimit: 200, postCount: 100, closedAt: null })
  })

  it('of a category takes the place of the board’s, also for a thread that is moved there', async ({
    board,
    database,
    admin,
    guest,
    helpers,
  }) => {
    const created = await admin.post<{ _id: string; name: string }>('/api/admin/categories', {
      ...{ name: 'jikkyo', description: '実況', postLimit: 120 },
    })
    expect(created.body).toMatchObject({ postLimit: 120 })
    const thread = await fillThread(board, guest, 119, { category: 'jikkyo' })
    expect(thread.postLimit).toBe(120)
    await writeTo(guest, thread, '百二十番目', '名無し')
    expect((await helpers.tryToWrite(guest, thread, 'もう一つ')).body.message).toBe(messages.thread_full(120))
    const change = await admin.put(`/api/admin/categories/${created.body._id}`, { postLimit: 100 })
    expect(change).toMatchObject({ status: 200, body: { name: 'jikkyo', postLimit: 100 } })
    const moved = await fillThread(board, guest, 130)
    await admin.put(`/api/admin/threads/${moved._id}`, { categoryId: created.body._id })
    expect(await helpers.find(moved)).toMatchObject({ postLimit: 100, closedAt: null })
    await writeTo(guest, moved, '最後', '名無し')
    expect((await helpers.tryToWrite(guest, moved, '遅れた')).body.message).toBe(messages.thread_full(131))
    await admin.put(`/api/admin/categories/${created.body._id}`, { postLimit: null })
    expect(await helpers.find(await startThread(guest, { category: 'jikkyo' }))).toMatchObject({ postLimit: 1_000 })
    const { details } = await database.db
      .selectFrom('auditLog')
      .select('details')
      .where('action', '=', 'category_change')
      .orderBy('id')
      .executeTakeFirstOrThrow()
    expect(details).toEqual({ before: { postLimit: 120 }, after: { postLimit: 100 } })
  })

  it('is refused outside of 100 to 10,000', async ({ admin }) => {
    for (const postLimit of [99, 10_001, 100.5]) {
      expect(await admin.put<Refusal>('/api/admin/settings', { postLimit })).toMatchObject({
        ...{ status: 400, body: { message: messages.setting_range(100, 10_000) } },
      })
      expect((await admin.post('/api/admin/categories', { name: 'x', postLimit })).status).toBe(400)
    }
  })

  it('does not lose a post into a thread that is moved at the same moment', async ({ database, admin, guest }) => {
    const { body } = await admin.get<{ categories: { _id: string }[] }>('/api/admin/categories')
    const thread = await startThread(guest)
    const target = body.categories.find(({ _id }) => _id !== thread.categoryId)!
    const { promise: moved, resolve: letGo } = Promise.withResolvers<void>()
    const { promise: isHeld, resolve: hold } = Promise.withResolvers<void>()
    const moving = inTransaction(database.db, async (tx) => {
      await tx.updateTable('threads').set({ categoryId: target._id }).where('id', '=', thread._id).execute()
      hold()
      await moved
    })
    await isHeld
    const writing = writeTo(guest, thread, '引っ越しの最中', '名無し')
    await expect.poll(() => countLockWaits(database.db)).toBeGreaterThan(0)
    letGo()
    await moving
    expect((await writing).number).toBe(2)
  })
})

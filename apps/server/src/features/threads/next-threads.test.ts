/** Next threads (次スレ) and past logs (過去ログ). */
import { describe, expect } from 'vitest'
import { messages } from '@shinobi/contract/messages'
import type { Thread, ThreadItem } from '@shinobi/contract/threads'
import { connectTo, enter, startThread, visit, writeTo, type Guest } from '../../testing/board.ts'
import { inTransaction } from '../../db/transaction.ts'
import { uuidv7 } from '../../lib/uuid.ts'
import { fillThread } from '../../testing/filled-thread.ts'
import { boardTest } from '../../testing/fixtures.ts'
import { countLockWaits } from '../../testing/lock-waits.ts'
import { insertPosts } from '../posts/numbering.queries.ts'
import { lockStandingThread } from './thread-locks.queries.ts'

const it = boardTest.extend('helpers', ({ guest }) => ({
  find: async ({ _id }: { _id: string }): Promise<Thread> => (await guest.get<Thread>(`/api/threads/${_id}`)).body,
  tryToContinue: (who: Guest, previousThreadId: string, title = '次のスレ') =>
    who.form<Thread & { code: string; message: string }>('/api/threads', {
      ...{ title, content: '続き', category: 'general', previousThreadId },
    }),
}))
it.beforeEach(({ board }) => {
  board.clock.now += 20_000
})

const linkTo = ({ _id, title }: Thread) => ({ _id, title })

describe('a next thread', () => {
  it('links both threads, and readers of the old one are told', async ({ board, guest, helpers }) => {
    const old = await fillThread(board, guest, 950, { title: '月見 Part 1' })
    const reader = await connectTo(await board.listen(), guest)
    await enter(reader, old._id)
    const changed = new Promise((resolve) => void reader.once('threadChanged', resolve))
    const answer = await helpers.tryToContinue(guest, old._id, '月見 Part 2')
    expect(answer.status).toBe(201)
    expect(answer.body).toMatchObject({ previous: linkTo(old), next: null })
    expect(await changed).toEqual({ threadId: old._id, postCount: 950, revision: 951 })
    reader.disconnect()
    expect(await helpers.find(old)).toMatchObject({ previous: null, next: linkTo(answer.body), revision: 951 })
  })

  it('is one: of two at once one wins, and the other is told and opens nothing', async ({ board, guest, helpers }) => {
    const old = await fillThread(board, guest, 950)
    const before = await guest.get<ThreadItem[]>('/api/threads?limit=100')
    const writers = Array.from({ length: 8 }, (_, index) => visit(board, `198.51.100.${index}`))
    const answers = await Promise.all(writers.map((writer) => helpers.tryToContinue(writer, old._id)))
    const winners = answers.filter(({ status }) => status === 201)
    expect(winners).toHaveLength(1)
    for (const { status, body } of answers.filter((answer) => !winners.includes(answer))) {
      expect([status, body.code, body.message]).toEqual([409, 'has_next', messages.next_thread_exists])
    }
    expect((await helpers.find(old)).next).toEqual(linkTo(winners[0]!.body))
    board.clock.now += 2_000
    const after = await guest.get<ThreadItem[]>('/api/threads?limit=100')
    expect(after.body).toHaveLength(before.body.length + 1)
  })

  it('is opened while the same server writes posts into the old one: neither waits for the other for ever', async ({
    database: { db },
    board,
    guest,
    helpers,
  }) => {
    const old = await fillThread(board, guest, 950)
    // What follows the posts before would wait for the lock, too.
    await board.settle()
    const at = board.clock.now
    const post = { threadId: old._id, id: uuidv7(at), name: null, content: '実況', image: null }
    const { opening } = await inTransaction(db, async (tx) => {
      await lockStandingThread(tx, old._id)
      const opening = helpers.tryToContinue(guest, old._id)
      await expect.poll(() => countLockWaits(db)).toBe(1)
      const nobody = { userId: null, clientPostId: null, visitorId: uuidv7(at) }
      await insertPosts(tx, [{ ...post, ...nobody }], { at, postLimit: 1_000 })
      return { opening }
    })
    expect((await opening).status).toBe(201)
    expect(await helpers.find(old)).toMatchObject({ postCount: 951, next: linkTo((await opening).body) })
  })

  it('is opened without a link below 95 %, after a removed thread, and after one that never was', async ({
    board,
    guest,
    admin,
    helpers,
  }) => {
    const young = await fillThread(board, guest, 949)
    const removed = await fillThread(board, guest, 950)
    await admin.delete(`/api/admin/threads/${removed._id}`)
    for (const id of [young._id, removed._id, crypto.randomUUID()]) {
      expect(await helpers.tryToContinue(guest, id)).toMatchObject({ status: 201, body: { previous: null } })
    }
    expect(await helpers.find(young)).toMatchObject({ next: null, revision: 949 })
  })

  it('that is removed disappears from the old one, and makes room for another', async ({
    board,
    guest,
    admin,
    helpers,
  }) => {
    const old = await fillThread(board, guest, 1_000 - 1)
    await writeTo(guest, old, '千', '名無し')
    const first = await helpers.tryToContinue(guest, old._id, 'ふざけたスレ')
    expect((await helpers.find(old)).next).toEqual(linkTo(first.body))
    await admin.delete(`/api/admin/threads/${first.body._id}`)
    expect((await helpers.find(old)).next).toBeNull()
    const second = await helpers.tryToContinue(guest, old._id, 'まじめなスレ')
    expect((await helpers.find(old)).next).toEqual(linkTo(second.body))
    await admin.delete(`/api/admin/threads/${old._id}`)
    expect((await helpers.find(second.body)).previous).toBeNull()
  })

  it('that is held links on approval, unless another one was opened meanwhile', async ({
    board,
    guest,
    admin,
    helpers,
  }) => {
    for (const isTaken of [false, true]) {
      const old = await fillThread(board, guest, 950)
      await admin.post('/api/admin/words', { word: `伏せ札${isTaken}`, action: 'hold' })
      await board.deps.revisions.settle()
      const held = await helpers.tryToContinue(guest, old._id, `伏せ札${isTaken}の続き`)
      expect(held.status).toBe(202)
      const { _id } = (held.body as unknown as { held: { _id: string } }).held
      const rival = isTaken ? await helpers.tryToContinue(visit(board), old._id) : null
      const decision = await admin.post(`/api/admin/held/${_id}/decision`, { action: 'approve' })
      expect(decision.status).toBe(200)
      const next = (await helpers.find(old)).next
      if (rival === null) expect(next?.title).toBe(`伏せ札${isTaken}の続き`)
      else expect(next?._id).toBe(rival.body._id)
    }
  })
})

describe('the list of past logs', () => {
  it('has the closed threads, the last closed first, page by page, of the board and of a category', async ({
    board,
    guest,
    admin,
  }) => {
    await admin.put('/api/admin/settings', { postLimit: 100 })
    await board.deps.revisions.settle()
    const close = async (category: string): Promise<string> => {
      const thread = await fillThread(board, guest, 99, { category })
      board.clock.now += 1_000
      await writeTo(guest, thread, '百', '名無し')
      return thread._id
    }
    const [one, two, three] = [await close('general'), await close('rant'), await close('general')]
    await startThread(guest)
    board.clock.now += 2_000
    const list = async (url: string) => guest.get<ThreadItem[]>(url)
    const ids = (items: readonly ThreadItem[]): string[] => items.map(({ _id }) => _id)
    const first = await list('/api/threads?state=past&limit=2')
    expect(ids(first.body)).toEqual([three, two])
    const next = /<([^>]+)>; rel="next"/.exec(first.headers['link'] ?? '')?.[1] ?? ''
    const second = await list(next)
    expect(ids(second.body)[0]).toBe(one)
    expect(second.body.every(({ closedAt }) => closedAt !== null)).toBe(true)
    expect(ids((await list('/api/categories/rant/threads?state=past')).body)).toEqual([two])
    // Closed threads stay in the ordinary lists, and are found.
    expect(ids((await list('/api/categories/rant/threads')).body)).toContain(two)
    await board.settle()
    expect(ids((await list(`/api/threads?search=${encodeURIComponent('百')}&limit=100`)).body)).toEqual(
      expect.arrayContaining([one, two, three]),
    )
    await admin.delete(`/api/admin/threads/${three}`)
    expect(ids((await list('/api/threads?state=past&limit=2')).body)[0]).toBe(two)
    for (const cursor of ['n0.x', 'z1.x', 'nonsense']) {
      expect((await list(`/api/threads?state=past&cursor=${cursor}`)).status).toBe(400)
    }
  })
})

import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect } from 'vitest'
import type { Post } from '@shinobi/contract/posts'
import type { AdminCategory } from '@shinobi/contract/categories'
import {
  giveLevel,
  openTestDatabase,
  signUp,
  START,
  startThread,
  visit,
  writeTo,
  type Guest,
} from '../../testing/board.ts'
import { boardTest } from '../../testing/fixtures.ts'
import { computeId, createPosterIds } from './poster-ids.ts'

const DAY_MS = 86_400_000

const it = boardTest.extend('helpers', () => {
  let people = 0
  const newName = (): string => `影${(people += 1)}`
  /** The ID of a new post of somebody in a thread. */
  const idOf = async (guest: Guest, thread: { readonly _id: string }): Promise<string | undefined> => {
    const post: Post = await writeTo(guest, thread, '草', newName())
    return post.posterId
  }
  return { idOf, newName }
})

describe('an ID', () => {
  it('is the same for all posts of a browser with a level, and differs between neighbours', async ({
    board,
    helpers: { idOf },
  }) => {
    const thread = await startThread(visit(board))
    const [one, other] = [visit(board, '198.51.100.1'), visit(board, '198.51.100.1')]
    for (const guest of [one, other]) {
      await idOf(guest, thread)
      await giveLevel(board, guest, 1)
    }
    const ids = [await idOf(one, thread), await idOf(other, thread), await idOf(one, thread)]
    expect(ids[0]).toMatch(/^[\w-]{8}$/)
    expect(ids[2]).toBe(ids[0])
    expect(ids[1]).not.toBe(ids[0])
  })

  it('is shared by all new browsers of a network, so that a new cookie makes no new person', async ({
    board,
    helpers: { idOf },
  }) => {
    const thread = await startThread(visit(board))
    const idsFrom = async (...addresses: string[]) => {
      const ids = []
      for (const address of addresses) ids.push(await idOf(visit(board, address), thread))
      return new Set(ids)
    }
    const here = await idsFrom('198.51.100.1', '198.51.100.1', '198.51.100.254')
    const there = await idsFrom('2001:db8:1:1::1', '2001:db8:1:ffff::2')
    const far = await idsFrom('198.51.101.1', '2001:db8:2::1')
    expect([here.size, there.size, far.size]).toEqual([1, 1, 2])
    expect(new Set([...here, ...there, ...far]).size).toBe(4)
  })

  it('is that of the network on the day of a move, so that one level makes one person of many browsers', async ({
    board,
    helpers: { idOf },
  }) => {
    const thread = await startThread(visit(board))
    const here = '198.51.100.1'
    const shared = await idOf(visit(board, here), thread)
    let [holder, next] = [visit(board, here), visit(board, here)]
    await idOf(holder, thread)
    await giveLevel(board, holder, 3)
    expect(await idOf(holder, thread)).not.toBe(shared)
    for (let hop = 0; hop < 3; hop += 1) {
      const { phrase } = (await holder.post<{ phrase: string }>('/api/scroll/phrase')).body
      expect((await next.post('/api/scroll/claim', { phrase })).status).toBe(200)
      expect(await Promise.all([idOf(holder, thread), idOf(next, thread)])).toEqual([shared, shared])
      holder = next
      next = visit(board, here)
    }
    board.clock.now += DAY_MS
    expect(await idOf(holder, thread)).not.toBe(await idOf(next, thread))
    board.clock.now = START
  })

  it('differs between threads and between days, which begin at midnight in Japan', async ({
    board,
    helpers: { idOf },
  }) => {
    const guest = visit(board)
    const [one, other] = [await startThread(guest), await startThread(guest)]
    const first = await idOf(guest, one)
    expect(await idOf(guest, other)).not.toBe(first)
    // START is 13:03 in Japan.
    board.clock.now = START + 10.9 * 3_600_000
    expect(await idOf(guest, one)).toBe(first)
    board.clock.now = START + 11 * 3_600_000
    const next = await idOf(guest, one)
    expect(next).not.toBe(first)
    board.clock.now = START
  })

  it('is not shown, or spans the threads of a category, where the category says so', async ({
    board,
    admin,
    helpers: { idOf },
  }) => {
    const { body } = await admin.get<{ categories: AdminCategory[] }>('/api/admin/categories')
    const { _id } = body.categories.find(({ name }) => name === 'rant')!
    const change = (posterIds: string) => admin.put(`/api/admin/categories/${_id}`, { posterIds })
    const guest = visit(board)
    const [one, other] = [
      await startThread(guest, { category: 'rant' }),
      await startThread(guest, { category: 'rant' }),
    ]
    expect((await change('day')).status).toBe(200)
    const id = await idOf(guest, one)
    expect(id).toMatch(/^[\w-]{8}$/)
    expect(await idOf(guest, other)).toBe(id)
    await change('off')
    expect(await idOf(guest, await startThread(guest, { category: 'rant' }))).toBeUndefined()
    expect((await change('never')).status).toBe(400)
    await change('thread')
  })

  it('says how often it has written, without removed posts', async ({ board, admin, helpers: { idOf, newName } }) => {
    const thread = await startThread(visit(board, '192.0.2.1'))
    const guest = visit(board, '192.0.2.200')
    await idOf(visit(board, '198.51.100.1'), thread)
    await idOf(guest, thread)
    const gone = await writeTo(guest, thread, '荒らし', newName())
    await idOf(guest, thread)
    const read = async () => {
      const { body } = await visit(board).get<Post[]>(`/api/threads/${thread._id}/posts?after=1`)
      return body.map(({ number, posterNth, posterTotal }) => [number, posterNth, posterTotal])
    }
    // The opening post is of the same network.
    expect(await read()).toEqual([
      [2, 1, 1],
      [3, 2, 4],
      [4, 3, 4],
      [5, 4, 4],
    ])
    await admin.post(`/api/admin/posts/${gone._id}/remove`, { rule: 'spam' })
    await admin.delete(`/api/admin/posts/${gone._id}`)
    board.clock.now += 1_100
    expect(await read()).toEqual([
      [2, 1, 1],
      [3, 2, 3],
      [4, undefined, undefined],
      [5, 3, 3],
    ])
  })

  it('is not shown on posts of the staff', async ({ board, admin }) => {
    const thread = await startThread(admin)
    const { body } = await admin.post<Post>(`/api/threads/${thread._id}/posts`, { content: '運営です', asStaff: true })
    expect(body).toMatchObject({ staff: true })
    expect(body.posterId).toBeUndefined()
    expect((await writeTo(await signUp(board, '楓の葉'), thread, '会員です')).posterId).toMatch(/^[\w-]{8}$/)
  })
})

describe('the key of a day', () => {
  it('is deleted when the day is over, so that its IDs cannot be computed again', async () => {
    const database = await openTestDatabase()
    const clock = { now: START }
    const open = () => createPosterIds({ db: database.db, now: () => clock.now })
    const place = { posterIds: 'thread', categoryId: 'c', threadId: 't' } as const
    const ids = open()
    const [first, again] = [await ids.idOf('browser a', place), await open().idOf('browser a', place)]
    expect(again).toBe(first)
    const keys = () => database.db.selectFrom('dayKeys').select('day').execute()
    expect(await keys()).toHaveLength(1)
    clock.now = START + DAY_MS
    // The sweep alone deletes it, without a post.
    await ids.sweep!(clock.now, new AbortController().signal)
    expect(await keys()).toEqual([])
    clock.now = START
    expect(await open().idOf('browser a', place)).not.toBe(first)
    await database.close()
  })

  it('leaves with the file of its table, in which a deleted row could be read, while that of today stays', async () => {
    const database = await openTestDatabase()
    const clock = { now: START }
    const ids = createPosterIds({ db: database.db, now: () => clock.now })
    const sweep = () => ids.sweep!(clock.now, new AbortController().signal)
    const place = { posterIds: 'thread', categoryId: 'c', threadId: 't' } as const
    const fileOf = async () =>
      (await sql<{ file: string }>`select pg_relation_filenode('"dayKeys"')::text as file`.execute(database.db))
        .rows[0]!.file
    await ids.idOf('browser a', place)
    await sweep()
    const file = await fileOf()
    await sweep()
    expect(await fileOf()).toBe(file)
    clock.now += DAY_MS
    const id = await ids.idOf('browser a', place)
    await sweep()
    expect(await fileOf()).not.toBe(file)
    expect(await createPosterIds({ db: database.db, now: () => clock.now }).idOf('browser a', place)).toBe(id)
    await database.close()
  })

  it(
    'gives a million people of a day no more equal IDs than chance, in any thread, category or day',
    { timeout: 120_000 },
    async () => {
      const database = await openTestDatabase()
      const clock = { now: START }
      const ids = createPosterIds({ db: database.db, now: () => clock.now })
      const key = randomBytes(32)
      const seen = new Set<string>()
      for (let index = 0; index < 1_000_000; index += 1) seen.add(computeId(key, `browser ${index}`))
      // 10^12 / 2 pairs of 2^48 values: two are equal once in 560 times, and more than two hardly
      // ever.
      expect(seen.size).toBeGreaterThanOrEqual(999_999)
      await fc.assert(
        fc.asyncProperty(fc.string(), fc.uuid(), fc.uuid(), fc.nat(3_000), async (poster, one, other, days) => {
          fc.pre(one !== other)
          const idIn = (threadId: string, categoryId: string, posterIds: 'thread' | 'day') =>
            ids.idOf(poster, { posterIds, categoryId, threadId })
          clock.now = START + days * DAY_MS
          const today = [
            await idIn(one, one, 'thread'),
            await idIn(other, one, 'thread'),
            await idIn(one, one, 'day'),
            await idIn(one, other, 'day'),
          ]
          clock.now += DAY_MS
          const all = [...today, await idIn(one, one, 'thread'), await idIn(one, one, 'day')]
          expect(new Set(all).size).toBe(6)
        }),
        { numRuns: 100 },
      )
      await database.close()
    },
  )
})

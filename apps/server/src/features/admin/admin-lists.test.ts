import { describe, expect } from 'vitest'
import type { AdminPost, AdminThread, AdminUser, Dashboard } from '@shinobi/contract/admin'
import type { Pagination } from '@shinobi/contract/common'
import type { Thread } from '@shinobi/contract/threads'
import { recount, tally, tallyQuery } from '../../db/tallies.ts'
import { inTransaction } from '../../db/transaction.ts'
import { uuidv7 } from '../../lib/uuid.ts'
import { openBoard, PASSWORD, signUp, startThread, visit, writeTo, type MemberGuest } from '../../testing/board.ts'
import { boardTest } from '../../testing/fixtures.ts'
import { sql } from 'kysely'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

const it = boardTest
  .extend('categoryIds', { scope: 'file' }, async ({ board }) => {
    const rows = await board.database.db.selectFrom('categories').select(['id', 'name']).execute()
    return new Map(rows.map(({ id, name }) => [name, id]))
  })
  .extend('helpers', ({ board, admin }) => {
    /** Advances the clock of a board whose work is done, and logs the member in again. */
    async function pass(guest: MemberGuest, milliseconds: number, { clock, settle } = board): Promise<void> {
      await settle()
      clock.now += milliseconds
      const answer = await guest.post('/auth/login', { username: guest.name, password: PASSWORD })
      expect(answer.status).toBe(200)
    }
    const readUsers = async (query = ''): Promise<UsersAnswer> =>
      (await admin.get<UsersAnswer>(`/api/admin/users${query}`)).body
    const readFigures = async (): Promise<Dashboard> =>
      (await admin.get<{ stats: Dashboard }>('/api/admin/dashboard')).body.stats
    /** Hides a thread from every list, as its removal does. */
    const hideThread = (thread: Thread): Promise<void> =>
      inTransaction(board.database.db, async (tx) => {
        await tx.updateTable('threads').set({ removedAt: new Date() }).where('id', '=', thread._id).execute()
        await tally(tx, 'threads', [thread._id], -1)
        const visible = sql`(select id from posts where "threadId" = ${thread._id}::uuid and "deletedAt" is null)`
        await tallyQuery(tx, 'posts', visible, -1)
      })
    return { pass, readUsers, readFigures, hideThread }
  })
// Ids sort by time: rows of a test are newer than those of the tests before.
it.beforeEach(({ admin, helpers: { pass } }) => pass(admin, 1_000))

interface UsersAnswer {
  readonly users: AdminUser[]
  readonly pagination: Pagination
}
interface ThreadsAnswer {
  readonly threads: AdminThread[]
  readonly pagination: Pagination
}
interface PostsAnswer {
  readonly posts: AdminPost[]
  readonly pagination: Pagination
}
const readThreads = async (guest: MemberGuest, query = ''): Promise<ThreadsAnswer> =>
  (await guest.get<ThreadsAnswer>(`/api/admin/threads${query}`)).body
const readPosts = async (guest: MemberGuest, query = ''): Promise<PostsAnswer> =>
  (await guest.get<PostsAnswer>(`/api/admin/posts${query}`)).body

describe('the list of users', () => {
  it('shows names, roles, bans and second factors', async ({ board, categoryIds, helpers: { readUsers } }) => {
    const plain = await signUp(board, '楓の葉', { isConfirmed: false })
    const moderator = await signUp(board, '椿の花', { moderates: [categoryIds.get('general')!] })
    const { db } = board.database
    const at = new Date(board.clock.now)
    const ban = { kind: 'user', label: '', scope: 'site', reason: '荒らし', createdAt: at } as const
    await db
      .insertInto('bans')
      .values([
        { ...ban, id: uuidv7(board.clock.now), subject: plain.userId, expiresAt: null },
        { ...ban, id: uuidv7(board.clock.now), subject: moderator.userId, expiresAt: at },
      ])
      .execute()
    await db
      .insertInto('secondFactors')
      .values({ userId: moderator.userId, sealedSecret: '', createdAt: at, confirmedAt: at })
      .execute()
    const { users } = await readUsers('?limit=2')
    expect(users).toEqual([
      {
        ...{ _id: moderator.userId, name: '椿の花', email: `${moderator.userId}@example.jp`, picture: null },
        ...{ isAdmin: false, moderates: [categoryIds.get('general')], secondFactorMissing: false },
        ...{ createdAt: at.toISOString(), secondFactor: true, banned: false, emailVerified: true },
      },
      {
        ...{ _id: plain.userId, name: '楓の葉', email: `${plain.userId}@example.jp`, picture: null },
        ...{ isAdmin: false, moderates: null, secondFactorMissing: false },
        ...{ createdAt: at.toISOString(), secondFactor: false, banned: true, emailVerified: false },
      },
    ])
  })

  it('shows 20 on a page, and each user on one page', async ({ board, admin, helpers: { pass, readUsers } }) => {
    for (let count = 0; count < 25; count += 1) {
      await pass(admin, 700_000)
      await signUp(board)
    }
    const rows = await board.database.db.selectFrom('users').select('id').orderBy('id', 'desc').execute()
    const first = await readUsers()
    expect(first.pagination).toEqual({ page: 1, totalPages: 2, total: rows.length })
    expect(first.users).toHaveLength(20)
    const second = await readUsers('?page=2')
    expect([...first.users, ...second.users].map(({ _id }) => _id)).toEqual(rows.map(({ id }) => id))
    expect((await readUsers('?page=3')).users).toEqual([])
  })

  it('finds members by the beginning of the name or mail address, in every spelling', async ({
    board,
    helpers: { readUsers },
  }) => {
    const kaede = await signUp(board, 'Kaede Rin')
    const other = await signUp(board, 'かえでもち')
    const found = async (q: string) => (await readUsers(`?q=${encodeURIComponent(q)}`)).users.map(({ _id }) => _id)
    expect(await found('ｋａｅ')).toEqual([kaede.userId])
    expect(await found('カエデ')).toEqual([other.userId])
    expect(await found(kaede.userId.toUpperCase())).toEqual([kaede.userId])
    expect(await found('aede')).toEqual([])
    expect(await found('%')).toEqual([])
    expect(await found('\0')).toEqual([])
    expect((await readUsers('?q=')).users.length).toBeGreaterThan(2)
  })
})

describe('the lists of threads and posts for the administration', () => {
  it('show category, creator, thread and poster, and omit what was removed', async ({
    board,
    admin,
    categoryIds,
    helpers: { hideThread },
  }) => {
    const member = await signUp(board, '紅葉の里')
    const stranger = visit(board)
    const mine = await startThread(member, { title: '会員の立てたスレッド', category: 'rant' })
    board.clock.now += 1
    const theirs = await startThread(stranger, { title: '訪問者のスレッド', nickname: '影' })
    board.clock.now += 1
    const hidden = await startThread(stranger, { title: '消えたスレッド', nickname: '影' })
    await writeTo(stranger, hidden, '消えた書き込み', '影')
    board.clock.now += 1
    const post = await writeTo(member, theirs, '会員の書き込み')
    await hideThread(hidden)

    const { threads } = await readThreads(admin, '?limit=2')
    expect(threads).toMatchObject([
      {
        _id: theirs._id,
        title: '訪問者のスレッド',
        categoryId: { _id: categoryIds.get('general'), name: 'general' },
        createdBy: null,
        nickname: '影',
      },
      { _id: mine._id, categoryId: { name: 'rant' }, createdBy: { _id: member.userId, name: '紅葉の里' } },
    ])
    const { posts } = await readPosts(admin, '?limit=3')
    expect(posts).toMatchObject([
      {
        _id: post._id,
        content: '会員の書き込み',
        threadId: { _id: theirs._id, title: '訪問者のスレッド' },
        userId: { _id: member.userId, name: '紅葉の里' },
      },
      { number: 1, threadId: { _id: theirs._id }, userId: null, name: '影' },
      { number: 1, threadId: { _id: mine._id } },
    ])
    expect(JSON.stringify([threads, posts])).not.toContain('visitorId')
  })

  it('show 20 threads and 50 posts on a page', async ({ board, admin }) => {
    const stranger = visit(board)
    const thread = await startThread(stranger, { nickname: '影' })
    for (let count = 0; count < 21; count += 1) await startThread(stranger, { nickname: '影' })
    for (let count = 0; count < 60; count += 1) await writeTo(stranger, thread, '草', '影')
    expect((await readThreads(admin)).threads).toHaveLength(20)
    const { posts, pagination } = await readPosts(admin)
    expect(posts).toHaveLength(50)
    expect(pagination.totalPages).toBe(Math.ceil(pagination.total / 50))
  })

  it('show a moderator of some categories only those, page by page', async ({ board, categoryIds }) => {
    const moderator = await signUp(board, undefined, {
      moderates: [categoryIds.get('world')!, categoryIds.get('economy')!],
    })
    const stranger = visit(board)
    const wanted: string[] = []
    const texts: string[] = []
    for (let count = 0; count < 9; count += 1) {
      board.clock.now += 1
      const category = ['world', 'economy', 'politics'][count % 3]!
      const thread = await startThread(stranger, { category, nickname: '影', content: `第${count}話` })
      if (category === 'politics') continue
      wanted.unshift(thread._id)
      texts.unshift(`第${count}話`)
    }
    const all: string[] = []
    for (const page of [1, 2, 3]) {
      const { threads, pagination } = await readThreads(moderator, `?limit=2&page=${page}`)
      expect(pagination).toEqual({ page, totalPages: 3, total: 6 })
      all.push(...threads.map(({ _id }) => _id))
    }
    expect(all).toEqual(wanted)
    const firstPage = await readPosts(moderator, '?limit=4')
    const secondPage = await readPosts(moderator, '?limit=4&page=2')
    expect(firstPage.pagination).toEqual({ page: 1, totalPages: 2, total: 6 })
    expect([...firstPage.posts, ...secondPage.posts].map(({ content }) => content)).toEqual(texts)
    const categories = await moderator.get<{ categories: { name: string }[] }>('/api/admin/categories')
    expect(categories.body.categories.map(({ name }) => name)).toEqual(['economy', 'world'])
    expect((await moderator.get('/api/admin/users')).status).toBe(403)
    expect((await moderator.get('/api/admin/dashboard')).status).toBe(403)
  })

  it('show a moderator of the whole board what administrators see', async ({ board, admin }) => {
    const moderator = await signUp(board, undefined, { moderates: 'all' })
    expect(await readThreads(moderator)).toEqual(await readThreads(admin))
    expect(await readPosts(moderator)).toEqual(await readPosts(admin))
  })
})

describe('the dashboard', () => {
  it('counts threads, posts and members by the hour and the day', async ({ helpers: { pass } }) => {
    const own = await openBoard()
    const chief = await signUp(own, '頭領', { isAdmin: true })
    const figures = async (): Promise<Dashboard> =>
      (await chief.get<{ stats: Dashboard }>('/api/admin/dashboard')).body.stats
    const stranger = visit(own)
    const thread = await startThread(stranger, { nickname: '影' })
    const count = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0)
    expect(await figures()).toMatchObject({
      users: 1,
      threads: 1,
      posts: 1,
      categories: 7,
      recentPosts: 1,
      recentUsers: 1,
    })
    // The current hour is the last one.
    expect((await figures()).postsByHour).toEqual([...Array.from({ length: 23 }, () => 0), 1])
    expect((await figures()).usersByDay).toEqual([0, 0, 0, 0, 0, 0, 1])

    await pass(chief, 2 * HOUR_MS, own)
    await writeTo(stranger, thread, '草', '影')
    await pass(chief, HOUR_MS, own)
    const hours = (await figures()).postsByHour
    expect([hours.length, ...hours.slice(-4), count(hours)]).toEqual([24, 1, 0, 1, 0, 2])

    await pass(chief, DAY_MS - 3 * HOUR_MS, own)
    expect(await figures()).toMatchObject({ posts: 2, recentPosts: 2 })
    await pass(chief, 1, own)
    expect(await figures()).toMatchObject({ posts: 2, recentPosts: 1 })
    await pass(chief, 6 * DAY_MS, own)
    expect(await figures()).toMatchObject({ users: 1, recentUsers: 0, recentPosts: 0 })
    await own.close()
  })

  it('does not count removed posts, and counts restored ones, even with concurrent decisions', async ({
    board,
    admin,
    helpers: { pass, readFigures },
  }) => {
    const before = await readFigures()
    const stranger = visit(board)
    const threads = [await startThread(stranger, { nickname: '影' }), await startThread(stranger, { nickname: '影' })]
    const [first, second] = [threads[0]!, threads[1]!]
    const posts: string[] = []
    for (let count = 0; count < 8; count += 1) {
      posts.push((await writeTo(stranger, threads[count % 2]!, `第${count}話`, '影'))._id)
      board.clock.now += HOUR_MS / 8
    }
    await pass(admin, 0)
    const expectSum = async (more: number, morePosts: number): Promise<void> => {
      await board.settle()
      const figures = await readFigures()
      expect([figures.threads - before.threads, figures.posts - before.posts]).toEqual([more, morePosts])
      // The result equals a full count of the rows.
      await inTransaction(board.database.db, recount)
      expect(await readFigures()).toEqual(figures)
    }
    await expectSum(2, 10)
    // Each is removed twice: the second request finds it removed.
    await Promise.all([0, 1, 0, 1, 2].map((index) => admin.delete(`/api/admin/posts/${posts[index]}`)))
    await expectSum(2, 7)
    await Promise.all([
      admin.delete(`/api/admin/threads/${first._id}`),
      admin.delete(`/api/admin/posts/${posts[4]}`),
      admin.delete(`/api/admin/posts/${posts[3]}`),
      writeTo(stranger, second, '続き', '影'),
    ])
    const ofSecond = 1 + 4 - 2 + 1
    await expectSum(1, ofSecond)
    await Promise.all([1, 1, 3].map((index) => admin.post(`/api/admin/posts/${posts[index]}/restore`)))
    await expectSum(1, ofSecond + 2)
    await Promise.all([0, 1].map(() => admin.post(`/api/admin/threads/${first._id}/restore`)))
    const gone = await board.database.db
      .selectFrom('posts')
      .select('id')
      .where('threadId', '=', first._id)
      .where('deletedAt', 'is not', null)
      .execute()
    await expectSum(2, ofSecond + 2 + 5 - gone.length)
  })
})

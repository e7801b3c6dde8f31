import { describe, expect } from 'vitest'
import type { AdminPost, AdminThread, AdminUser } from '@shinobi/contract/admin'
import type { Category } from '@shinobi/contract/categories'
import type { Pagination } from '@shinobi/contract/common'
import { ADMIN_FOUND } from '@shinobi/contract/limits'
import { messages } from '@shinobi/contract/messages'
import { sql } from 'kysely'
import { PASSWORD, signUp, startThread, visit, writeTo, type Guest } from '../../testing/board.ts'
import { boardTest } from '../../testing/fixtures.ts'

const DAY_MS = 86_400_000

const it = boardTest.extend('helpers', ({ board, admin }) => {
  const read = async <List extends keyof Lists>(
    list: List,
    query: Record<string, string>,
    guest: Guest = admin,
  ): Promise<Answer<List>> => {
    const answer = await guest.get<Answer<List>>(`/api/admin/${list}?${new URLSearchParams(query)}`)
    expect(answer.status).toBe(200)
    return answer.body
  }
  const titles = async (query: Record<string, string>, guest: Guest = admin): Promise<string[]> =>
    (await read('threads', query, guest)).threads.map(({ title }) => title)
  const texts = async (query: Record<string, string>, guest: Guest = admin): Promise<string[]> =>
    (await read('posts', query, guest)).posts.map(({ content }) => content)
  const names = async (query: Record<string, string>): Promise<string[]> =>
    (await read('users', query)).users.map(({ name }) => name)
  /** The day of the board's clock, in Japan. */
  const today = (): string => new Date(board.clock.now + 9 * 3_600_000).toISOString().slice(0, 10)
  async function pass(milliseconds: number): Promise<void> {
    board.clock.now += milliseconds
    expect((await admin.post('/auth/login', { username: admin.name, password: PASSWORD })).status).toBe(200)
  }
  const categoryId = async (name: string): Promise<string> =>
    (await visit(board).get<Category>(`/api/categories/${name}`)).body._id
  return { read, titles, texts, names, today, pass, categoryId }
})
it.beforeEach(({ board }) => {
  board.clock.now += 1_000
})

interface Lists {
  readonly threads: AdminThread[]
  readonly posts: AdminPost[]
  readonly users: AdminUser[]
}
type Answer<List extends keyof Lists> = Pick<Lists, List> & { readonly pagination: Pagination }

describe('the filtered list of threads', () => {
  it('combines words, writer, category and days', async ({ board, helpers: { titles, today, pass } }) => {
    const [kage, other] = [visit(board), visit(board)]
    const member = await signUp(board, '桔梗の里')
    await startThread(kage, { title: '霧隠れの修行', nickname: '霧の影', category: 'rant' })
    board.clock.now += 1
    await startThread(member, { title: '霧隠れの巻物', category: 'world' })
    const first = today()
    await pass(2 * DAY_MS)
    await startThread(other, { title: '霧隠れの地図', nickname: '別の影', category: 'rant' })
    await board.settle()

    expect(await titles({ q: '霧隠れ' })).toEqual(['霧隠れの地図', '霧隠れの巻物', '霧隠れの修行'])
    expect(await titles({ q: 'キリガクレ -地図' })).toEqual([])
    expect(await titles({ q: '霧隠れ -地図' })).toEqual(['霧隠れの巻物', '霧隠れの修行'])
    expect(await titles({ q: '霧隠れ', category: 'rant' })).toEqual(['霧隠れの地図', '霧隠れの修行'])
    expect(await titles({ q: '霧隠れ', category: 'rant', to: first })).toEqual(['霧隠れの修行'])
    expect(await titles({ q: '霧隠れ', from: today() })).toEqual(['霧隠れの地図'])
    expect(await titles({ writer: '霧の影' })).toEqual(['霧隠れの修行'])
    expect(await titles({ writer: '桔梗の里' })).toEqual(['霧隠れの巻物'])
    expect(await titles({ writer: '桔梗の里', category: 'rant' })).toEqual([])
    expect(await titles({ writer: '誰でもない' })).toEqual([])
    expect(await titles({ category: 'nowhere' })).toEqual([])
    expect(await titles({ from: first, to: first })).toContain('霧隠れの巻物')
    expect(await titles({ from: first, to: first })).not.toContain('霧隠れの地図')
  })

  it('shows threads that are locked, pinned, or removed and restorable', async ({
    board,
    admin,
    helpers: { read, titles },
  }) => {
    const guest = visit(board)
    const make = (title: string) => startThread(guest, { title, nickname: '影', category: 'economy' })
    const [locked, pinned, removed] = [await make('封じた話'), await make('掲げた話'), await make('消した話')]
    expect((await admin.put(`/api/admin/threads/${locked._id}`, { locked: true })).status).toBe(200)
    expect((await admin.put(`/api/admin/threads/${pinned._id}`, { pinned: 'category' })).status).toBe(200)
    expect((await admin.delete(`/api/admin/threads/${removed._id}`)).status).toBe(200)
    expect(await titles({ state: 'locked' })).toEqual(['封じた話'])
    expect(await titles({ state: 'pinned' })).toEqual(['掲げた話'])
    expect(await titles({ state: 'removed', q: '消した' })).toEqual(['消した話'])
    expect(await titles({ state: 'removed', q: '封じた' })).toEqual([])
    expect((await read('threads', { state: 'removed' })).threads[0]).toMatchObject({ removed: true })
    expect(await titles({ category: 'economy' })).toEqual(['掲げた話', '封じた話'])
  })

  it('has pages, and is limited to the categories of a moderator', async ({
    board,
    helpers: { read, titles, categoryId },
  }) => {
    const guest = visit(board)
    for (const category of ['politics', 'general', 'politics', 'general', 'politics']) {
      board.clock.now += 1
      await startThread(guest, { title: `手裏剣と${category}`, nickname: '影', category })
    }
    await board.settle()
    const moderator = await signUp(board, undefined, { moderates: [await categoryId('politics')] })
    const first = await read('threads', { q: '手裏剣', limit: '2' }, moderator)
    expect(first.pagination).toEqual({ page: 1, totalPages: 2, total: 3 })
    const second = await read('threads', { q: '手裏剣', limit: '2', page: '2' }, moderator)
    expect([...first.threads, ...second.threads].map(({ title }) => title)).toEqual(Array(3).fill('手裏剣とpolitics'))
    expect(await titles({ category: 'general' }, moderator)).toEqual([])
    expect(await titles({ q: '手裏剣', category: 'general' }, moderator)).toEqual([])
    expect((await titles({ q: '手裏剣' })).length).toBe(5)
  })
})

describe('the filtered list of posts', () => {
  it('combines words, writer, category, days and state', async ({
    board,
    admin,
    helpers: { read, texts, today, pass, categoryId },
  }) => {
    const [kage, other] = [visit(board), visit(board)]
    const thread = await startThread(kage, { nickname: '煙の影', content: '煙玉を投げる', category: 'rant' })
    const elsewhere = await startThread(other, { nickname: '別人', content: '煙玉は煙たい', category: 'world' })
    const first = today()
    await pass(2 * DAY_MS)
    const member = await signUp(board, '石蕗の庭')
    await writeTo(member, elsewhere, '煙玉の作り方')
    const gone = await writeTo(kage, thread, '煙玉の悪口', '煙の影')
    const folded = await writeTo(other, thread, '煙玉の折り目', '別人')
    await board.settle()
    expect((await admin.delete(`/api/admin/posts/${gone._id}`)).status).toBe(200)
    await board.database.db
      .updateTable('posts')
      .set({ foldedAt: new Date(board.clock.now) })
      .where('id', '=', folded._id)
      .execute()

    expect(await texts({ q: '煙玉' })).toEqual(['煙玉の折り目', '煙玉の作り方', '煙玉は煙たい', '煙玉を投げる'])
    expect(await texts({ q: '煙玉 投げる' })).toEqual(['煙玉を投げる'])
    expect(await texts({ q: '煙玉 -投げる', category: 'world' })).toEqual(['煙玉の作り方', '煙玉は煙たい'])
    expect(await texts({ q: '煙玉', to: first })).toEqual(['煙玉は煙たい', '煙玉を投げる'])
    expect(await texts({ writer: '煙の影' })).toEqual(['煙玉を投げる'])
    expect(await texts({ writer: '石蕗の庭' })).toEqual(['煙玉の作り方'])
    expect(await texts({ writer: '別人', q: '折り目' })).toEqual(['煙玉の折り目'])
    expect(await texts({ state: 'folded' })).toEqual(['煙玉の折り目'])
    // The text of a removed post is visible to a moderator who may restore it.
    const removed = await read('posts', { state: 'removed', writer: '煙の影' })
    expect(removed.posts).toMatchObject([{ content: '煙玉の悪口', deleted: true }])
    expect(await texts({ state: 'removed', q: '煙玉 悪口' })).toEqual(['煙玉の悪口'])
    expect(await texts({ state: 'removed', q: '折り目' })).toEqual([])

    const moderator = await signUp(board, undefined, { moderates: [await categoryId('world')] })
    expect(await texts({ q: '煙玉' }, moderator)).toEqual(['煙玉の作り方', '煙玉は煙たい'])
    expect(await texts({ state: 'removed' }, moderator)).toEqual([])
  })

  it('finds words by the index where the days contain too many posts to scan', async ({
    board,
    helpers: { texts, today },
  }) => {
    const guest = visit(board)
    const thread = await startThread(guest, { nickname: '影' })
    await writeTo(guest, thread, '水蜘蛛で渡る', '影')
    await board.settle()
    const { db } = board.database
    const hour = Math.floor(board.clock.now / 3_600_000)
    await sql`insert into tallies (kind, hour, lane, count) values ('posts', ${hour}, 99, 1000000)`.execute(db)
    expect(await texts({ q: '水蜘蛛', from: today() })).toEqual(['水蜘蛛で渡る'])
    expect(await texts({ q: '水蜘蛛 渡る -沈む' })).toEqual(['水蜘蛛で渡る'])
    expect(await texts({ q: '水蜘蛛 -渡る' })).toEqual([])
    await sql`delete from tallies where lane = 99`.execute(db)
  })

  it('ends at the limit, and marks the result as partial', async ({ board, helpers: { read } }) => {
    const guest = visit(board)
    const thread = await startThread(guest, { nickname: '草の者', content: '撒菱', category: 'immigration' })
    const { db } = board.database
    await sql`
      insert into posts ("threadId", number, id, name, content, "visitorId", "createdAt")
      select p."threadId", n, (left(p.id::text, 19) || '8' || lpad(to_hex(n), 3, '0') || substr(p.id::text, 24))::uuid,
        p.name, p.content, p."visitorId", p."createdAt"
      from posts as p, generate_series(2, ${ADMIN_FOUND + 5}::integer) as n
      where p."threadId" = ${thread._id}::uuid and p.number = 1`.execute(db)
    const { pagination, posts } = await read('posts', { writer: '草の者' })
    expect(pagination).toEqual({ page: 1, totalPages: ADMIN_FOUND / 50, total: ADMIN_FOUND, partial: true })
    expect(posts).toHaveLength(50)
  })
})

describe('the filtered list of members', () => {
  it('combines the beginning of a name or address, roles, bans and days', async ({
    board,
    helpers: { names, today, pass },
  }) => {
    await pass(3 * DAY_MS)
    const plain = await signUp(board, 'あけびの実')
    await pass(DAY_MS)
    await signUp(board, 'あけびの蔓', { moderates: 'all' })
    const at = new Date(board.clock.now)
    await board.database.db
      .insertInto('bans')
      .values({
        ...{ id: plain.userId, kind: 'user', subject: plain.userId, label: '', scope: 'site', reason: '荒らし' },
        ...{ createdAt: at, expiresAt: null },
      })
      .execute()
    expect(await names({ q: 'アケビ' })).toEqual(['あけびの蔓', 'あけびの実'])
    expect(await names({ q: 'アケビ', limit: '1', page: '2' })).toEqual(['あけびの実'])
    expect(await names({ q: 'アケビ', from: today() })).toEqual(['あけびの蔓'])
    expect(await names({ q: 'アケビ', state: 'banned' })).toEqual(['あけびの実'])
    expect(await names({ state: 'banned' })).toEqual(['あけびの実'])
    expect(await names({ state: 'admin' })).toEqual(['半蔵'])
    expect(await names({ state: 'moderator', q: 'あけび' })).toEqual(['あけびの蔓'])
  })

  it('is marked as partial where more names begin so than are looked through', async ({ board, helpers: { read } }) => {
    await sql`
      with made as (
        insert into users (id, name, "createdAt")
        select gen_random_uuid(), 'うぐいす' || case number when 1 then 'の子' else number::text end, now()
        from generate_series(1, ${ADMIN_FOUND + 1}::integer) as number
        returning id, name
      )
      insert into "userNames" (name, "userId") select name, id from made`.execute(board.database.db)
    const find = async (q: string) => (await read('users', { q, state: 'moderator' })).pagination
    expect(await find('うぐいす')).toMatchObject({ total: 0, partial: true })
    expect((await find('うぐいすの')).partial).toBeUndefined()
  })
})

describe('a filter of an administration list', () => {
  it('that is empty returns the whole list, and an invalid one is refused', async ({
    admin,
    helpers: { read, texts },
  }) => {
    expect(await read('threads', { q: '', writer: ' ' })).toEqual(await read('threads', {}))
    for (const query of ['from=yesterday', 'state=gone', `q=${'あ'.repeat(101)}`, 'to=2026-02-30']) {
      expect((await admin.get(`/api/admin/posts?${query}`)).status).toBe(400)
    }
    expect(await texts({ q: '\0' })).toEqual([])
  })

  it('that takes too long is cancelled, and the answer suggests a remedy', async ({ board, admin }) => {
    const { db } = board.database
    const holder = await db.startTransaction().execute()
    await sql`lock table posts in access exclusive mode`.execute(holder)
    const answer = await admin.get('/api/admin/posts?state=folded')
    await holder.rollback().execute()
    expect(answer).toMatchObject({ status: 400, body: { code: 'bad_search', message: messages.list_too_broad } })
  })
})

it('categories are paged where the request names a page, and complete otherwise', async ({ admin }) => {
  const get = async (query: string) =>
    (await admin.get<{ categories: Category[]; pagination: Pagination }>(`/api/admin/categories${query}`)).body
  const all = await get('')
  expect(all.pagination).toEqual({ page: 1, totalPages: 1, total: 7 })
  const first = await get('?page=1&limit=4')
  const second = await get('?page=2&limit=4')
  expect(first.pagination).toEqual({ page: 1, totalPages: 2, total: 7 })
  expect([...first.categories, ...second.categories]).toEqual(all.categories)
  expect((await get('?page=1')).categories).toHaveLength(7)
})

/** Removing, restoring, locking, pinning and moving threads. */
import { describe, expect } from 'vitest'
import { PINNED_MAX, UNDO_HOURS } from '@shinobi/contract/limits'
import { messages } from '@shinobi/contract/messages'
import type { Post } from '@shinobi/contract/posts'
import type { Thread, ThreadItem } from '@shinobi/contract/threads'
import { connectTo, enter, signUp, startThread, visit, writeTo } from '../../testing/board.ts'
import { boardTest } from '../../testing/fixtures.ts'
import { picture } from '../../testing/outside/picture.ts'

const it = boardTest
  .extend('categories', { scope: 'file' }, async ({ guest }) => {
    const { body } = await guest.get<{ _id: string; name: string }[]>('/api/categories')
    return new Map(body.map(({ _id, name }) => [name, _id]))
  })
  .extend('helpers', ({ guest, admin }) => {
    const idsOf = async (url: string, from = guest): Promise<string[]> =>
      (await from.get<ThreadItem[]>(url)).body.map((thread) => thread._id)
    const pin = (thread: Thread, pinned: 'category' | 'board' | null) =>
      admin.put(`/api/admin/threads/${thread._id}`, { pinned })
    async function walk(url: string): Promise<string[][]> {
      const pages: string[][] = []
      for (let next: string | undefined = url; next !== undefined;) {
        const answer: { body: ThreadItem[]; headers: Readonly<Record<string, string | undefined>> } =
          await guest.get<ThreadItem[]>(next)
        pages.push(answer.body.map((thread) => thread._id))
        next = /<([^>]+)>; rel="next"/.exec(answer.headers['link'] ?? '')?.[1]
      }
      return pages
    }
    return { idsOf, pin, walk }
  })
it.beforeEach(({ board }) => {
  board.clock.now += 20_000
})

describe('a thread that is removed', () => {
  const searchFor = (word: string) => `/api/threads?search=${encodeURIComponent(word)}`

  it('disappears from all public answers, and is restored with all its contents', async ({ board, guest, admin }) => {
    const member = await signUp(board)
    const image = await picture()
    const [clientThreadId, clientPostId] = [crypto.randomUUID(), crypto.randomUUID()]
    const opening = { title: '消えゆく里の話', content: '山奥のこと', image, clientThreadId }
    const thread = await startThread(guest, opening)
    await guest.post(`/api/threads/${thread._id}/posts`, { content: '合図', name: '影', clientPostId })
    const post = await writeTo(member, thread, '狼煙が上がった')
    await member.post(`/api/threads/${thread._id}/like`)
    await member.post(`/api/threads/${thread._id}/posts/${post._id}/like`)
    await board.settle()
    board.clock.now += 2_000

    const lists = [
      '/api/threads',
      '/api/threads?sort=oldest&limit=100',
      '/api/threads?sort=popular',
      '/api/threads?sort=liked',
      '/api/threads/trending',
      '/api/categories/general/threads',
      '/api/categories/general/trending',
      searchFor('消えゆく里'),
      searchFor('狼煙'),
      `${searchFor('狼煙')}&sort=liked`,
    ]
    const own = [`/api/threads/${thread._id}`, `/api/threads/${thread._id}/posts`, thread.imageUrl!, '/feed.xml']
    const ofMember = ['/auth/profile', '/api/threads/liked', `/api/threads/${thread._id}/posts/liked`]
    const look = async () => {
      const seen: Record<string, { status: number; text: string }> = {}
      for (const url of [...lists, ...own]) {
        const { status, body } = await guest.get<unknown>(url)
        seen[url] = { status, text: JSON.stringify(body).replace(/"revision":\d+/, '') }
      }
      for (const url of ofMember) {
        const { status, body } = await member.get<unknown>(url)
        seen[url] = { status, text: JSON.stringify(body) }
      }
      return seen
    }
    const showing = (seen: Awaited<ReturnType<typeof look>>) =>
      Object.entries(seen).flatMap(([url, { status, text }]) =>
        status === 200 && (text.includes(thread._id) || url === thread.imageUrl || text.includes(post._id))
          ? [url]
          : [],
      )
    const before = await look()
    expect(showing(before)).toEqual([...lists, ...own, ...ofMember])

    const socket = await connectTo(await board.listen())
    await enter(socket, thread._id)
    const heard = new Promise((resolve) => socket.once('threadChanged', resolve))
    expect((await admin.delete(`/api/admin/threads/${thread._id}?rule=disturb`)).status).toBe(200)
    expect(await heard).toMatchObject({ threadId: thread._id })
    socket.disconnect()
    await board.settle()
    const during = await look()
    expect(showing(during)).toEqual([])
    for (const url of [...own.slice(0, 3), ofMember[2]!]) expect(during[url]!.status).toBe(404)
    const refused = [
      await guest.post(`/api/threads/${thread._id}/posts`, { content: '誰かいる？', name: '影' }),
      await guest.post(`/api/threads/${thread._id}/posts`, { content: '合図', name: '影', clientPostId }),
      await guest.form('/api/threads', {
        title: '消えゆく里の話',
        content: '山奥のこと',
        category: 'general',
        clientThreadId,
      }),
      await member.post(`/api/threads/${thread._id}/like`),
      await member.post(`/api/threads/${thread._id}/posts/${post._id}/like`),
      await admin.put(`/api/admin/threads/${thread._id}`, { locked: true }),
    ]
    expect(refused.map((answer) => answer.status)).toEqual([404, 404, 404, 404, 404, 404])
    expect(await admin.delete(`/api/admin/threads/${thread._id}`)).toMatchObject({
      status: 409,
      body: { message: messages.thread_already_removed },
    })

    expect((await admin.post(`/api/admin/threads/${thread._id}/restore`)).status).toBe(200)
    await board.settle()
    expect(await look()).toEqual(before)
    expect((await admin.post(`/api/admin/threads/${thread._id}/restore`)).status).toBe(409)
  })

  it('keeps the images of its removed posts hidden when it is restored', async ({ board, guest, admin }) => {
    const thread = await startThread(guest)
    const image = await picture()
    const write = async (content: string) =>
      (await guest.form<Post>(`/api/threads/${thread._id}/posts`, { content, name: '影', image })).body
    const [removed, kept] = [await write('消す絵'), await write('残す絵')]
    await admin.delete(`/api/admin/posts/${removed._id}`)
    await admin.delete(`/api/admin/threads/${thread._id}`)
    await board.settle()
    expect((await guest.get(kept.imageUrl!)).status).toBe(404)
    await admin.post(`/api/admin/threads/${thread._id}/restore`)
    await board.settle()
    expect((await guest.get(kept.imageUrl!)).status).toBe(200)
    expect((await guest.get(removed.imageUrl!)).status).toBe(404)
  })

  it('can be restored within a day only', async ({ board, guest, admin }) => {
    const { db } = board.database
    const thread = await startThread(guest)
    await admin.delete(`/api/admin/threads/${thread._id}`)
    const removedAt = new Date(board.clock.now - UNDO_HOURS * 3_600_000 - 1)
    await db.updateTable('threads').set({ removedAt }).where('id', '=', thread._id).execute()
    expect(await admin.post(`/api/admin/threads/${thread._id}/restore`)).toMatchObject({
      status: 409,
      body: { message: messages.action_too_old },
    })
  })

  it('refuses concurrent posts once it is removed, and numbers the earlier ones without gaps', async ({
    guest,
    admin,
  }) => {
    const thread = await startThread(guest)
    const answers = await Promise.all([
      ...Array.from({ length: 6 }, (_, index) =>
        guest.post(`/api/threads/${thread._id}/posts`, { content: `滑り込み${index}`, name: '影' }),
      ),
      admin.delete(`/api/admin/threads/${thread._id}`),
      ...Array.from({ length: 6 }, (_, index) =>
        guest.post(`/api/threads/${thread._id}/posts`, { content: `遅刻${index}`, name: '影' }),
      ),
    ])
    expect(answers[6]!.status).toBe(200)
    const written = answers.filter((answer) => answer.status === 201).length
    expect(answers.filter((answer) => answer.status === 404)).toHaveLength(12 - written)
    await admin.post(`/api/admin/threads/${thread._id}/restore`)
    const { body } = await guest.get<Post[]>(`/api/threads/${thread._id}/posts`)
    expect(body.map((post) => post.number)).toEqual(Array.from({ length: written + 1 }, (_, index) => index + 1))
  })
})

describe('a thread that is locked', () => {
  it('can be read, refuses posts, and accepts them again when it is unlocked', async ({ guest, admin }) => {
    const thread = await startThread(guest)
    expect((await admin.put(`/api/admin/threads/${thread._id}`, { locked: true, reason: '荒れたため' })).status).toBe(
      200,
    )
    expect((await guest.get<Thread>(`/api/threads/${thread._id}`)).body.locked).toBe(true)
    expect(await guest.post(`/api/threads/${thread._id}/posts`, { content: 'まだ', name: '影' })).toMatchObject({
      status: 423,
      body: { code: 'locked' },
    })
    expect(await admin.put(`/api/admin/threads/${thread._id}`, { locked: true })).toMatchObject({
      status: 409,
      body: { message: messages.thread_unchanged },
    })
    expect((await admin.put(`/api/admin/threads/${thread._id}`, { locked: false })).status).toBe(200)
    await writeTo(guest, thread, 'また話せる')
    expect((await guest.get<Thread>(`/api/threads/${thread._id}`)).body).toMatchObject({ locked: false, postCount: 2 })
  })

  it('accepts one change per request', async ({ guest, admin }) => {
    const thread = await startThread(guest)
    for (const body of [{}, { locked: true, pinned: 'board' }, { pinned: 'everywhere' }]) {
      expect((await admin.put(`/api/admin/threads/${thread._id}`, body)).status).toBe(400)
    }
  })
})

describe('pinned threads', () => {
  const category = 'immigration'
  const list = `/api/categories/${category}/threads`

  it('are first in their list, newest first, and appear on no later page, whatever the page size', async ({
    board,
    guest,
    helpers: { idsOf, pin, walk },
  }) => {
    const threads: Thread[] = []
    for (let index = 0; index < 9; index += 1) {
      board.clock.now += 1_000
      threads.push(await startThread(guest, { category, title: `順番の話その${index}` }))
    }
    await pin(threads[2]!, 'category')
    await pin(threads[5]!, 'board')
    const ids = threads.map((thread) => thread._id)
    const ordered = [5, 2, 8, 7, 6, 4, 3, 1, 0].map((index) => ids[index]!)
    for (const limit of [1, 2, 3, 4, 9, 50]) {
      const pages = await walk(`${list}?limit=${limit}`)
      // A page of one thread has room for one pinned thread; the other one keeps its place by age.
      const expected = limit === 1 ? [5, 8, 7, 6, 4, 3, 2, 1, 0].map((index) => ids[index]!) : ordered
      expect(pages.flat()).toEqual(expected)
      expect(Math.max(...pages.map((page) => page.length))).toBe(Math.min(limit, 9))
    }
    // The list of the whole board begins with the threads pinned there; searches and other orders
    // ignore pins.
    const all = (await walk('/api/threads?limit=10')).flat()
    expect(all[0]).toBe(ids[5])
    expect(all.filter((id) => id === ids[5])).toHaveLength(1)
    expect(all.indexOf(ids[2]!)).toBeGreaterThan(all.indexOf(ids[3]!))
    expect((await idsOf(`${list}?sort=oldest`))[0]).toBe(ids[0])
    await board.settle()
    expect((await idsOf(`${list}?search=${encodeURIComponent('順番の話')}`))[0]).toBe(ids[8])

    await pin(threads[5]!, null)
    expect((await walk(`${list}?limit=4`)).flat()).toEqual([2, 8, 7, 6, 5, 4, 3, 1, 0].map((index) => ids[index]!))
    expect((await idsOf('/api/threads'))[0]).not.toBe(ids[5])
  })

  it('on the board can be changed only by a moderator of the whole board', async ({
    board,
    guest,
    helpers: { pin },
  }) => {
    const thread = await startThread(guest, { category })
    const local = await signUp(board, undefined, { moderates: [thread.categoryId] })
    const url = `/api/admin/threads/${thread._id}`
    const refused = { status: 403, body: { message: messages.out_of_scope } }
    expect(await local.put(url, { pinned: 'board' })).toMatchObject(refused)
    expect((await local.put(url, { pinned: 'category' })).status).toBe(200)
    await pin(thread, 'board')
    for (const pinned of ['category', null]) expect(await local.put(url, { pinned })).toMatchObject(refused)
    await pin(thread, null)
  })

  it('above the maximum keep their place by age, the oldest first', async ({
    board,
    guest,
    helpers: { idsOf, pin },
  }) => {
    const threads: Thread[] = []
    for (let index = 0; index <= PINNED_MAX; index += 1) {
      board.clock.now += 1_000
      threads.push(await startThread(guest, { category: 'economy' }))
      await pin(threads[index]!, 'category')
    }
    board.clock.now += 1_000
    const newest = await startThread(guest, { category: 'economy' })
    const ids = threads.map((thread) => thread._id).toReversed()
    const expected = [...ids.slice(0, PINNED_MAX), newest._id, ids[PINNED_MAX]]
    expect(await idsOf('/api/categories/economy/threads')).toEqual(expected)
  })
})

describe('a thread that is moved', () => {
  it('disappears from the lists of its category and appears in those of the other', async ({
    board,
    guest,
    admin,
    categories,
    helpers: { idsOf },
  }) => {
    const thread = await startThread(guest, { title: '引っ越しの相談', category: 'rant' })
    await writeTo(guest, thread, '荷造り中')
    await board.settle()
    const lists = (name: string) => [`/api/categories/${name}/threads`, `/api/categories/${name}/trending`]
    for (const url of lists('rant')) expect(await idsOf(url)).toContain(thread._id)
    for (const url of lists('world')) expect(await idsOf(url)).not.toContain(thread._id)

    const answer = await admin.put<{ actionId: string }>(`/api/admin/threads/${thread._id}`, {
      categoryId: categories.get('world'),
    })
    expect(answer.status).toBe(200)
    for (const url of lists('rant')) expect(await idsOf(url)).not.toContain(thread._id)
    for (const url of lists('world')) expect(await idsOf(url)).toContain(thread._id)
    expect((await guest.get<Thread>(`/api/threads/${thread._id}`)).body.category).toBe('world')
    const entry = await board.database.db
      .selectFrom('auditLog')
      .select(['action', 'details'])
      .where('id', '=', answer.body.actionId)
      .executeTakeFirstOrThrow()
    expect(entry).toEqual({
      action: 'thread_move',
      details: {
        before: { categoryId: categories.get('rant') },
        after: { categoryId: categories.get('world') },
      },
    })
  })

  it('takes its open cases along, and is refused a category that does not exist', async ({
    board,
    guest,
    admin,
    categories,
  }) => {
    const thread = await startThread(guest, { category: 'rant' })
    const post = await writeTo(guest, thread, '通報される言葉')
    await visit(board, '198.51.100.9').post(`/api/threads/${thread._id}/posts/${post._id}/report`, {
      reason: '荒らしです',
      content: '通報される言葉',
    })
    await admin.put(`/api/admin/threads/${thread._id}`, { categoryId: categories.get('world') })
    const rows = await board.database.db
      .selectFrom('cases')
      .select('categoryId')
      .where('threadId', '=', thread._id)
      .execute()
    expect(rows).toEqual([{ categoryId: categories.get('world') }])
    const nowhere = '01900000-0000-7000-8000-000000000000'
    expect(await admin.put(`/api/admin/threads/${thread._id}`, { categoryId: nowhere })).toMatchObject({
      status: 400,
      body: { code: 'bad_category' },
    })
  })
})

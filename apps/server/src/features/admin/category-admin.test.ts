import { describe, expect } from 'vitest'
import type { Ban } from '@shinobi/contract/bans'
import type { AdminCategory, Category } from '@shinobi/contract/categories'
import { CATEGORY_MOVE_STEP } from '@shinobi/contract/limits'
import { messages } from '@shinobi/contract/messages'
import type { ThreadItem } from '@shinobi/contract/threads'
import { connectTo, giveLevel, openBoard, signUp, startThread, visit, writeTo } from '../../testing/board.ts'
import { boardTest } from '../../testing/fixtures.ts'
import { decide, reportTimes, undo } from '../../testing/reporting.ts'
import { addSource, addStory } from '../../testing/stories.ts'
import { countLockWaits } from '../../testing/lock-waits.ts'
import { deleteCategory, holdCategory, lockCategories } from '../categories/categories.queries.ts'
import { lockHeld, markHeld } from '../held/held.queries.ts'
import { insertThread } from '../threads/threads.queries.ts'
import { uuidv7 } from '../../lib/uuid.ts'

const it = boardTest.extend('helpers', ({ board, admin }) => {
  const categoriesOf = async (): Promise<Category[]> => (await visit(board).get<Category[]>('/api/categories')).body
  async function create(name = `category-${(made += 1)}`): Promise<AdminCategory> {
    const answer = await admin.post<AdminCategory>('/api/admin/categories', { name, description: `${name}の話題` })
    expect(answer.status).toBe(201)
    return answer.body
  }
  const threadsOf = async (name: string): Promise<ThreadItem[]> =>
    (await visit(board).get<ThreadItem[]>(`/api/categories/${name}/threads`)).body
  const drop = (id: string, moveTo?: string) =>
    admin.delete<{ code: string; message: string }>(
      `/api/admin/categories/${id}${moveTo === undefined ? '' : `?moveTo=${moveTo}`}`,
    )
  const log = (action: string) =>
    board.database.db
      .selectFrom('auditLog')
      .select(['actorName', 'categoryId', 'subject', 'details', 'isPublic'])
      .where('action', '=', action)
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
  async function firstPostOf(threadId: string): Promise<string> {
    const posts = await visit(board).get<{ _id: string }[]>(`/api/threads/${threadId}/posts`)
    return posts.body[0]!._id
  }
  return { categoriesOf, create, threadsOf, drop, log, firstPostOf }
})

let made = 0

describe('a new category', () => {
  it('is listed last at once, and accepts threads', async ({ board, helpers: { categoriesOf, create, log } }) => {
    const before = await categoriesOf()
    const { postLimit, posterIds, holdImages, ...category } = await create('anime')
    expect([posterIds, holdImages]).toEqual(['thread', false])
    expect({ postLimit, ...category }).toEqual({
      ...{ _id: category._id, name: 'anime', description: 'animeの話題', postLimit: null },
    })
    // It has no posts: no other category is less busy.
    expect(await categoriesOf()).toEqual([...before, { ...category, rank: before.length + 1 }])
    const thread = await startThread(visit(board), { category: 'anime', nickname: '影' })
    expect(thread.categoryId).toBe(category._id)
    expect(await log('category_create')).toEqual({
      ...{ actorName: '半蔵', categoryId: category._id, subject: 'anime', isPublic: false },
      details: { after: { name: 'anime', description: 'animeの話題' } },
    })
  })

  it('needs a unique name that does not have the form of an id', async ({ board, admin }) => {
    const post = (name: string) => admin.post<{ code: string; message: string }>('/api/admin/categories', { name })
    expect(await post('general')).toMatchObject({
      status: 409,
      body: { code: 'taken', message: messages.category_name_taken },
    })
    for (const blank of ['', '　']) {
      expect(await post(blank)).toMatchObject({ status: 400, body: { message: messages.category_name_required } })
    }
    const long = await post('あ'.repeat(41))
    expect(long).toMatchObject({ status: 400, body: { message: messages.category_name_too_long } })
    for (const unfit of [uuidv7(board.clock.now), '.', '..']) expect((await post(unfit)).status).toBe(400)
    for (const same of ['General', 'ｇｅｎｅｒａｌ', 'gene ral']) expect((await post(same)).status).toBe(409)
    const plain = await admin.post('/api/admin/categories', { name: '説明なし', description: null })
    expect(plain).toMatchObject({ status: 201, body: { description: '' } })
  })

  it('is created once of several at the same moment whose names look the same', async ({ admin }) => {
    const names = ['Manga', 'manga', 'ｍａｎｇａ', 'man ga']
    const answers = await Promise.all(names.map((name) => admin.post('/api/admin/categories', { name })))
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([201, 409, 409, 409])
  })
})

describe('deleting a category', () => {
  it('is refused while it has threads, and the answer contains their number, with those that no list shows', async ({
    board,
    admin,
    helpers: { categoriesOf, create, threadsOf, drop },
  }) => {
    const category = await create()
    const guest = visit(board)
    const kept = await startThread(guest, { category: category.name, nickname: '影' })
    await startThread(guest, { category: category.name, nickname: '影' })
    // A removed thread counts, as it can be restored.
    expect((await admin.delete(`/api/admin/threads/${kept._id}`)).status).toBe(200)
    expect(await drop(category._id)).toMatchObject({
      ...{ status: 409, body: { code: 'has_threads', message: messages.category_has_threads(2, 1) } },
    })
    expect(await threadsOf(category.name)).toHaveLength(1)
    expect((await categoriesOf()).map(({ _id }) => _id)).toContain(category._id)
  })

  it('moves its threads, removed and held ones too, and loses none', async ({
    board,
    admin,
    helpers: { create, threadsOf, drop, log, firstPostOf },
  }) => {
    const [from, to] = [await create(), await create()]
    const guest = visit(board)
    const open = await startThread(guest, { category: from.name, nickname: '影', title: '開いているスレッド' })
    const removed = await startThread(guest, { category: from.name, nickname: '影' })
    expect((await admin.delete(`/api/admin/threads/${removed._id}`)).status).toBe(200)
    const { db } = board.database
    const payload = JSON.stringify({ name: null, content: '待つ', image: null })
    const held = {
      id: uuidv7(board.clock.now),
      status: 'waiting',
      why: 'word',
      payload,
      createdAt: new Date(),
    } as const
    await db
      .insertInto('heldPosts')
      .values({ ...held, categoryId: from._id, visitorId: held.id })
      .execute()
    const report = await guest.post(`/api/threads/${open._id}/posts/${await firstPostOf(open._id)}/report`, {
      ...{ reason: '荒らしです', content: '草' },
    })
    expect(report.status).toBe(200)
    // Fills the cache; the deletion must drop these answers.
    await guest.get(`/api/threads/${open._id}`)
    expect(await threadsOf(to.name)).toEqual([])

    expect((await drop(from._id, to._id)).status).toBe(200)
    expect((await threadsOf(to.name)).map(({ _id, category }) => [_id, category])).toEqual([[open._id, to.name]])
    expect((await guest.get(`/api/threads/${open._id}`)).body).toMatchObject({ categoryId: to._id, category: to.name })
    expect((await guest.get(`/api/categories/${from._id}`)).status).toBe(404)
    expect((await guest.get(`/api/categories/${from.name}/threads`)).status).toBe(404)
    const rows = await db
      .selectFrom('threads')
      .select(['id', 'categoryId'])
      .where('id', 'in', [open._id, removed._id])
      .execute()
    expect(rows.map((row) => row.categoryId)).toEqual([to._id, to._id])
    const reported = await db.selectFrom('cases').select('categoryId').where('threadId', '=', open._id).execute()
    expect(reported).toEqual([{ categoryId: to._id }])
    const waiting = await db.selectFrom('heldPosts').select('categoryId').where('id', '=', held.id).executeTakeFirst()
    expect(waiting?.categoryId).toBe(to._id)
    expect(await log('category_delete')).toMatchObject({
      ...{ actorName: '半蔵', categoryId: from._id, subject: from.name },
      details: { before: { name: from.name }, movedTo: to.name, threads: 2 },
    })
    // A writer in a moved thread keeps their name.
    await writeTo(guest, open, '草', '影')
  })

  it('takes its bans, moderators and news along with its threads', async ({
    board,
    admin,
    helpers: { create, drop, log, firstPostOf },
  }) => {
    const [from, to] = [await create(), await create()]
    const raider = visit(board)
    const thread = await startThread(raider, { category: from.name, nickname: '影' })
    const target = { threadId: thread._id, postId: await firstPostOf(thread._id) }
    const ban = { target, on: ['visitor'], scope: 'category', reason: '荒らし', hours: null }
    const { bans } = (await admin.post<{ bans: Ban[] }>('/api/admin/bans', ban)).body
    const one = await signUp(board, undefined, { moderates: [from._id] })
    const both = await signUp(board, undefined, { moderates: [from._id, to._id] })
    const source = await addSource(board, { category: from.name })
    const story = await addStory(board, { sourceId: source, state: 'waiting' })

    expect((await drop(from._id, to._id)).status).toBe(200)
    const write = await raider.post<{ code: string }>(`/api/threads/${thread._id}/posts`, { content: '草', name: '影' })
    expect(write).toMatchObject({ status: 403, body: { code: 'banned' } })
    for (const moderator of [one, both]) {
      expect((await moderator.post('/auth/verify')).body).toMatchObject({ user: { moderates: [to._id] } })
    }
    const { db } = board.database
    for (const [table, id] of [
      ['newsSources', source],
      ['newsStories', story],
    ] as const) {
      const row = await db.selectFrom(table).select('categoryId').where('id', '=', id).executeTakeFirst()
      expect(row?.categoryId).toBe(to._id)
    }
    const details = { bans: bans.map(({ _id }) => _id), moderators: 2, sources: 1, stories: 1 }
    expect((await log('category_delete')).details).toMatchObject(details)
  })

  it('leaves its moderators what they can take back in its threads, and nobody else', async ({
    board,
    helpers: { create, drop },
  }) => {
    const [from, to, elsewhere] = [await create(), await create(), await create()]
    const moderator = await signUp(board, undefined, { moderates: [from._id] })
    const owner = visit(board)
    const thread = await startThread(owner, { category: from.name })
    await giveLevel(board, owner, 3)
    const troll = visit(board)
    const post = await writeTo(troll, thread, '荒らしの書き込み', '影')
    const task = { kind: 'fold', postId: post._id, text: '話がそれています' }
    const folded = await owner.post<{ _id: string }>(`/api/threads/${thread._id}/owner-actions`, task)
    await reportTimes(board, post, 1)
    const ban = { on: ['visitor'], scope: 'category', reason: '荒らし', hours: null }
    const decided = await decide(moderator, post, { action: 'ban', rule: 'disturb', ban })

    expect((await drop(from._id, to._id)).status).toBe(200)
    const stranger = await signUp(board, undefined, { moderates: [elsewhere._id] })
    for (const actionId of [folded.body._id, decided.body.actionId]) {
      expect((await undo(stranger, actionId)).status).toBe(403)
      expect((await undo(moderator, actionId)).status).toBe(200)
    }
    await writeTo(troll, thread, '戻りました', '影')
  })

  it('lifts the bans from an empty one, which the public log shows', async ({
    board,
    admin,
    helpers: { create, drop, log },
  }) => {
    const category = await create()
    const { userId } = await signUp(board)
    const scope = { scope: 'category', scopeId: category._id }
    const ban = { target: { userId }, on: ['user'], ...scope, reason: '荒らし', hours: null }
    const { bans } = (await admin.post<{ bans: Ban[] }>('/api/admin/bans', ban)).body
    expect((await drop(category._id)).status).toBe(200)
    expect(await log('ban_lift')).toMatchObject({
      ...{ categoryId: category._id, subject: category.name, isPublic: true },
      details: { banIds: bans.map(({ _id }) => _id), count: 1 },
    })
  })

  it('waits for a concurrent approval, and moves the thread that it opens', async ({
    board,
    admin,
    helpers: { create, threadsOf, drop },
  }) => {
    const [from, to] = [await create(), await create()]
    const { db } = board.database
    const held = Array.from({ length: 2 }, () => uuidv7(board.clock.now))
    for (const heldId of held) {
      const payload = JSON.stringify({ name: null, title: '待つスレッド', content: '待つ', image: null })
      const row = { status: 'waiting', why: 'word', categoryId: from._id, visitorId: heldId, payload } as const
      await db
        .insertInto('heldPosts')
        .values({ ...row, id: heldId, createdAt: new Date(board.clock.now) })
        .execute()
    }
    const [approved, dropped] = await Promise.all([
      admin.post(`/api/admin/held/${held[0]}/decision`, { action: 'approve' }),
      drop(from._id, to._id),
    ])
    expect([approved.status, dropped.status]).toEqual([200, 200])
    expect((await threadsOf(to.name)).map(({ title }) => title)).toEqual(['待つスレッド'])
    const rows = await db
      .selectFrom('heldPosts')
      .select(['id', 'status', 'categoryId'])
      .where('id', 'in', held)
      .execute()
    expect(rows.find(({ id }) => id === held[1])).toMatchObject({ status: 'waiting', categoryId: to._id })
    expect(rows.find(({ id }) => id === held[0])).toMatchObject({ status: 'approved' })
  })

  it('does not deadlock with a decision on a held text that locks the category next', async ({
    board,
    helpers: { create, drop },
  }) => {
    const [from, to] = [await create(), await create()]
    const { db } = board.database
    const heldId = uuidv7(board.clock.now)
    const payload = JSON.stringify({ name: null, title: '決めかけ', content: '待つ', image: null })
    const row = { status: 'waiting', why: 'word', categoryId: from._id, visitorId: heldId, payload } as const
    await db
      .insertInto('heldPosts')
      .values({ ...row, id: heldId, createdAt: new Date(board.clock.now) })
      .execute()
    const decision = await db.startTransaction().execute()
    await lockHeld(decision, heldId)
    const dropping = drop(from._id, to._id)
    // Waits until the deletion blocks on the held row, while it holds no lock itself.
    await expect.poll(() => countLockWaits(db)).toBe(1)
    expect(await holdCategory(decision, from._id)).toBe(true)
    await markHeld(decision, heldId, { status: 'rejected', at: new Date(board.clock.now), threadId: null })
    await decision.commit().execute()
    expect((await dropping).status).toBe(200)
  })

  it('refuses a thread that would be held in it at this moment', async ({ board, admin, helpers: { create } }) => {
    const { _id, name } = await create()
    const { db } = board.database
    await admin.post('/api/admin/words', { word: '宣伝', action: 'hold', allow: [], note: '' })
    await board.deps.revisions.settle()
    const form = { title: '宣伝の話', content: '中身', category: name, nickname: '影' }
    const { opening } = await db.transaction().execute(async (tx) => {
      await lockCategories(tx)
      const opening = visit(board).form<{ code: string }>('/api/threads', form)
      await expect.poll(() => countLockWaits(db)).toBe(1)
      await deleteCategory(tx, _id)
      return { opening }
    })
    expect(await opening).toMatchObject({ status: 400, body: { code: 'bad_category' } })
  })

  it('moves more threads than fit in one step, while visitors open others and write', async ({
    board,
    helpers: { create, drop },
  }) => {
    const [from, to] = [await create(), await create()]
    const threads = CATEGORY_MOVE_STEP * 2 + 10
    const guest = visit(board)
    const first = await startThread(guest, { category: from.name, nickname: '影' })
    for (let count = 1; count < threads; count += 1) {
      await insertThread(board.database.db, {
        ...{
          id: uuidv7(board.clock.now),
          postId: uuidv7(board.clock.now),
          categoryId: from._id,
          title: '題名',
          excerpt: '',
          content: '草',
        },
        ...{ nickname: null, userId: null, visitorId: first._id, image: null, at: board.clock.now },
      })
    }
    let opened = 0
    let isDone = false
    const writers = (async () => {
      while (!isDone) {
        const answer = await guest.form('/api/threads', {
          ...{ title: '割り込むスレッド', content: '草', category: from._id, nickname: '影' },
        })
        // Requests after the end are told that the category is gone.
        if (answer.status === 201) opened += 1
        else expect([400, 404]).toContain(answer.status)
        await writeTo(guest, first, '書き続ける', '影')
      }
    })()
    const answer = await drop(from._id, to._id)
    isDone = true
    await writers
    expect(answer.status).toBe(200)
    const { count } = await board.database.db
      .selectFrom('threads')
      .select((query) => query.fn.countAll<string>().as('count'))
      .where('categoryId', '=', to._id)
      .executeTakeFirstOrThrow()
    expect(Number(count)).toBe(threads + opened)
  })

  it('is refused for an invalid target, an unknown category, and the last one', async ({
    board,
    helpers: { create, drop },
  }) => {
    const category = await create()
    await startThread(visit(board), { category: category.name, nickname: '影' })
    const nowhere = uuidv7(board.clock.now)
    expect(await drop(category._id, category._id)).toMatchObject({
      status: 400,
      body: { message: messages.category_move_self },
    })
    expect((await drop(category._id, nowhere)).status).toBe(400)
    expect((await drop(nowhere)).status).toBe(404)
    const own = await openBoard()
    const chief = await signUp(own, '頭領', { isAdmin: true })
    const { body } = await chief.get<{ categories: Category[] }>('/api/admin/categories')
    // All at once: the last request finds the last category.
    const answers = await Promise.all(body.categories.map(({ _id }) => chief.delete(`/api/admin/categories/${_id}`)))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 200, 200, 200, 200, 400])
    expect((await chief.get<{ categories: Category[] }>('/api/admin/categories')).body.categories).toHaveLength(1)
    await own.close()
  })

  it('succeeds once when it is requested twice at once', async ({ helpers: { create, drop } }) => {
    const category = await create()
    const answers = await Promise.all([drop(category._id), drop(category._id)])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 404])
  })

  it("removes moderators without another category from the moderators' room", async ({
    board,
    helpers: { create, drop },
  }) => {
    const category = await create()
    const moderator = await signUp(board, undefined, { moderates: [category._id] })
    const socket = await connectTo(await board.listen(), moderator)
    expect(await board.io.in('moderators').fetchSockets()).toHaveLength(1)
    expect((await drop(category._id)).status).toBe(200)
    expect(await board.io.in('moderators').fetchSockets()).toHaveLength(0)
    socket.disconnect()
  })
})

/** Posts that stand under the seal of those who run the board, which nobody can type. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { messages } from '@shinobi/contract/messages'
import type { ModerationCase } from '@shinobi/contract/moderation'
import type { Post } from '@shinobi/contract/posts'
import type { Thread } from '@shinobi/contract/threads'
import {
  connectTo,
  enter,
  hear,
  openBoard,
  send,
  signUp,
  startThread,
  visit,
  writeTo,
  type Board,
  type Guest,
} from '../../testing/board.ts'

let board: Board
let thread: Thread
let elsewhere: Thread
beforeAll(async () => {
  board = await openBoard()
  const host = visit(board)
  const categories = (await host.get<{ name: string }[]>('/api/categories')).body
  thread = await startThread(host)
  elsewhere = await startThread(host, { category: categories[1]!.name, title: '別の場所です' })
})
afterAll(() => board.close())

type Refusal = { code: string; message: string }
const post = (who: Guest, where = thread, fields: object = {}) =>
  who.post<Post & Refusal>(`/api/threads/${where._id}/posts`, { content: 'お知らせです', asStaff: true, ...fields })
const read = async ({ _id, threadId }: Post): Promise<Post> =>
  (await visit(board).get<Post[]>(`/api/threads/${threadId}/posts`)).body.find((one) => one._id === _id)!
const refused = { status: 403, body: { code: 'forbidden', message: messages.staff_only } }

it('an administrator, and a moderator in their categories, write as staff where they ask for it, and everybody sees it', async () => {
  const admin = await signUp(board, '頭領', { isAdmin: true })
  const moderator = await signUp(board, '見回り', { moderates: [thread.categoryId] })
  for (const who of [admin, moderator]) {
    const answer = await post(who)
    expect(answer).toMatchObject({ status: 201, body: { name: who.name, staff: true } })
    expect(await read(answer.body)).toEqual(answer.body)
    // Not unasked.
    expect(await writeTo(who, thread, '一人の会員として')).not.toHaveProperty('staff')
    expect((await post(who, thread, { asStaff: false })).body).not.toHaveProperty('staff')
  }
  expect((await post(admin, elsewhere)).status).toBe(201)
  const form = { content: '書式から', asStaff: 'true' }
  expect((await moderator.form<Post>(`/api/threads/${thread._id}/posts`, form)).body).toMatchObject({ staff: true })
})

it('nobody else does: neither members and strangers, nor a moderator elsewhere, and nothing is written', async () => {
  const outsider = await signUp(board, undefined, { moderates: [elsewhere.categoryId] })
  const before = (await visit(board).get<Thread>(`/api/threads/${thread._id}`)).body.postCount
  expect(await post(await signUp(board))).toMatchObject(refused)
  expect(await post(outsider)).toMatchObject(refused)
  expect(await post(visit(board), thread, { name: '名無しの忍者' })).toMatchObject(refused)
  const fields = { title: '偽の告知', content: '本文', category: 'general', asStaff: 'true' }
  expect(await outsider.form('/api/threads', fields)).toMatchObject(refused)
  expect((await visit(board).get<Thread>(`/api/threads/${thread._id}`)).body.postCount).toBe(before)
})

it('a moderator who has to set up a second factor first does not', async () => {
  const { current } = board.deps.settings
  const moderator = await signUp(board, undefined, { moderates: 'all' })
  Object.defineProperty(board.deps.settings, 'current', {
    configurable: true,
    get: () => ({ ...current, requireModeratorSecondFactor: true }),
  })
  expect(await post(moderator)).toMatchObject(refused)
  Object.defineProperty(board.deps.settings, 'current', { configurable: true, get: () => current })
  expect((await post(moderator)).status).toBe(201)
})

it('travels over the socket, to the writer and to the room', async () => {
  const admin = await signUp(board, undefined, { isAdmin: true })
  const [mine, other] = await Promise.all([connectTo(await board.listen(), admin), connectTo(await board.listen())])
  await Promise.all([enter(mine, thread._id), enter(other, thread._id)])
  const heard = hear(other, 1)
  const answer = await send(mine, { threadId: thread._id, content: 'お知らせ', asStaff: true })
  expect(answer).toMatchObject({ post: { staff: true } })
  expect(await heard).toMatchObject([{ staff: true }])
  expect(await send(other, { threadId: thread._id, content: '偽物', name: '影', asStaff: true })).toMatchObject({
    error: { code: 'forbidden', message: messages.staff_only },
  })
  mine.disconnect()
  other.disconnect()
})

it('opens a thread, stands in the moderators’ case, and goes with the post', async () => {
  const admin = await signUp(board, undefined, { isAdmin: true })
  const announced = await startThread(admin, { title: '告知です', asStaff: 'true' })
  const [opening] = (await visit(board).get<Post[]>(`/api/threads/${announced._id}/posts`)).body
  expect(opening).toMatchObject({ number: 1, staff: true })
  const report = { reason: '通報します', content: '' }
  await visit(board).post(`/api/threads/${announced._id}/posts/${opening!._id}/report`, report)
  const url = `/api/admin/cases/${announced._id}/${opening!._id}`
  expect((await admin.get<ModerationCase>(url)).body).toMatchObject({ post: { staff: true } })
  await admin.delete(`/api/admin/posts/${opening!._id}`)
  expect(await read(opening!)).not.toHaveProperty('staff')
})

it('is kept by a post that waits for a moderator', async () => {
  const { db } = board.database
  await db
    .insertInto('bannedWords')
    .values({
      ...{ id: '01900000-0000-7000-8000-00000000000b', word: '確認語', allow: '[]', action: 'hold' },
      createdAt: new Date(),
    })
    .execute()
  await board.deps.words.reload()
  const admin = await signUp(board, undefined, { isAdmin: true })
  for (const ask of [
    () =>
      admin.post<{ held: { _id: string } }>(`/api/threads/${thread._id}/posts`, { content: '確認語', asStaff: true }),
    () =>
      admin.form<{ held: { _id: string } }>('/api/threads', {
        ...{ title: '確認を待つ', content: '確認語', category: 'general', asStaff: 'true' },
      }),
  ]) {
    const answer = await ask()
    expect(answer.status).toBe(202)
    const id = answer.body.held._id
    expect((await admin.post(`/api/admin/held/${id}/decision`, { action: 'approve' })).status).toBe(200)
    const row = await db
      .selectFrom('posts')
      .select('asStaff')
      .where('content', '=', '確認語')
      .orderBy('createdAt', 'desc')
      .orderBy('id', 'desc')
      .executeTakeFirst()
    expect(row).toEqual({ asStaff: true })
    await db.deleteFrom('posts').where('content', '=', '確認語').execute()
  }
})

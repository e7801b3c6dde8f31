/** Posts with the staff mark, which no name can imitate. */
import { expect } from 'vitest'
import { messages } from '@shinobi/contract/messages'
import type { HeldItem, ModerationCase } from '@shinobi/contract/moderation'
import type { Post } from '@shinobi/contract/posts'
import type { Thread } from '@shinobi/contract/threads'
import { connectTo, enter, hear, send, signUp, startThread, visit, writeTo, type Guest } from '../../testing/board.ts'
import { boardTest } from '../../testing/fixtures.ts'

const it = boardTest
  .extend('host', { scope: 'file' }, ({ board }) => visit(board))
  .extend('thread', { scope: 'file' }, ({ host }) => startThread(host))
  .extend('elsewhere', { scope: 'file' }, async ({ host }) => {
    const categories = (await host.get<{ name: string }[]>('/api/categories')).body
    return startThread(host, { category: categories[1]!.name, title: '別の場所です' })
  })
  .extend('helpers', ({ board, thread }) => {
    const post = (who: Guest, where = thread, fields: object = {}) =>
      who.post<Post & Refusal>(`/api/threads/${where._id}/posts`, { content: 'お知らせです', asStaff: true, ...fields })
    const read = async ({ _id, threadId }: Post): Promise<Post> =>
      (await visit(board).get<Post[]>(`/api/threads/${threadId}/posts`)).body.find((one) => one._id === _id)!
    return { post, read }
  })

type Refusal = { code: string; message: string }
const refused = { status: 403, body: { code: 'forbidden', message: messages.staff_only } }

it('an administrator, and a moderator in their categories, write as staff on request, and every reader sees the mark', async ({
  board,
  thread,
  elsewhere,
  helpers: { post, read },
}) => {
  const admin = await signUp(board, '頭領', { isAdmin: true })
  const moderator = await signUp(board, '見回り', { moderates: [thread.categoryId] })
  for (const who of [admin, moderator]) {
    const answer = await post(who)
    expect(answer).toMatchObject({ status: 201, body: { name: who.name, staff: true } })
    expect(await read(answer.body)).toEqual(answer.body)
    // Without the request, the post has no mark.
    expect(await writeTo(who, thread, '一人の会員として')).not.toHaveProperty('staff')
    expect((await post(who, thread, { asStaff: false })).body).not.toHaveProperty('staff')
  }
  expect((await post(admin, elsewhere)).status).toBe(201)
  const form = { content: '書式から', asStaff: 'true' }
  expect((await moderator.form<Post>(`/api/threads/${thread._id}/posts`, form)).body).toMatchObject({ staff: true })
})

it('members, visitors and moderators of other categories are refused when they ask to write as staff, and nothing is stored', async ({
  board,
  thread,
  elsewhere,
  helpers: { post },
}) => {
  const outsider = await signUp(board, undefined, { moderates: [elsewhere.categoryId] })
  const before = (await visit(board).get<Thread>(`/api/threads/${thread._id}`)).body.postCount
  expect(await post(await signUp(board))).toMatchObject(refused)
  expect(await post(outsider)).toMatchObject(refused)
  expect(await post(visit(board), thread, { name: '名無しの忍者' })).toMatchObject(refused)
  const fields = { title: '偽の告知', content: '本文', category: 'general', asStaff: 'true' }
  expect(await outsider.form('/api/threads', fields)).toMatchObject(refused)
  expect((await visit(board).get<Thread>(`/api/threads/${thread._id}`)).body.postCount).toBe(before)
})

it('a moderator without the required second factor is refused when they ask to write as staff', async ({
  board,
  helpers: { post },
}) => {
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

it('the staff mark is sent over the socket, to the author and to the room', async ({ board, thread }) => {
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

it('the staff mark is on the opening post and in its case, and disappears when the post is removed', async ({
  board,
  helpers: { read },
}) => {
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

it('a held post shows its staff mark on the desk, and keeps it when it is approved', async ({ board, thread }) => {
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
    const { held } = (await admin.get<{ held: HeldItem[] }>('/api/admin/held')).body
    expect(held.find((item) => item._id === id)).toMatchObject({ staff: true })
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

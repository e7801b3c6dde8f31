import { expect } from 'vitest'
import type { WriterHistory } from '@shinobi/contract/admin'
import type { BanTarget } from '@shinobi/contract/bans'
import { messages } from '@shinobi/contract/messages'
import type { Post } from '@shinobi/contract/posts'
import type { Thread } from '@shinobi/contract/threads'
import { uuidv7 } from '../../lib/uuid.ts'
import { signUp, startThread, visit, writeTo, type Guest } from '../../testing/board.ts'
import { boardTest } from '../../testing/fixtures.ts'

const it = boardTest.extend('helpers', ({ board, admin }) => {
  const ask = (target: BanTarget, guest: Guest = admin) =>
    guest.get<WriterHistory>(
      'userId' in target
        ? `/api/admin/users/${target.userId}/history`
        : `/api/admin/writers/${target.threadId}/${target.postId}`,
    )
  async function historyOf(target: BanTarget, guest: Guest = admin): Promise<WriterHistory> {
    const answer = await ask(target, guest)
    expect(answer.status).toBe(200)
    return answer.body
  }
  const report = async (post: Post): Promise<void> => {
    const url = `/api/threads/${post.threadId}/posts/${post._id}/report`
    expect((await visit(board).post(url, { reason: '荒らしです', content: post.content })).status).toBe(200)
  }
  const ban = async (target: object, scope: 'site' | 'thread'): Promise<void> => {
    const terms = { target, on: ['visitor'], scope, reason: '荒らし', hours: 24 }
    expect((await admin.post('/api/admin/bans', terms)).status).toBe(201)
  }
  const firstPost = async (thread: Thread): Promise<Post> =>
    (await visit(board).get<Post[]>(`/api/threads/${thread._id}/posts`)).body[0]!
  return { ask, historyOf, report, ban, firstPost }
})
it.beforeEach(({ board }) => {
  board.clock.now += 1_000
})

const placeOf = ({ threadId, _id }: Post) => ({ threadId, postId: _id })

it("the history of an anonymous writer shows the browser's posts, threads, reports and bans, and never its id", async ({
  board,
  admin,
  helpers: { ask, historyOf, report, ban, firstPost },
}) => {
  const [writer, bystander] = [visit(board, '198.51.100.7'), visit(board, '198.51.100.7')]
  const thread = await startThread(bystander, { nickname: '傍の影', category: 'world' })
  const own = await startThread(writer, { title: '乱れ撃ち', category: 'rant' })
  board.clock.now += 1
  const first = await writeTo(writer, thread, '荒らし一', '乱太')
  board.clock.now += 1
  const gone = await writeTo(writer, thread, '荒らし二', '乱太二号')
  await writeTo(bystander, thread, '私は別人', '傍の影')
  await report(first)
  expect((await admin.delete(`/api/admin/posts/${gone._id}`)).status).toBe(200)
  await ban(placeOf(first), 'thread')
  await ban(placeOf(first), 'site')

  const history = await historyOf(placeOf(first))
  expect(history).toMatchObject({
    label: expect.stringMatching(/^訪問者 /),
    memberSince: null,
    threads: [{ _id: own._id, title: '乱れ撃ち' }],
    posts: [{ content: '荒らし二', deleted: true }, { content: '荒らし一' }, { number: 1, threadId: { _id: own._id } }],
    cases: [{ postId: first._id, status: 'open', reports: 1, decision: null }],
    bans: [{ scope: 'site' }, { scope: 'thread' }],
  })
  expect(await historyOf(placeOf(gone))).toEqual(history)
  const { visitorId } = await board.database.db
    .selectFrom('posts')
    .select('visitorId')
    .where('id', '=', first._id)
    .executeTakeFirstOrThrow()
  for (const secret of [visitorId!, '198.51.100']) expect(JSON.stringify(history)).not.toContain(secret)

  // A moderator of one category sees its posts, and none of another.
  const { categoryId } = thread
  const moderator = await signUp(board, undefined, { moderates: [categoryId] })
  expect(await historyOf(placeOf(first), moderator)).toMatchObject({
    threads: [],
    posts: [{ content: '荒らし二' }, { content: '荒らし一' }],
    cases: [{ postId: first._id }],
    bans: [{ scope: 'thread' }],
  })
  expect((await ask(placeOf(await firstPost(own)), moderator)).status).toBe(403)
})

it("the history of a member is by account, whether requested by post or by member, without the browser's anonymous posts", async ({
  board,
  helpers: { ask, historyOf },
}) => {
  const member = await signUp(board, '葵の紋')
  const thread = await startThread(visit(board), { category: 'world' })
  const own = await startThread(member, { title: '葵の御殿', category: 'rant' })
  board.clock.now += 1
  const post = await writeTo(member, thread, '控えよ')
  expect((await member.post('/auth/logout')).status).toBe(200)
  await writeTo(member, thread, '名を伏せて', '覆面')

  const history = await historyOf({ userId: member.userId })
  expect(history).toMatchObject({
    label: '葵の紋',
    memberSince: expect.stringMatching(/Z$/),
    threads: [{ _id: own._id }],
    posts: [{ content: '控えよ' }, { number: 1, threadId: { _id: own._id } }],
    cases: [],
    bans: [],
  })
  expect(await historyOf(placeOf(post))).toEqual(history)
  const moderator = await signUp(board, undefined, { moderates: [thread.categoryId] })
  expect(await historyOf(placeOf(post), moderator)).toMatchObject({
    threads: [],
    posts: [{ content: '控えよ' }],
  })
  expect((await ask({ userId: member.userId }, moderator)).status).toBe(403)
})

it('the history is not found for a post without a known writer, and for unknown ids', async ({
  board,
  helpers: { ask, firstPost },
}) => {
  const thread = await startThread(visit(board))
  const post = await firstPost(thread)
  await board.database.db.updateTable('posts').set({ visitorId: null }).where('id', '=', post._id).execute()
  expect(await ask(placeOf(post))).toMatchObject({ status: 404, body: { message: messages.writer_unknown } })
  const nowhere = uuidv7(board.clock.now)
  expect((await ask({ userId: nowhere })).status).toBe(404)
  expect((await ask({ threadId: thread._id, postId: nowhere })).status).toBe(404)
})

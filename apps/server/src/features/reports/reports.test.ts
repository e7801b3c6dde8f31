import { sql } from 'kysely'
import { expect } from 'vitest'
import { messages } from '@shinobi/contract/messages'
import type { Post } from '@shinobi/contract/posts'
import type { ReportEvidence } from '../../db/tables.ts'
import { signUp, startThread, visit, writeTo, type Guest } from '../../testing/board.ts'
import { boardTest } from '../../testing/fixtures.ts'
import { picture } from '../../testing/outside/picture.ts'

const NOWHERE = '01900000-0000-7000-8000-00000000dead'
const RECEIVED = { message: '通報を受け付けました。' }

const it = boardTest
  .extend('writer', { scope: 'file' }, ({ board }) => visit(board))
  .extend('thread', { scope: 'file' }, ({ writer }) => startThread(writer))
  .extend('helpers', ({ board }) => {
    const stored = (post: Post) =>
      board.database.db.selectFrom('reports').selectAll().where('postId', '=', post._id).orderBy('id').execute()
    return { stored }
  })

const addressOf = (post: Pick<Post, 'threadId' | '_id'>) => `/api/threads/${post.threadId}/posts/${post._id}/report`
const report = (who: Guest, post: Pick<Post, 'threadId' | '_id'>, fields: object = {}) =>
  who.post(addressOf(post), { reason: '荒らしです', content: '見た文', ...fields })

it('a visitor’s report is stored with the content of the post and the text that the visitor saw', async ({
  board,
  writer,
  thread,
  helpers: { stored },
}) => {
  const { body: post } = await writer.form<Post>(`/api/threads/${thread._id}/posts`, {
    content: 'ひどいこと',
    name: '荒らし',
    image: await picture(),
  })
  const visitor = visit(board)
  const answer = await report(visitor, post, { reason: '  人を傷つけている \n', content: 'ひどいこと（表示のまま）' })
  expect([answer.status, answer.body]).toEqual([200, RECEIVED])
  expect(visitor.cookies.has('visitor')).toBe(true)
  const rows = await stored(post)
  expect(rows).toHaveLength(1)
  expect(rows[0]).toMatchObject({ threadId: thread._id, userId: null, reason: '人を傷つけている' })
  const imageKey = /images\/(.+)\.webp$/.exec(post.imageUrl!)![1]
  const evidence: ReportEvidence = {
    ...{ number: post.number, name: '荒らし', content: 'ひどいこと', imageKey: imageKey! },
    seen: 'ひどいこと（表示のまま）',
  }
  expect(rows[0]!.evidence).toEqual(evidence)
})

it('a reporter counts once per post, and the first report stays unchanged', async ({
  board,
  writer,
  thread,
  helpers: { stored },
}) => {
  const post = await writeTo(writer, thread, '一度だけ数える', '書き手')
  const visitor = visit(board)
  await report(visitor, post, { reason: '最初の理由' })
  // More than the limit of ten minutes, but not concurrently: each counts until it is known to be a
  // repetition.
  for (let round = 0; round < 2; round += 1) {
    const again = await Promise.all(
      Array.from({ length: 15 }, () => report(visitor, post, { reason: '別の理由', content: '別の文' })),
    )
    expect(again.map(({ status, body }) => [status, body])).toEqual(again.map(() => [200, RECEIVED]))
  }
  expect(await stored(post)).toMatchObject([{ reason: '最初の理由', evidence: { seen: '見た文' } }])
  await report(visit(board), post)
  expect(await stored(post)).toHaveLength(2)
})

it('a member counts as one reporter in all browsers', async ({ board, writer, thread, helpers: { stored } }) => {
  const post = await writeTo(writer, thread, '会員が見つけた', '書き手')
  const member = await signUp(board, '見回り役')
  const phone = visit(board)
  await phone.post('/auth/login', { username: '見回り役', password: '忍びの合言葉 42' })
  for (const browser of [member, phone]) expect((await report(browser, post)).status).toBe(200)
  expect(await stored(post)).toMatchObject([{ reporter: member.userId, userId: member.userId }])
})

it.for([
  ['without a reason', {}, messages.report_reason_short],
  ['with a reason of two characters', { reason: ' だめ　' }, messages.report_reason_short],
  ['with a reason of a family and a half', { reason: '👨‍👩‍👧だ' }, messages.report_reason_short],
  ['with a reason of zero-width spaces', { reason: '\u200b\u200b\u200b\u200b' }, messages.report_reason_short],
  ['with a reason of 501 characters', { reason: 'あ'.repeat(501) }, messages.report_reason_long],
] as const)(
  'a report %s is refused with its message',
  async ([, fields, message], { board, writer, thread, helpers: { stored } }) => {
    const post = await writeTo(writer, thread, '普通の書き込み', '書き手')
    const answer = await visit(board).post(addressOf(post), { content: '', ...fields })
    expect([answer.status, answer.body]).toEqual([400, { message, code: 'bad_reason' }])
    expect(await stored(post)).toEqual([])
  },
)

it('the text that the client saw is stored without NUL and lone surrogates', async ({
  board,
  writer,
  thread,
  helpers: { stored },
}) => {
  const post = await writeTo(writer, thread, '文字の墓場', '書き手')
  const answer = await report(visit(board), post, { content: 'a\0b\ud800c' })
  expect(answer.status).toBe(200)
  expect(await stored(post)).toMatchObject([{ evidence: { seen: 'ab\ufffdc' } }])
})

it('a report of a post that does not exist, is removed or is in another thread gets 404', async ({
  board,
  writer,
  thread,
}) => {
  const [post, removed] = [await writeTo(writer, thread, '一', '書き手'), await writeTo(writer, thread, '二', '書き手')]
  const elsewhere = await startThread(writer)
  await sql`update posts set "deletedAt" = now() where id = ${removed._id}::uuid`.execute(board.database.db)
  for (const target of [
    { threadId: thread._id, _id: NOWHERE },
    { threadId: NOWHERE, _id: post._id },
    { threadId: elsewhere._id, _id: post._id },
    removed,
  ]) {
    const answer = await report(visit(board), target)
    expect([answer.status, answer.body]).toEqual([404, { message: messages.post_not_found, code: 'not_found' }])
  }
  expect((await report(visit(board), { threadId: thread._id, _id: 'abc' })).status).toBe(404)
})

it('twenty reports are accepted in ten minutes, not counting repeated and refused ones', async ({
  board,
  writer,
  thread,
}) => {
  const visitor = visit(board, '198.51.100.20')
  const posts = []
  for (let index = 0; index < 21; index += 1) posts.push(await writeTo(writer, thread, `荒らし${index}`, '書き手'))
  for (let index = 0; index < 25; index += 1) {
    await report(visitor, { threadId: thread._id, _id: NOWHERE })
    await report(visitor, posts[0]!)
  }
  for (const post of posts.slice(1, 20)) expect((await report(visitor, post)).status).toBe(200)
  const refused = await report(visitor, posts[20]!)
  expect([refused.status, refused.body]).toEqual([
    429,
    { message: messages.reports_limited, code: 'too_many_requests' },
  ])
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
})

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ErrorAnswer } from '@shinobi/contract/errors'
import { messages } from '@shinobi/contract/messages'
import type { Post } from '@shinobi/contract/posts'
import type { Thread } from '@shinobi/contract/threads'
import {
  openBoard,
  openTestDatabase,
  signUp,
  startThread,
  visit,
  writeTo,
  type Board,
  type Guest,
  type MemberGuest,
} from '../../testing/board.ts'
import { caseOf, decide, readPost, reportTimes, undo } from '../../testing/reporting.ts'

let board: Board
let moderator: MemberGuest
let thread: Thread
beforeAll(async () => {
  board = await openBoard({ SPAM_POSTS: '10000' })
  moderator = await signUp(board, '見回り組', { moderates: 'all' })
})
beforeEach(async () => {
  thread = await startThread(visit(board), { title: '荒れているスレッド' })
})
afterAll(() => board.close())

const entries = () =>
  board.database.db.selectFrom('auditLog').selectAll().where('threadId', '=', thread._id).orderBy('id').execute()
/** A post that somebody has reported. */
async function reported(content = '荒らしの書き込み', writer: Guest = visit(board)): Promise<Post> {
  const post = await writeTo(writer, thread, content, `荒らし${(names += 1)}`)
  await reportTimes(board, post, 1)
  return post
}
let names = 0

describe('a decision', () => {
  it('to dismiss leaves the post as it is', async () => {
    const post = await reported()
    expect((await decide(moderator, post, { action: 'dismiss', note: '問題なし' })).body.case).toMatchObject({
      ...{ status: 'closed', decision: 'dismiss', note: '問題なし' },
      post: { deleted: false },
    })
    expect(await entries()).toMatchObject([
      { action: 'case_dismiss', actorName: '見回り組', reason: '問題なし', isPublic: false, number: post.number },
    ])
  })

  it('to remove everything by this writer takes all of theirs in every thread, and nothing else', async () => {
    const vandal = visit(board)
    const second = await startThread(vandal, { nickname: '荒らし本人', title: '荒らしの立てたスレ' })
    const theirs = [
      await writeTo(vandal, thread, '一', '荒らしの顔'),
      await writeTo(vandal, thread, '二', '荒らしの別の顔'),
      await writeTo(vandal, second, '三', '荒らし本人'),
    ]
    const bystander = await writeTo(visit(board), thread, '無関係', `通りすがり${(names += 1)}`)
    await reportTimes(board, theirs[0]!, 1)
    const { body } = await decide(moderator, theirs[0]!, { action: 'remove_all', rule: 'disturb' })
    expect(body.removed).toBe(4)
    for (const post of theirs) expect(await readPost(board, post)).toMatchObject({ deleted: true, rule: 'disturb' })
    expect(await readPost(board, bystander)).toMatchObject({ deleted: false })
    expect(await entries()).toMatchObject([
      {
        action: 'posts_remove',
        isPublic: true,
        rule: 'disturb',
        details: { count: 4, posts: { [thread._id]: [3, 2], [second._id]: [1, 2] } },
      },
    ])
  })

  it('to remove everything by this writer answers what else was reported of them, and an undo asks it again', async () => {
    const vandal = visit(board)
    const second = await startThread(vandal, { nickname: '荒らし本人' })
    const theirs = [
      await writeTo(vandal, thread, '一', '荒らしの顔'),
      await writeTo(vandal, thread, '二', '荒らしの顔'),
      await writeTo(vandal, second, '三', '荒らし本人'),
    ]
    for (const post of theirs) await reportTimes(board, post, 1)
    const { actionId } = (await decide(moderator, theirs[0]!, { action: 'remove_all', rule: 'law' })).body
    for (const post of theirs) {
      expect(await caseOf(moderator, post)).toMatchObject({ status: 'closed', decision: 'remove_all', actionId })
    }
    expect((await undo(moderator, actionId)).status).toBe(200)
    for (const post of theirs) {
      expect(await caseOf(moderator, post)).toMatchObject({ status: 'open', decision: null, post: { deleted: false } })
    }
  })

  it('to remove everything by a member leaves what the same browser wrote as a stranger', async () => {
    const browser = await signUp(board)
    const asMember = await writeTo(browser, thread, '会員として')
    const asStranger = await writeTo(visit(board), thread, '別人として', `別人${(names += 1)}`)
    await reportTimes(board, asMember, 1)
    const { body } = await decide(moderator, asMember, { action: 'remove_all', rule: 'disturb' })
    expect(body.removed).toBe(1)
    expect(await readPost(board, asStranger)).toMatchObject({ deleted: false })
  })

  it('to ban removes the post, and keeps its writer from writing', async () => {
    const vandal = visit(board)
    const post = await reported('荒らしの書き込み', vandal)
    const ban = { on: ['visitor'], scope: 'site', reason: '荒らし行為', hours: 24 }
    const answer = await decide(moderator, post, { action: 'ban', rule: 'hurt', ban })
    expect(answer).toMatchObject({ status: 200, body: { removed: 1, case: { decision: 'ban' } } })
    await board.deps.revisions.settle()
    const refused = await vandal.post<ErrorAnswer>(`/api/threads/${thread._id}/posts`, {
      content: 'また来た',
      name: '影',
    })
    expect(refused).toMatchObject({ status: 403, body: { code: 'banned' } })
    expect(await entries()).toMatchObject([{ action: 'post_remove', isPublic: true, rule: 'hurt' }])
  })

  it('to ban the network knows the address of a post in a logged thread, when an administrator decides', async () => {
    const admin = await signUp(board, undefined, { isAdmin: true })
    await admin.post(`/api/admin/threads/${thread._id}/tracing`, { reason: '犯行予告の疑い', hours: 1 })
    await board.deps.revisions.settle()
    const post = await reported('荒らしの書き込み', visit(board, '192.0.2.40'))
    // Nothing else knows this network.
    await board.database.db.deleteFrom('origins').execute()
    const ban = { on: ['network'], scope: 'thread', reason: '荒らし行為', hours: 24 }
    expect((await decide(admin, post, { action: 'ban', rule: 'hurt', ban })).status).toBe(200)
    await board.deps.revisions.settle()
    const write = (address: string) =>
      visit(board, address).post(`/api/threads/${thread._id}/posts`, { content: '来た', name: `影${(names += 1)}` })
    expect((await write('192.0.2.77')).status).toBe(403)
    expect((await write('192.0.3.77')).status).toBe(201)
  })

  it('to ban whom one must not ban changes nothing', async () => {
    const admin = await signUp(board, undefined, { isAdmin: true })
    const post = await writeTo(admin, thread, '管理者の書き込み')
    await reportTimes(board, post, 1)
    const ban = { on: ['user'], scope: 'site', reason: '謀反', hours: null }
    expect((await decide(moderator, post, { action: 'ban', rule: 'hurt', ban })).status).toBe(403)
    expect(await caseOf(moderator, post)).toMatchObject({ status: 'open', post: { deleted: false } })
    expect(await entries()).toEqual([])
  })

  it('to lock closes the thread and leaves the post; a second case of a locked thread is closed too', async () => {
    const [post, other] = [await reported(), await reported()]
    expect((await decide(moderator, post, { action: 'lock' })).body.case).toMatchObject({
      ...{ decision: 'lock', thread: { locked: true }, post: { deleted: false } },
    })
    const refused = await visit(board).post(`/api/threads/${thread._id}/posts`, { content: 'まだ書ける？', name: '影' })
    expect(refused.status).toBe(423)
    expect((await decide(moderator, other, { action: 'lock' })).status).toBe(200)
  })

  it('is taken once: of two moderators at the same moment one hears that somebody else was first', async () => {
    const colleague = await signUp(board, undefined, { moderates: 'all' })
    for (const pair of [
      [{ action: 'dismiss' }, { action: 'remove', rule: 'law' }],
      [
        { action: 'remove', rule: 'law' },
        { action: 'remove', rule: 'hurt' },
      ],
    ]) {
      const post = await reported()
      const before = (await entries()).length
      const answers = await Promise.all([decide(moderator, post, pair[0]!), decide(colleague, post, pair[1]!)])
      expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409])
      expect(answers.find(({ status }) => status === 409)!.body).toEqual({
        code: 'already_done',
        message: messages.case_closed,
      })
      expect(await entries()).toHaveLength(before + 1)
    }
  })

  it('is not needed any more for a post that was removed from a list', async () => {
    const post = await reported()
    expect((await moderator.delete(`/api/admin/posts/${post._id}?rule=law`)).status).toBe(200)
    expect(await caseOf(moderator, post)).toMatchObject({ status: 'closed', decision: 'remove', decidedBy: '見回り組' })
  })

  it('names nobody to a moderator of some categories but themselves', async () => {
    const scoped = await signUp(board, undefined, { moderates: [thread.categoryId] })
    const [theirs, own] = [await reported(), await reported()]
    await decide(moderator, theirs, { action: 'dismiss' })
    await decide(scoped, own, { action: 'dismiss' })
    expect((await caseOf(scoped, theirs)).decidedBy).toBe(messages.staff)
    expect((await caseOf(scoped, own)).decidedBy).toBe(scoped.name)
    expect((await caseOf(moderator, own)).decidedBy).toBe(scoped.name)
  })

  it('asks for a rule where something is removed, and for a case', async () => {
    const post = await reported()
    expect((await decide(moderator, post, { action: 'remove' })).status).toBe(400)
    expect((await decide(moderator, post, { action: 'forgive' })).status).toBe(400)
    const calm = await writeTo(visit(board), thread, '通報されていない', `静かな人${(names += 1)}`)
    expect(await decide(moderator, calm, { action: 'dismiss' })).toMatchObject({
      status: 404,
      body: { message: messages.case_not_found },
    })
  })

  it('does not wait in a circle with posts, reports and other decisions about the same threads', async () => {
    const colleague = await signUp(board, undefined, { moderates: 'all' })
    const vandal = visit(board)
    const other = await startThread(visit(board))
    const posts = []
    for (let index = 0; index < 12; index += 1) {
      const post = await writeTo(vandal, index % 2 === 0 ? thread : other, `荒らし${index}`, '荒らしの顔')
      await reportTimes(board, post, 1)
      posts.push(post)
    }
    const answers = await Promise.all([
      ...posts.map((post, index) =>
        decide(index % 2 === 0 ? moderator : colleague, post, {
          action: index < 4 ? 'remove_all' : 'remove',
          rule: 'law',
        }),
      ),
      ...posts.map((post) =>
        visit(board).post(`/api/threads/${post.threadId}/posts`, { content: '横から', name: `横${(names += 1)}` }),
      ),
      ...posts.map((post) =>
        reportTimes(board, post, 1).then(
          () => ({ status: 200 }),
          () => ({ status: 404 }),
        ),
      ),
    ])
    expect(answers.filter(({ status }) => status >= 500)).toEqual([])
    for (const post of posts) expect(await readPost(board, post)).toMatchObject({ deleted: true })
  })
})

it('two servers on one database decide a case once', async () => {
  const database = await openTestDatabase()
  const [one, two] = [await openBoard({}, database), await openBoard({}, database)]
  const chief = await signUp(one, '見回り組', { moderates: 'all' })
  const colleague = await signUp(two, '見回り弐', { moderates: 'all' })
  const place = await startThread(visit(one))
  const post = await writeTo(visit(one), place, '荒らし', '荒らし')
  await reportTimes(two, post, 1)
  const answers = await Promise.all([
    decide(chief, post, { action: 'remove', rule: 'law' }),
    decide(colleague, post, { action: 'dismiss' }),
  ])
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
  await one.close()
  await two.close()
  await database.close()
})

import { describe, expect } from 'vitest'
import type { ErrorAnswer } from '@shinobi/contract/errors'
import { messages } from '@shinobi/contract/messages'
import type { Post } from '@shinobi/contract/posts'
import { openBoard, openTestDatabase, signUp, startThread, visit, writeTo, type Guest } from '../../testing/board.ts'
import { boardTest } from '../../testing/fixtures.ts'
import { caseOf, caseUrl, decide, readPost, reportTimes, undo } from '../../testing/reporting.ts'

const it = boardTest
  .extend('thread', ({ board }) => startThread(visit(board), { title: '荒れているスレッド' }))
  .extend('helpers', ({ board, thread }) => {
    const entries = () =>
      board.database.db.selectFrom('auditLog').selectAll().where('threadId', '=', thread._id).orderBy('id').execute()
    /** Writes a post, and reports it. */
    async function reported(content = '荒らしの書き込み', writer: Guest = visit(board)): Promise<Post> {
      const post = await writeTo(writer, thread, content, `荒らし${(names += 1)}`)
      await reportTimes(board, post, 1)
      return post
    }
    return { entries, reported }
  })

let names = 0

describe('a decision', () => {
  it('to dismiss leaves the post, and has an internal entry with its note', async ({
    moderator,
    helpers: { entries, reported },
  }) => {
    const post = await reported()
    expect((await decide(moderator, post, { action: 'dismiss', note: '問題なし' })).body.case).toMatchObject({
      ...{ status: 'closed', decision: 'dismiss', note: '問題なし' },
      post: { deleted: false },
    })
    expect(await entries()).toMatchObject([
      { action: 'case_dismiss', actorName: '見回り組', reason: '問題なし', isPublic: false, number: post.number },
    ])
  })

  it('has as its reason what the case’s note says, when the moderator typed nothing more', async ({
    moderator,
    helpers: { entries, reported },
  }) => {
    const post = await reported()
    await moderator.put(`${caseUrl(post)}/note`, { note: '再三の注意に従わないため' })
    await decide(moderator, post, { action: 'remove', rule: 'law', note: '' })
    expect((await entries()).at(-1)).toMatchObject({ action: 'post_remove', reason: '再三の注意に従わないため' })
  })

  it('to remove everything by this writer removes their posts in all threads, and nobody else’s', async ({
    board,
    moderator,
    thread,
    helpers: { entries },
  }) => {
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

  it('to remove everything by this writer closes the cases of their other posts, and an undo reopens them', async ({
    board,
    moderator,
    thread,
  }) => {
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

  it('to remove everything by a member leaves what others posted without an account', async ({
    board,
    moderator,
    thread,
  }) => {
    const browser = await signUp(board)
    const asMember = await writeTo(browser, thread, '会員として')
    const asStranger = await writeTo(visit(board), thread, '別人として', `別人${(names += 1)}`)
    await reportTimes(board, asMember, 1)
    const { body } = await decide(moderator, asMember, { action: 'remove_all', rule: 'disturb' })
    expect(body.removed).toBe(1)
    expect(await readPost(board, asStranger)).toMatchObject({ deleted: false })
  })

  it('to ban removes the post, and its writer gets 403 on the next post', async ({
    board,
    moderator,
    thread,
    helpers: { entries, reported },
  }) => {
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

  it('to ban the network uses the logged address of a post, when an administrator decides', async ({
    board,
    thread,
    helpers: { reported },
  }) => {
    const admin = await signUp(board, undefined, { isAdmin: true })
    await admin.post(`/api/admin/threads/${thread._id}/tracing`, { reason: '犯行予告の疑い', hours: 1 })
    await board.deps.revisions.settle()
    const post = await reported('荒らしの書き込み', visit(board, '192.0.2.40'))
    // The log of the thread is now the only source of the network.
    await board.database.db.deleteFrom('origins').execute()
    const ban = { on: ['network'], scope: 'thread', reason: '荒らし行為', hours: 24 }
    expect((await decide(admin, post, { action: 'ban', rule: 'hurt', ban })).status).toBe(200)
    await board.deps.revisions.settle()
    const write = (address: string) =>
      visit(board, address).post(`/api/threads/${thread._id}/posts`, { content: '来た', name: `影${(names += 1)}` })
    expect((await write('192.0.2.77')).status).toBe(403)
    expect((await write('192.0.3.77')).status).toBe(201)
  })

  it('to ban an administrator is refused with 403, and changes nothing', async ({
    board,
    moderator,
    thread,
    helpers: { entries },
  }) => {
    const admin = await signUp(board, undefined, { isAdmin: true })
    const post = await writeTo(admin, thread, '管理者の書き込み')
    await reportTimes(board, post, 1)
    const ban = { on: ['user'], scope: 'site', reason: '謀反', hours: null }
    expect((await decide(moderator, post, { action: 'ban', rule: 'hurt', ban })).status).toBe(403)
    expect(await caseOf(moderator, post)).toMatchObject({ status: 'open', post: { deleted: false } })
    expect(await entries()).toEqual([])
  })

  it('to lock locks the thread and leaves the post, and works for a second case of the locked thread too', async ({
    board,
    moderator,
    thread,
    helpers: { reported },
  }) => {
    const [post, other] = [await reported(), await reported()]
    expect((await decide(moderator, post, { action: 'lock' })).body.case).toMatchObject({
      ...{ decision: 'lock', thread: { locked: true }, post: { deleted: false } },
    })
    const refused = await visit(board).post(`/api/threads/${thread._id}/posts`, { content: 'まだ書ける？', name: '影' })
    expect(refused.status).toBe(423)
    expect((await decide(moderator, other, { action: 'lock' })).status).toBe(200)
  })

  it('is made once: of two moderators at the same moment one gets 409', async ({
    board,
    moderator,
    helpers: { entries, reported },
  }) => {
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

  it('is unnecessary for a post removed elsewhere: its case is closed', async ({
    moderator,
    helpers: { reported },
  }) => {
    const post = await reported()
    expect((await moderator.delete(`/api/admin/posts/${post._id}?rule=law`)).status).toBe(200)
    expect(await caseOf(moderator, post)).toMatchObject({ status: 'closed', decision: 'remove', decidedBy: '見回り組' })
  })

  it('shows moderators of some categories no names of other moderators', async ({
    board,
    moderator,
    thread,
    helpers: { reported },
  }) => {
    const scoped = await signUp(board, undefined, { moderates: [thread.categoryId] })
    const [theirs, own] = [await reported(), await reported()]
    await decide(moderator, theirs, { action: 'dismiss' })
    await decide(scoped, own, { action: 'dismiss' })
    expect((await caseOf(scoped, theirs)).decidedBy).toBe(messages.staff)
    expect((await caseOf(scoped, own)).decidedBy).toBe(scoped.name)
    expect((await caseOf(moderator, own)).decidedBy).toBe(scoped.name)
  })

  it('requires a rule where posts are removed, and an existing case', async ({
    board,
    moderator,
    thread,
    helpers: { reported },
  }) => {
    const post = await reported()
    expect((await decide(moderator, post, { action: 'remove' })).status).toBe(400)
    expect((await decide(moderator, post, { action: 'forgive' })).status).toBe(400)
    const calm = await writeTo(visit(board), thread, '通報されていない', `静かな人${(names += 1)}`)
    expect(await decide(moderator, calm, { action: 'dismiss' })).toMatchObject({
      status: 404,
      body: { message: messages.case_not_found },
    })
  })

  it('does not deadlock with posts, reports and other decisions in the same threads', async ({
    board,
    moderator,
    thread,
  }) => {
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

it('a case is decided once when two servers on one database decide it at the same moment', async () => {
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

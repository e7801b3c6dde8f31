import { describe, expect } from 'vitest'
import type { AuditEntry } from '@shinobi/contract/moderation'
import { messages } from '@shinobi/contract/messages'
import type { Post } from '@shinobi/contract/posts'
import type { Thread } from '@shinobi/contract/threads'
import { signUp, startThread, visit, writeTo, type Guest } from '../../testing/board.ts'
import { boardTest } from '../../testing/fixtures.ts'
import { picture } from '../../testing/outside/picture.ts'
import { caseOf, decide, readPost, reportTimes, undo } from '../../testing/reporting.ts'

const it = boardTest
  .extend('thread', ({ board }) => startThread(visit(board)))
  .extend('helpers', ({ board, thread }) => {
    async function reported(writer: Guest = visit(board)): Promise<Post> {
      const post = await writeTo(writer, thread, '荒らしの書き込み', `荒らし${(names += 1)}`)
      await reportTimes(board, post, 1)
      return post
    }
    const entriesUndoing = (actionId: string) =>
      board.database.db.selectFrom('auditLog').selectAll().where('undoes', '=', actionId).execute()
    return { reported, entriesUndoing }
  })

let names = 0
const actionIdOf = async (answer: Promise<{ body: unknown }>): Promise<string> =>
  ((await answer).body as { actionId: string }).actionId

describe('an undo', () => {
  it('of a removal by a case restores the post unchanged, and reopens the case', async ({
    board,
    moderator,
    thread,
    helpers: { entriesUndoing },
  }) => {
    const { body: post } = await visit(board).form<Post>(`/api/threads/${thread._id}/posts`, {
      content: '画像つき',
      name: '絵師さん',
      image: await picture(),
    })
    await reportTimes(board, post, 1)
    const { actionId } = (await decide(moderator, post, { action: 'remove', rule: 'law' })).body
    expect((await undo(moderator, actionId)).status).toBe(200)
    expect(await readPost(board, post)).toMatchObject(post)
    expect(await caseOf(moderator, post)).toMatchObject({ status: 'open', decision: null, actionId: null })
    expect(await entriesUndoing(actionId)).toMatchObject([
      { action: 'post_restore', actorName: '見回り組', isPublic: true, number: post.number },
    ])
    // The same decision can be made again.
    expect((await decide(moderator, post, { action: 'remove', rule: 'law' })).status).toBe(200)
  })

  it('of the removal of everything restores all these posts, but none that were removed before', async ({
    board,
    moderator,
    thread,
    helpers: { entriesUndoing },
  }) => {
    const vandal = visit(board)
    const other = await startThread(vandal, { nickname: '荒らし本人' })
    const posts = [
      await writeTo(vandal, thread, '一', '荒らしの顔'),
      await writeTo(vandal, thread, '二', '荒らしの顔'),
      await writeTo(vandal, other, '三', '荒らし本人'),
    ]
    const before = await writeTo(vandal, thread, '先に消された', '荒らしの顔')
    await moderator.delete(`/api/admin/posts/${before._id}`)
    board.clock.now += 1_000
    await reportTimes(board, posts[0]!, 1)
    const { actionId, removed } = (await decide(moderator, posts[0]!, { action: 'remove_all', rule: 'law' })).body
    expect(removed).toBe(4)
    board.clock.now += 1_000
    expect((await undo(moderator, actionId)).status).toBe(200)
    for (const post of posts) expect(await readPost(board, post)).toMatchObject(post)
    expect(await readPost(board, before)).toMatchObject({ deleted: true })
    expect(await entriesUndoing(actionId)).toMatchObject([{ action: 'posts_restore', details: { count: 4 } }])
  })

  it('of a decision to ban lifts the ban with its own entry, unless it was lifted before', async ({
    board,
    moderator,
    thread,
    helpers: { reported, entriesUndoing },
  }) => {
    const ban = { on: ['visitor'], scope: 'site', reason: '荒らし行為', hours: 24 }
    for (const before of ['nothing', 'undone', 'lifted'] as const) {
      const vandal = visit(board)
      const post = await reported(vandal)
      const { actionId } = (await decide(moderator, post, { action: 'ban', rule: 'law', ban })).body
      const { details } = await board.database.db
        .selectFrom('auditLog')
        .select('details')
        .where('id', '=', actionId)
        .executeTakeFirstOrThrow()
      const banActionId = details['banActionId'] as string
      if (before === 'undone') expect((await undo(moderator, banActionId)).status).toBe(200)
      if (before === 'lifted') {
        const { bans } = (await moderator.get<{ bans: { _id: string }[] }>('/api/admin/bans')).body
        expect((await moderator.delete(`/api/admin/bans/${bans[0]!._id}`)).status).toBe(200)
      }
      expect(await readPost(board, post)).toMatchObject({ deleted: true })
      expect((await undo(moderator, actionId)).status).toBe(200)
      expect(await readPost(board, post)).toMatchObject({ deleted: false })
      expect(await entriesUndoing(banActionId)).toMatchObject(before === 'lifted' ? [] : [{ action: 'ban_lift' }])
      await board.deps.revisions.settle()
      expect(
        (await vandal.post(`/api/threads/${thread._id}/posts`, { content: '戻れた', name: `影${(names += 1)}` }))
          .status,
      ).toBe(201)
    }
  })

  it('of a lock by a case unlocks the thread; if it was locked before, only the case is reopened', async ({
    moderator,
    helpers: { reported },
  }) => {
    const [post, other] = [await reported(), await reported()]
    const first = (await decide(moderator, post, { action: 'lock' })).body.actionId
    const second = (await decide(moderator, other, { action: 'lock' })).body.actionId
    expect((await undo(moderator, second)).status).toBe(200)
    expect(await caseOf(moderator, other)).toMatchObject({ status: 'open', thread: { locked: true } })
    expect((await undo(moderator, first)).status).toBe(200)
    expect(await caseOf(moderator, post)).toMatchObject({ status: 'open', thread: { locked: false } })
  })

  it('of a dismissal reopens the case', async ({ moderator, helpers: { reported, entriesUndoing } }) => {
    const post = await reported()
    const { actionId } = (await decide(moderator, post, { action: 'dismiss' })).body
    expect((await undo(moderator, actionId)).status).toBe(200)
    expect(await caseOf(moderator, post)).toMatchObject({ status: 'open' })
    expect(await entriesUndoing(actionId)).toMatchObject([{ action: 'case_reopen', isPublic: false }])
  })

  it('of a dismissal is refused once the case was reopened by reports and decided again', async ({
    board,
    moderator,
    helpers: { reported },
  }) => {
    const post = await reported()
    const first = (await decide(moderator, post, { action: 'dismiss' })).body.actionId
    await reportTimes(board, post, 1)
    await decide(moderator, post, { action: 'remove', rule: 'law' })
    expect((await undo(moderator, first)).body).toEqual({ code: 'already_done', message: messages.case_closed })
    expect(await readPost(board, post)).toMatchObject({ deleted: true })
  })

  it('of a single action reverts it: a removed post or thread, a lock, a pin, a move', async ({
    board,
    moderator,
    thread,
  }) => {
    const post = await writeTo(visit(board), thread, '消される', `書き手${(names += 1)}`)
    const rant = await startThread(visit(board), { category: 'rant' })
    const change = (fields: object) => actionIdOf(moderator.put(`/api/admin/threads/${thread._id}`, fields))
    const state = async () => {
      const answer = await visit(board).get<Thread>(`/api/threads/${thread._id}`)
      const { locked, pinned, categoryId } = answer.body
      return { status: answer.status, locked, pinned, categoryId, posts: (await readPost(board, post))?.deleted }
    }
    const original = await state()
    for (const act of [
      () => actionIdOf(moderator.delete(`/api/admin/posts/${post._id}`)),
      () => change({ locked: true }),
      () => change({ pinned: 'board' }),
      () => change({ categoryId: rant.categoryId }),
    ]) {
      const actionId = await act()
      expect(await state()).not.toEqual(original)
      expect((await undo(moderator, actionId)).status).toBe(200)
      expect(await state()).toEqual(original)
    }
    const removal = await actionIdOf(moderator.delete(`/api/admin/threads/${thread._id}`))
    expect((await visit(board).get(`/api/threads/${thread._id}`)).status).toBe(404)
    expect((await undo(moderator, removal)).status).toBe(200)
    expect(await state()).toEqual(original)
  })

  it('of a lock leaves a later pin in place', async ({ board, moderator, thread }) => {
    const lock = await actionIdOf(moderator.put(`/api/admin/threads/${thread._id}`, { locked: true }))
    await moderator.put(`/api/admin/threads/${thread._id}`, { pinned: 'board' })
    await undo(moderator, lock)
    const { body } = await visit(board).get<Thread>(`/api/threads/${thread._id}`)
    expect(body).toMatchObject({ locked: false, pinned: 'board' })
  })

  it('takes effect once, also when five are requested at the same moment', async ({
    board,
    moderator,
    helpers: { reported, entriesUndoing },
  }) => {
    const post = await reported()
    const { actionId } = (await decide(moderator, post, { action: 'remove', rule: 'law' })).body
    const answers = await Promise.all(Array.from({ length: 5 }, () => undo(moderator, actionId)))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409, 409])
    expect((await undo(moderator, actionId)).body).toEqual({ code: 'already_done', message: messages.action_undone })
    expect(await entriesUndoing(actionId)).toHaveLength(1)
    expect(await readPost(board, post)).toMatchObject({ deleted: false })
  })

  it('does not restore a post that was restored and removed again since', async ({ board, moderator, thread }) => {
    const post = await writeTo(visit(board), thread, '消される', `書き手${(names += 1)}`)
    const first = await actionIdOf(moderator.delete(`/api/admin/posts/${post._id}`))
    await moderator.post(`/api/admin/posts/${post._id}/restore`)
    board.clock.now += 1_000
    await moderator.delete(`/api/admin/posts/${post._id}`)
    expect(await undo(moderator, first)).toMatchObject({ status: 409, body: { code: 'already_done' } })
    expect(await readPost(board, post)).toMatchObject({ deleted: true })
  })

  it('does not publish a thread that was restored and removed again since, nor open one that was locked again', async ({
    board,
    moderator,
  }) => {
    const { _id } = await startThread(visit(board))
    const path = `/api/admin/threads/${_id}`
    const removal = await actionIdOf(moderator.delete(path))
    await moderator.post(`${path}/restore`)
    const lock = await actionIdOf(moderator.put(path, { locked: true }))
    await moderator.put(path, { locked: false })
    board.clock.now += 1_000
    await moderator.put(path, { locked: true })
    expect(await undo(moderator, lock)).toMatchObject({ status: 409, body: { message: messages.action_superseded } })
    await moderator.delete(path)
    expect(await undo(moderator, removal)).toMatchObject({ status: 409, body: { message: messages.action_superseded } })
    expect((await visit(board).get(`/api/threads/${_id}`)).status).toBe(404)
  })

  it('of a change of a thread is refused after a later one that stands, even if both led to the same', async ({
    board,
    moderator,
    thread,
  }) => {
    const rant = await startThread(visit(board), { category: 'rant' })
    const path = `/api/admin/threads/${thread._id}`
    const moveTo = ({ categoryId }: Thread) => actionIdOf(moderator.put(path, { categoryId }))
    const first = await moveTo(rant)
    await moveTo(thread)
    await moveTo(rant)
    expect(await undo(moderator, first)).toMatchObject({ status: 409, body: { message: messages.action_superseded } })
    const last = await moveTo(thread)
    // A change of something else is none of it, nor one that was undone.
    await undo(moderator, await moveTo(rant))
    await moderator.put(path, { pinned: 'category' })
    expect((await undo(moderator, last)).status).toBe(200)
    const { body } = await moderator.get<Thread>(`/api/threads/${thread._id}`)
    expect(body).toMatchObject({ categoryId: rant.categoryId, pinned: 'category' })
  })

  it('is refused after 24 hours, for actions that cannot be undone, and for an undo', async ({
    board,
    moderator,
    thread,
  }) => {
    const admin = await signUp(board, undefined, { isAdmin: true })
    await admin.put('/api/admin/settings', { newcomerHours: 12 })
    const log = async () => (await admin.get<{ entries: AuditEntry[] }>('/api/admin/audit')).body.entries
    const [settings] = await log()
    expect((await undo(admin, settings!._id)).body.message).toBe(messages.action_not_undoable)

    const post = await writeTo(visit(board), thread, '消される', `書き手${(names += 1)}`)
    const removal = await actionIdOf(moderator.delete(`/api/admin/posts/${post._id}`))
    await undo(moderator, removal)
    const [restored] = await log()
    expect((await undo(moderator, restored!._id)).body.message).toBe(messages.action_not_undoable)

    const late = await actionIdOf(moderator.delete(`/api/admin/posts/${post._id}`))
    board.clock.now += 24 * 3_600_000 + 1
    await moderator.post('/auth/refresh')
    expect((await undo(moderator, late)).body.message).toBe(messages.action_too_old)
    expect((await undo(moderator, '01900000-0000-7000-8000-00000000dead')).status).toBe(404)
    expect(await readPost(board, post)).toMatchObject({ deleted: true })
  })
})

describe('a moderator of some categories', () => {
  it('undoes actions there, also those of others, and none elsewhere', async ({ board, moderator, thread }) => {
    const rant = await startThread(visit(board), { category: 'rant' })
    const local = await signUp(board, undefined, { moderates: [rant.categoryId] })
    const mine = await writeTo(visit(board), rant, '愚痴', 'ぐちの主')
    const foreign = await writeTo(visit(board), thread, 'よそ', `よその主${(names += 1)}`)
    const [here, there] = [
      await actionIdOf(moderator.delete(`/api/admin/posts/${mine._id}`)),
      await actionIdOf(moderator.delete(`/api/admin/posts/${foreign._id}`)),
    ]
    expect((await undo(local, here)).status).toBe(200)
    expect((await undo(local, there)).body).toEqual({ code: 'forbidden', message: messages.out_of_scope })
    expect(await readPost(board, foreign)).toMatchObject({ deleted: true })
  })

  it('gets 403 for a removal that includes other categories, a move out of theirs, and a ban from the whole board', async ({
    board,
    moderator,
    thread,
  }) => {
    const rant = await startThread(visit(board), { category: 'rant' })
    const local = await signUp(board, undefined, { moderates: [rant.categoryId] })
    const vandal = visit(board)
    const post = await writeTo(vandal, rant, '愚痴', '荒らしの顔')
    await writeTo(vandal, thread, 'よそ', '荒らしの顔')
    await reportTimes(board, post, 1)
    const all = (await decide(moderator, post, { action: 'remove_all', rule: 'law' })).body.actionId
    const target = { threadId: rant._id, postId: post._id }
    const { status } = await moderator.post('/api/admin/bans', {
      ...{ target, on: ['visitor'], scope: 'site', reason: '荒らし', hours: 1 },
    })
    expect(status).toBe(201)
    const moved = await startThread(visit(board), { category: 'rant' })
    const move = await actionIdOf(moderator.put(`/api/admin/threads/${moved._id}`, { categoryId: thread.categoryId }))
    const { id: ban } = await board.database.db
      .selectFrom('auditLog')
      .select('id')
      .where('action', '=', 'ban')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    for (const actionId of [all, move, ban]) expect((await undo(local, actionId)).status).toBe(403)
  })

  it('gets 403 for a decision with a ban from the whole board, and for a pin that was changed to a board pin', async ({
    board,
    moderator,
    thread,
  }) => {
    const rant = await startThread(visit(board), { category: 'rant' })
    const local = await signUp(board, undefined, { moderates: [rant.categoryId] })
    const vandal = visit(board)
    const post = await writeTo(vandal, rant, '愚痴', '荒らしの顔')
    await reportTimes(board, post, 1)
    const ban = { on: ['visitor'], scope: 'site', reason: '荒らし行為', hours: 24 }
    const { actionId } = (await decide(moderator, post, { action: 'ban', rule: 'law', ban })).body
    expect((await undo(local, actionId)).body).toEqual({ code: 'forbidden', message: messages.out_of_scope })
    expect(await readPost(board, post)).toMatchObject({ deleted: true })
    expect((await vandal.post(`/api/threads/${thread._id}/posts`, { content: 'また', name: '荒らし' })).status).toBe(
      403,
    )
    expect((await undo(moderator, actionId)).status).toBe(200)

    const url = `/api/admin/threads/${rant._id}`
    const pin = await actionIdOf(local.put(url, { pinned: 'category' }))
    await moderator.put(url, { pinned: 'board' })
    expect((await undo(local, pin)).status).toBe(403)
    expect((await visit(board).get<Thread>(`/api/threads/${rant._id}`)).body.pinned).toBe('board')
  })
})

it('visitors get 401 and members 403 for an undo', async ({ board, moderator, helpers: { reported } }) => {
  const post = await reported()
  const { actionId } = (await decide(moderator, post, { action: 'remove', rule: 'law' })).body
  expect((await undo(visit(board), actionId)).status).toBe(401)
  expect((await undo(await signUp(board), actionId)).status).toBe(403)
  expect(await readPost(board, post)).toMatchObject({ deleted: true })
})

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { AuditEntry } from '@shinobi/contract/moderation'
import { messages } from '@shinobi/contract/messages'
import type { Post } from '@shinobi/contract/posts'
import type { Thread } from '@shinobi/contract/threads'
import {
  openBoard,
  signUp,
  startThread,
  visit,
  writeTo,
  type Board,
  type Guest,
  type MemberGuest,
} from '../../testing/board.ts'
import { picture } from '../../testing/outside/picture.ts'
import { caseOf, decide, readPost, reportTimes, undo } from '../../testing/reporting.ts'

let board: Board
let moderator: MemberGuest
let thread: Thread
beforeAll(async () => {
  board = await openBoard({ SPAM_POSTS: '10000' })
  moderator = await signUp(board, '見回り組', { moderates: 'all' })
})
beforeEach(async () => {
  thread = await startThread(visit(board))
})
afterAll(() => board.close())

let names = 0
async function reported(writer: Guest = visit(board)): Promise<Post> {
  const post = await writeTo(writer, thread, '荒らしの書き込み', `荒らし${(names += 1)}`)
  await reportTimes(board, post, 1)
  return post
}
const actionIdOf = async (answer: Promise<{ body: unknown }>): Promise<string> =>
  ((await answer).body as { actionId: string }).actionId
const entriesUndoing = (actionId: string) =>
  board.database.db.selectFrom('auditLog').selectAll().where('undoes', '=', actionId).execute()

describe('an undo', () => {
  it('of a removal by a case brings the post back as it was, and the case waits again', async () => {
    const { body: post } = await visit(board).form<Post>(`/api/threads/${thread._id}/posts`, {
      content: '画像つき',
      name: '絵師さん',
      image: await picture(),
    })
    await reportTimes(board, post, 1)
    const { actionId } = (await decide(moderator, post, { action: 'remove', rule: 'law' })).body
    expect((await undo(moderator, actionId)).status).toBe(200)
    expect(await readPost(board, post)).toEqual(post)
    expect(await caseOf(moderator, post)).toMatchObject({ status: 'open', decision: null, actionId: null })
    expect(await entriesUndoing(actionId)).toMatchObject([
      { action: 'post_restore', actorName: '見回り組', isPublic: true, number: post.number },
    ])
    // The same decision can be taken anew.
    expect((await decide(moderator, post, { action: 'remove', rule: 'law' })).status).toBe(200)
  })

  it('of the removal of everything brings all of it back, but nothing that somebody else removed', async () => {
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
    for (const post of posts) expect(await readPost(board, post)).toEqual(post)
    expect(await readPost(board, before)).toMatchObject({ deleted: true })
    expect(await entriesUndoing(actionId)).toMatchObject([{ action: 'posts_restore', details: { count: 4 } }])
  })

  it('of a ban by a case lifts it too, each with its entry, unless that was done before', async () => {
    const ban = { on: ['visitor'], scope: 'site', reason: '荒らし行為', hours: 24 }
    for (const isLiftedAlone of [false, true]) {
      const vandal = visit(board)
      const post = await reported(vandal)
      const { actionId } = (await decide(moderator, post, { action: 'ban', rule: 'law', ban })).body
      const { details } = await board.database.db
        .selectFrom('auditLog')
        .select('details')
        .where('id', '=', actionId)
        .executeTakeFirstOrThrow()
      const banActionId = details['banActionId'] as string
      if (isLiftedAlone) {
        expect((await undo(moderator, banActionId)).status).toBe(200)
        expect(await readPost(board, post)).toMatchObject({ deleted: true })
      }
      expect((await undo(moderator, actionId)).status).toBe(200)
      expect(await readPost(board, post)).toMatchObject({ deleted: false })
      expect(await entriesUndoing(banActionId)).toMatchObject([{ action: 'ban_lift' }])
      await board.deps.revisions.settle()
      expect(
        (await vandal.post(`/api/threads/${thread._id}/posts`, { content: '戻れた', name: `影${(names += 1)}` }))
          .status,
      ).toBe(201)
    }
  })

  it('of a lock by a case opens the thread again; where it was locked before, only the case', async () => {
    const [post, other] = [await reported(), await reported()]
    const first = (await decide(moderator, post, { action: 'lock' })).body.actionId
    const second = (await decide(moderator, other, { action: 'lock' })).body.actionId
    expect((await undo(moderator, second)).status).toBe(200)
    expect(await caseOf(moderator, other)).toMatchObject({ status: 'open', thread: { locked: true } })
    expect((await undo(moderator, first)).status).toBe(200)
    expect(await caseOf(moderator, post)).toMatchObject({ status: 'open', thread: { locked: false } })
  })

  it('of a dismissal has the case wait again', async () => {
    const post = await reported()
    const { actionId } = (await decide(moderator, post, { action: 'dismiss' })).body
    expect((await undo(moderator, actionId)).status).toBe(200)
    expect(await caseOf(moderator, post)).toMatchObject({ status: 'open' })
    expect(await entriesUndoing(actionId)).toMatchObject([{ action: 'case_reopen', isPublic: false }])
  })

  it('of a dismissal is refused once the case was opened by others and decided anew', async () => {
    const post = await reported()
    const first = (await decide(moderator, post, { action: 'dismiss' })).body.actionId
    await reportTimes(board, post, 1)
    await decide(moderator, post, { action: 'remove', rule: 'law' })
    expect((await undo(moderator, first)).body).toEqual({ code: 'already_done', message: messages.case_closed })
    expect(await readPost(board, post)).toMatchObject({ deleted: true })
  })

  it('of single actions takes each back: post, thread, lock, pin, move', async () => {
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

  it('leaves alone what has changed since in another respect', async () => {
    const lock = await actionIdOf(moderator.put(`/api/admin/threads/${thread._id}`, { locked: true }))
    await moderator.put(`/api/admin/threads/${thread._id}`, { pinned: 'board' })
    await undo(moderator, lock)
    const { body } = await visit(board).get<Thread>(`/api/threads/${thread._id}`)
    expect(body).toMatchObject({ locked: false, pinned: 'board' })
  })

  it('happens once, also when two ask at the same moment', async () => {
    const post = await reported()
    const { actionId } = (await decide(moderator, post, { action: 'remove', rule: 'law' })).body
    const answers = await Promise.all(Array.from({ length: 5 }, () => undo(moderator, actionId)))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409, 409])
    expect((await undo(moderator, actionId)).body).toEqual({ code: 'already_done', message: messages.action_undone })
    expect(await entriesUndoing(actionId)).toHaveLength(1)
    expect(await readPost(board, post)).toMatchObject({ deleted: false })
  })

  it('does not bring back what was removed again since', async () => {
    const post = await writeTo(visit(board), thread, '消される', `書き手${(names += 1)}`)
    const first = await actionIdOf(moderator.delete(`/api/admin/posts/${post._id}`))
    await moderator.post(`/api/admin/posts/${post._id}/restore`)
    board.clock.now += 1_000
    await moderator.delete(`/api/admin/posts/${post._id}`)
    expect(await undo(moderator, first)).toMatchObject({ status: 409, body: { code: 'already_done' } })
    expect(await readPost(board, post)).toMatchObject({ deleted: true })
  })

  it('comes within 24 hours, for what can be taken back, and is none itself', async () => {
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
  it('takes back what was done there, by others too, and nothing else', async () => {
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

  it('does not take back a removal that reached beyond them, a move out of them, or a ban from the whole board', async () => {
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

  it('does not lift a ban from the whole board with the decision that came with it, nor unpin what is pinned there', async () => {
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

it('members and strangers take nothing back', async () => {
  const post = await reported()
  const { actionId } = (await decide(moderator, post, { action: 'remove', rule: 'law' })).body
  expect((await undo(visit(board), actionId)).status).toBe(401)
  expect((await undo(await signUp(board), actionId)).status).toBe(403)
  expect(await readPost(board, post)).toMatchObject({ deleted: true })
})

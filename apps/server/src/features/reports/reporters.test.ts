import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
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
import { anotherAddress, caseOf, caseUrl, readPost, reportAs, reportTimes, undo } from '../../testing/reporting.ts'

const HOUR = 3_600_000

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
const write = () => writeTo(visit(board), thread, '普通の書き込み', `書き手${(names += 1)}`)
async function mute(reporter: Guest, fields: object = {}, who: Guest = moderator) {
  const post = reported.get(reporter)!
  const { reports } = await caseOf(moderator, post)
  return who.put<{ message?: string }>(`/api/admin/threads/${post.threadId}/reports/${reports[0]!._id}/mute`, {
    ...{ muted: true, reason: '通報の乱用' },
    ...fields,
  })
}
/** The first post that somebody reported. */
const reported = new Map<Guest, Post>()
async function report(reporter: Guest, post: Post): Promise<void> {
  if (!reported.has(reporter)) reported.set(reporter, post)
  await reportAs(reporter, post)
}
const entries = () =>
  board.database.db
    .selectFrom('auditLog')
    .selectAll()
    .where('threadId', '=', thread._id)
    .where('action', 'like', 'reporter%')
    .orderBy('id')
    .execute()

it('whose reports are abuse no longer counts, in open cases and in later ones', async () => {
  const [first, second, third] = [await write(), await write(), await write()]
  const abuser = visit(board, anotherAddress())
  await report(abuser, first)
  await report(abuser, second)
  await reportTimes(board, second, 1)
  expect((await mute(abuser)).status).toBe(200)
  expect(await caseOf(moderator, first)).toMatchObject({ voices: 0, reportCount: 1, status: 'open' })
  expect(await caseOf(moderator, second)).toMatchObject({ voices: 1, reportCount: 2 })
  expect((await caseOf(moderator, first)).reports[0]!.reporter.muted).toBe(true)
  // What they report from now on is kept, but opens nothing.
  await report(abuser, third)
  expect((await moderator.get(caseUrl(third))).status).toBe(404)
  await reportTimes(board, third, 1)
  expect(await caseOf(moderator, third)).toMatchObject({ voices: 1, reportCount: 2 })
})

it('a muted reporter does not help to fold a post', async () => {
  const [first, post] = [await write(), await write()]
  const abuser = visit(board, anotherAddress())
  await report(abuser, first)
  await mute(abuser)
  await report(abuser, post)
  await reportTimes(board, post, 2)
  expect(await readPost(board, post)).toMatchObject({ folded: false })
  await reportTimes(board, post, 1)
  expect(await readPost(board, post)).toMatchObject({ folded: true })
})

it('a muted visitor who drops the cookie stays muted, and others are heard', async () => {
  const [first, second] = [await write(), await write()]
  const address = anotherAddress()
  const abuser = visit(board, address)
  await report(abuser, first)
  await mute(abuser)
  await reportAs(visit(board, address), first)
  await reportAs(visit(board, address), second)
  expect(await caseOf(moderator, first)).toMatchObject({ voices: 0, reportCount: 2 })
  expect((await moderator.get(caseUrl(second))).status).toBe(404)
  await reportTimes(board, second, 1)
  expect(await caseOf(moderator, second)).toMatchObject({ voices: 1, reportCount: 2 })
  await mute(abuser, { muted: false })
  await reportAs(visit(board, address), second)
  expect(await caseOf(moderator, second)).toMatchObject({ voices: 2, reportCount: 3 })
})

it('a member is muted in every browser, until the time is over', async () => {
  const [first, second, third] = [await write(), await write(), await write()]
  const abuser = await signUp(board, '通報魔です')
  await report(abuser, first)
  await mute(abuser, { hours: 2 })
  const phone = visit(board)
  await phone.post('/auth/login', { username: '通報魔です', password: '忍びの合言葉 42' })
  await reportAs(phone, second)
  expect((await moderator.get(caseUrl(second))).status).toBe(404)
  board.clock.now += 2 * HOUR
  for (const one of [phone, moderator]) await one.post('/auth/refresh')
  await reportAs(phone, third)
  expect(await caseOf(moderator, third)).toMatchObject({ voices: 1 })
})

it('who is let back counts again, and both stand in the log without naming a browser', async () => {
  const post = await write()
  const abuser = visit(board, anotherAddress())
  await report(abuser, post)
  await mute(abuser)
  await mute(abuser, { muted: false, reason: '' })
  expect(await caseOf(moderator, post)).toMatchObject({ voices: 1 })
  expect(await entries()).toMatchObject([
    { action: 'reporter_mute', reason: '通報の乱用', isPublic: false },
    { action: 'reporter_unmute', isPublic: false },
  ])
  const [row] = await board.database.db
    .selectFrom('reports')
    .select('reporter')
    .where('postId', '=', post._id)
    .execute()
  expect(JSON.stringify(await entries())).not.toContain(row!.reporter)
  // Nobody was muted: nothing to tell.
  await mute(abuser, { muted: false })
  expect(await entries()).toHaveLength(2)
})

it('an undo lets them count again', async () => {
  const post = await write()
  const abuser = visit(board, anotherAddress())
  await report(abuser, post)
  await mute(abuser)
  const [entry] = await entries()
  expect((await undo(moderator, entry!.id)).status).toBe(200)
  expect(await caseOf(moderator, post)).toMatchObject({ voices: 1 })
  expect((await caseOf(moderator, post)).reports[0]!.reporter.muted).toBe(false)
  expect((await undo(moderator, entry!.id)).body.message).toBe(messages.action_undone)
})

it('an undo of a longer time leaves the shorter one that stood before', async () => {
  const post = await write()
  const abuser = visit(board, anotherAddress())
  await report(abuser, post)
  await mute(abuser, { hours: 3 })
  await mute(abuser, { hours: null })
  const [, entry] = await entries()
  await undo(moderator, entry!.id)
  expect((await caseOf(moderator, post)).reports[0]!.reporter.muted).toBe(true)
  board.clock.now += 3 * HOUR
  await moderator.post('/auth/refresh')
  expect((await caseOf(moderator, post)).reports[0]!.reporter.muted).toBe(false)
})

it('holds on the whole board, so moderators of some categories may not, nor may members and strangers', async () => {
  const post = await write()
  const abuser = visit(board, anotherAddress())
  await report(abuser, post)
  const local = await signUp(board, undefined, { moderates: [thread.categoryId] })
  expect(await mute(abuser, {}, local)).toMatchObject({ status: 403, body: { message: messages.out_of_scope } })
  expect((await mute(abuser, {}, await signUp(board))).status).toBe(403)
  expect((await mute(abuser, {}, visit(board))).status).toBe(401)
  const nothing = `/api/admin/threads/${thread._id}/reports/01900000-0000-7000-8000-00000000dead/mute`
  expect((await moderator.put(nothing, { muted: true })).status).toBe(404)
  expect(await caseOf(moderator, post)).toMatchObject({ voices: 1 })
})

it('is nobody whose rank is not below the moderator’s: their reports count', async () => {
  const post = await write()
  const chief = await signUp(board, undefined, { isAdmin: true, address: anotherAddress() })
  await report(chief, post)
  expect(await mute(chief)).toMatchObject({ status: 403, body: { code: 'forbidden', message: messages.mute_rank } })
  expect(await caseOf(moderator, post)).toMatchObject({ voices: 1 })
})

import { expect } from 'vitest'
import { messages } from '@shinobi/contract/messages'
import type { Post } from '@shinobi/contract/posts'
import { signUp, startThread, visit, writeTo, type Guest } from '../../testing/board.ts'
import { boardTest } from '../../testing/fixtures.ts'
import {
  anotherAddress,
  caseOf,
  caseUrl,
  readPost,
  reportAs,
  reportTimes,
  undo,
  untilMidnight,
} from '../../testing/reporting.ts'

const HOUR = 3_600_000

const it = boardTest
  .extend('thread', ({ board }) => startThread(visit(board)))
  .extend('helpers', ({ board, moderator, thread }) => {
    const write = () => writeTo(visit(board), thread, '普通の書き込み', `書き手${(names += 1)}`)
    async function mute(reporter: Guest, fields: object = {}, who: Guest = moderator) {
      const post = reported.get(reporter)!
      const { reports } = await caseOf(moderator, post)
      return who.put<{ message?: string }>(`/api/admin/threads/${post.threadId}/reports/${reports[0]!._id}/mute`, {
        ...{ muted: true, reason: '通報の乱用' },
        ...fields,
      })
    }
    const entries = () =>
      board.database.db
        .selectFrom('auditLog')
        .selectAll()
        .where('threadId', '=', thread._id)
        .where('action', 'like', 'reporter%')
        .orderBy('id')
        .execute()
    return { write, mute, entries }
  })

let names = 0
/** The first post that each guest reported; `mute` refers to this report. */
const reported = new Map<Guest, Post>()
async function report(reporter: Guest, post: Post): Promise<void> {
  if (!reported.has(reporter)) reported.set(reporter, post)
  await reportAs(reporter, post)
}

it('the reports of a muted reporter do not count, in open cases and in later ones', async ({
  board,
  moderator,
  helpers: { write, mute },
}) => {
  const [first, second, third] = [await write(), await write(), await write()]
  const abuser = visit(board, anotherAddress())
  await report(abuser, first)
  await report(abuser, second)
  await reportTimes(board, second, 1)
  expect((await mute(abuser)).status).toBe(200)
  expect(await caseOf(moderator, first)).toMatchObject({ voices: 0, reportCount: 1, status: 'open' })
  expect(await caseOf(moderator, second)).toMatchObject({ voices: 1, reportCount: 2 })
  expect((await caseOf(moderator, first)).reports[0]!.reporter.muted).toBe(true)
  // Further reports are stored, but open no case.
  await report(abuser, third)
  expect((await moderator.get(caseUrl(third))).status).toBe(404)
  await reportTimes(board, third, 1)
  expect(await caseOf(moderator, third)).toMatchObject({ voices: 1, reportCount: 2 })
})

it('a muted reporter does not help to fold a post', async ({ board, helpers: { write, mute } }) => {
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

it('a muted visitor who discards the cookie stays muted, and other reporters count', async ({
  board,
  moderator,
  helpers: { write, mute },
}) => {
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

it('a muted visitor who discards the cookie stays muted over midnight, for a day', async ({
  board,
  moderator,
  helpers: { write, mute },
}) => {
  const [first, second, third] = [await write(), await write(), await write()]
  const address = anotherAddress()
  const abuser = visit(board, address)
  board.clock.now += untilMidnight(board) - 60_000
  await moderator.post('/auth/refresh')
  await report(abuser, first)
  await mute(abuser)
  board.clock.now += 120_000
  await reportAs(visit(board, address), second)
  expect((await moderator.get(caseUrl(second))).status).toBe(404)
  board.clock.now += 24 * HOUR
  await moderator.post('/auth/refresh')
  await reportAs(visit(board, address), third)
  expect(await caseOf(moderator, third)).toMatchObject({ voices: 1 })
})

it('a member is muted in every browser, until the mute expires', async ({
  board,
  moderator,
  helpers: { write, mute },
}) => {
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

it('a reporter whose mute is ended counts again, and neither log entry identifies a browser', async ({
  board,
  moderator,
  helpers: { write, mute, entries },
}) => {
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
  // Nobody was muted, so there is no entry.
  await mute(abuser, { muted: false })
  expect(await entries()).toHaveLength(2)
})

it('undoing a mute makes the reporter count again', async ({ board, moderator, helpers: { write, mute, entries } }) => {
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

it('undoing a longer mute restores the shorter one before it', async ({
  board,
  moderator,
  helpers: { write, mute, entries },
}) => {
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

it('muting is refused to moderators of some categories, members and visitors, as it applies to the whole board', async ({
  board,
  moderator,
  thread,
  helpers: { write, mute },
}) => {
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

it('a reporter whose rank is not below the moderator’s cannot be muted', async ({
  board,
  moderator,
  helpers: { write, mute },
}) => {
  const post = await write()
  const chief = await signUp(board, undefined, { isAdmin: true, address: anotherAddress() })
  await report(chief, post)
  expect(await mute(chief)).toMatchObject({ status: 403, body: { code: 'forbidden', message: messages.mute_rank } })
  expect(await caseOf(moderator, post)).toMatchObject({ voices: 1 })
})

import { expect, onTestFinished } from 'vitest'
import { REMOVED_KEPT_DAYS } from '@shinobi/contract/limits'
import type { Post } from '@shinobi/contract/posts'
import { openDatabase } from '../../db/client.ts'
import { connectTo, giveLevel, PASSWORD, signUp, startThread, visit, writeTo } from '../../testing/board.ts'
import { boardTest } from '../../testing/fixtures.ts'
import { gateTo, through } from '../../testing/outside/gate.ts'
import {
  anotherAddress,
  caseOf,
  caseUrl,
  decide,
  reportAs,
  reportTimes,
  untilMidnight,
  type PostKey,
} from '../../testing/reporting.ts'
import { purgePosts } from '../../purge.ts'
import { createThreadEvents } from '../threads/thread-events.ts'
import type { BannedWords } from '../words/word-verdicts.service.ts'
import { createReports } from './reports.service.ts'

const it = boardTest
  .extend('thread', ({ board }) => startThread(visit(board)))
  .extend('helpers', ({ board, thread }) => {
    const write = () => writeTo(visit(board), thread, '通報される書き込み', `書き手${(writers += 1)}`)
    const storedCases = (post: PostKey) =>
      board.database.db.selectFrom('cases').selectAll().where('postId', '=', post._id).execute()
    return { write, storedCases }
  })

let writers = 0

const DAY = 86_400_000

it('the first report opens a case, and later ones join it', async ({ board, moderator, helpers: { write } }) => {
  const post = await write()
  await reportTimes(board, post, 2)
  expect(await caseOf(moderator, post)).toMatchObject({
    status: 'open',
    reportCount: 2,
    voices: 2,
    flag: null,
    createdAt: new Date(board.clock.now).toISOString(),
    post: { _id: post._id, content: '通報される書き込み' },
  })
})

it('every one of many concurrent reports is counted', async ({ board, helpers: { write, storedCases } }) => {
  const post = await write()
  const crowd = Array.from({ length: 25 }, () => visit(board, anotherAddress()))
  await Promise.all(crowd.map((one) => reportAs(one, post)))
  expect(await storedCases(post)).toMatchObject([{ reports: 25, voices: 25 }])
})

it('reports from one address count as one voice, even when the client discards its cookie each time', async ({
  board,
  helpers: { write, storedCases },
}) => {
  const post = await write()
  const address = anotherAddress()
  for (let index = 0; index < 20; index += 1) await reportAs(visit(board, address), post)
  expect(await storedCases(post)).toMatchObject([{ reports: 20, voices: 1 }])
})

it('reports from one IPv6 /48 count as one voice', async ({ board, helpers: { write, storedCases } }) => {
  const post = await write()
  for (let index = 0; index < 5; index += 1) await reportAs(visit(board, `2001:db8:77:${index}::1`), post)
  expect(await storedCases(post)).toMatchObject([{ reports: 5, voices: 1 }])
  await reportAs(visit(board, '2001:db8:78::1'), post)
  expect(await storedCases(post)).toMatchObject([{ reports: 6, voices: 2 }])
})

it('an address that reports again after midnight, and in a week, is still one voice, and later another', async ({
  board,
  moderator,
  helpers: { write, storedCases },
}) => {
  const [post, address] = [await write(), anotherAddress()]
  const voicesOf = async () => (await storedCases(post)).map(({ voices }) => voices)
  board.clock.now += untilMidnight(board) - 60_000
  await reportAs(visit(board, address), post)
  for (const pause of [120_000, 3 * DAY, 3 * DAY]) {
    board.clock.now += pause
    await reportAs(visit(board, address), post)
    expect(await voicesOf()).toEqual([1])
  }
  board.clock.now += 2 * DAY
  await reportAs(visit(board, address), post)
  expect(await voicesOf()).toEqual([2])
  await moderator.post('/auth/refresh')
})

it('members at one address share one voice while their accounts are new, and later have one each', async ({
  board,
  moderator,
  helpers: { write, storedCases },
}) => {
  const post = await write()
  const address = anotherAddress()
  const members = []
  for (let index = 0; index < 3; index += 1) members.push(await signUp(board, undefined, { address }))
  for (const member of members) await reportAs(member, post)
  expect(await storedCases(post)).toMatchObject([{ reports: 3, voices: 1 }])
  board.clock.now += 25 * 3_600_000
  await moderator.post('/auth/refresh')
  const other = await write()
  for (const member of members) {
    await member.post('/auth/refresh')
    await reportAs(member, other)
  }
  expect(await storedCases(other)).toMatchObject([{ reports: 3, voices: 3 }])
})

it('a closed case is reopened by a report of a new voice, but not by one of a voice that was counted before', async ({
  board,
  moderator,
  helpers: { write },
}) => {
  const post = await write()
  const address = anotherAddress()
  await reportAs(visit(board, address), post)
  await decide(moderator, post, { action: 'dismiss' })
  await reportAs(visit(board, address), post)
  expect(await caseOf(moderator, post)).toMatchObject({ status: 'closed', decision: 'dismiss', reportCount: 2 })
  board.clock.now += 60_000
  await reportTimes(board, post, 1)
  expect(await caseOf(moderator, post)).toMatchObject({
    ...{ status: 'open', decision: null, decidedBy: null, decidedAt: null, actionId: null },
    createdAt: new Date(board.clock.now).toISOString(),
  })
})

it('a post with a flagged word is in the queue without a report', async ({ board, moderator, thread }) => {
  const admin = await signUp(board, undefined, { isAdmin: true })
  expect((await admin.post('/api/admin/words', { word: '要注意語', action: 'flag' })).status).toBe(201)
  await board.deps.revisions.settle()
  const post = await writeTo(visit(board), thread, 'これは要注意語です', 'うっかり者')
  await board.settle()
  expect(await caseOf(moderator, post)).toMatchObject({ status: 'open', flag: '要注意語', reportCount: 0, voices: 0 })
  await reportTimes(board, post, 1)
  expect(await caseOf(moderator, post)).toMatchObject({ flag: '要注意語', reportCount: 1, voices: 1 })
})

it('a post with a flagged word is in the queue although the database went away after its commit', async ({
  board: { deps },
  database,
  moderator,
  helpers: { write },
}) => {
  const post = await write()
  const gate = await gateTo(database.url)
  const behind = openDatabase({ url: through(gate, database.url) })
  onTestFinished(async () => {
    await behind.close()
    await gate.close()
  })
  let flag: Parameters<BannedWords['onFlag']>[0] = () => {}
  const words = { ...deps.words, onFlag: (listener: typeof flag) => void (flag = listener) }
  const reports = createReports({ ...deps, db: behind.db, words, threadEvents: createThreadEvents() })
  flag({ threadId: post.threadId, postId: post._id, word: '要注意語' })
  await reports.settle()
  expect((await moderator.get(caseUrl(post))).status).toBe(404)
  gate.open()
  await reports.settle()
  expect(await caseOf(moderator, post)).toMatchObject({ status: 'open', flag: '要注意語' })
  await reports.close()
})

it('a flagged word in a note of the opener reopens a case that was closed', async ({ board, moderator }) => {
  const admin = await signUp(board, undefined, { isAdmin: true })
  expect((await admin.post('/api/admin/words', { word: '再注意語', action: 'flag' })).status).toBe(201)
  await board.deps.revisions.settle()
  const owner = visit(board, anotherAddress())
  const { _id: threadId } = await startThread(owner)
  await giveLevel(board, owner, 3)
  const { body: posts } = await owner.get<Post[]>(`/api/threads/${threadId}/posts`)
  const opening = { ...posts[0]!, threadId }
  await reportTimes(board, opening, 2)
  const { createdAt } = await caseOf(moderator, opening)
  const flag = async () => {
    board.clock.now += 60_000
    const note = { kind: 'note', text: `追記に再注意語 ${board.clock.now}` }
    expect((await owner.post(`/api/threads/${threadId}/owner-actions`, note)).status).toBe(201)
    await board.settle()
  }
  await flag()
  expect(await caseOf(moderator, opening)).toMatchObject({ status: 'open', flag: '再注意語', createdAt })

  await decide(moderator, opening, { action: 'dismiss' })
  await flag()
  expect(await caseOf(moderator, opening)).toMatchObject({
    ...{ status: 'open', decision: null, decidedBy: null, decidedAt: null, actionId: null },
    ...{ flag: '再注意語', reportCount: 2, voices: 2, createdAt: new Date(board.clock.now).toISOString() },
  })
})

it('the evidence keeps the reported text after the post is removed', async ({
  board,
  moderator,
  helpers: { write },
}) => {
  const post = await write()
  await reportTimes(board, post, 1)
  await decide(moderator, post, { action: 'remove', rule: 'hurt' })
  const [row] = await board.database.db
    .selectFrom('reports')
    .select('evidence')
    .where('postId', '=', post._id)
    .execute()
  expect(row!.evidence).toMatchObject({ content: '通報される書き込み', seen: '見た文' })
})

it('the evidence is cleared with the text of the removed post', async ({ board, moderator, helpers: { write } }) => {
  const [post, other] = [await write(), await write()]
  await reportTimes(board, post, 1)
  await reportTimes(board, other, 1)
  await decide(moderator, post, { action: 'remove', rule: 'hurt' })
  await purgePosts(board.deps, board.clock.now + REMOVED_KEPT_DAYS * 86_400_000 + 1)
  const evidence = async (of: PostKey) =>
    (await board.database.db.selectFrom('reports').select('evidence').where('postId', '=', of._id).execute())[0]!
      .evidence
  expect(await evidence(post)).toEqual({ number: post.number, name: null, content: '', imageKey: null, seen: '' })
  expect(await evidence(other)).toMatchObject({ content: '通報される書き込み' })
})

it('a report notifies connected moderators only', async ({ board, moderator, helpers: { write } }) => {
  const post = await write()
  const url = await board.listen()
  const [desk, reader] = [await connectTo(url, moderator), await connectTo(url, await signUp(board))]
  const heard: string[] = []
  reader.on('queueChanged', () => heard.push('a reader'))
  const told = new Promise((resolve) => desk.once('queueChanged', () => resolve(null)))
  await reportTimes(board, post, 1)
  await told
  expect(heard).toEqual([])
  desk.close()
  reader.close()
})

it('the evidence about a deleted account no longer contains its name', async ({ board, thread }) => {
  const member = await signUp(board, '去る人の名')
  const post = await writeTo(member, thread, '会員の書き込み')
  await reportAs(visit(board, anotherAddress()), post)
  const evidence = async () => {
    const { db } = board.database
    return (await db.selectFrom('reports').select('evidence').where('postId', '=', post._id).executeTakeFirstOrThrow())
      .evidence
  }
  expect(await evidence()).toMatchObject({ name: '去る人の名' })
  await member.delete('/auth/profile', { name: '去る人の名', currentPassword: PASSWORD })
  await board.settle()
  expect(await evidence()).toMatchObject({ name: null, content: '会員の書き込み', seen: '見た文' })
})

it('the reports of a deleted account stay, without a link to it', async ({ board, moderator, helpers: { write } }) => {
  const post = await write()
  const member = await signUp(board, '去る通報者')
  await reportAs(member, post)
  const answer = await member.delete('/auth/profile', { name: member.name, currentPassword: '忍びの合言葉 42' })
  expect(answer.status).toBe(200)
  await board.settle()
  const rows = await board.database.db.selectFrom('reports').select(['userId']).where('postId', '=', post._id).execute()
  expect(rows).toEqual([{ userId: null }])
  const [shown] = (await caseOf(moderator, post)).reports
  expect(shown!.reporter).toMatchObject({ isMember: false, handle: expect.stringMatching(/^訪問者 /) as string })
})

it('a report of a post in a removed thread gets 404', async ({ board, moderator, thread, helpers: { write } }) => {
  const post = await write()
  const admin = await signUp(board, undefined, { isAdmin: true })
  expect((await admin.delete(`/api/admin/threads/${thread._id}`)).status).toBe(200)
  const answer = await visit(board).post(`/api/threads/${post.threadId}/posts/${post._id}/report`, {
    reason: '荒らし',
    content: '',
  })
  expect(answer.status).toBe(404)
  expect((await moderator.get(caseUrl(post))).status).toBe(404)
})

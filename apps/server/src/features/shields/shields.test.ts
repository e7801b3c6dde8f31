/** Raid mode: how steps rise and fall, who is refused, and how servers share them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { messages } from '@shinobi/contract/messages'
import type { Post } from '@shinobi/contract/posts'
import type { Notices, Shield } from '@shinobi/contract/shields'
import type { Thread } from '@shinobi/contract/threads'
import {
  connectTo,
  giveLevel,
  openBoard,
  openTestDatabase,
  send,
  signUp,
  startThread,
  visit,
  writeTo,
  type Answer,
  type Board,
  type Guest,
  type MemberGuest,
  type TestDatabase,
} from '../../testing/board.ts'
import { crowd, prove } from '../../testing/raid.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

interface Refusal {
  readonly code: string
  readonly message: string
}

const tryPost = (guest: Guest, thread: Thread, name = '影'): Promise<Answer<Post & Refusal>> =>
  guest.post(`/api/threads/${thread._id}/posts`, { content: '一言', name })

/** The administrator with a renewed session, which expires after a quarter of an hour. */
async function awake(admin: MemberGuest): Promise<MemberGuest> {
  await admin.post('/auth/refresh')
  return admin
}

const stepAt = (board: Board, thread: Thread): number => board.deps.shields.find(thread.categoryId)?.step ?? 0

const entries = (board: Board, action: 'shield_raise' | 'shield_lower') =>
  board.database.db
    .selectFrom('auditLog')
    .select(['actorName', 'details', 'isPublic', 'categoryId'])
    .where('action', '=', action)
    .orderBy('id')
    .execute()

describe('raid mode', () => {
  let board: Board
  let thread: Thread
  let elsewhere: Thread
  let regular: Guest
  let member: MemberGuest
  beforeAll(async () => {
    board = await openBoard({ SHIELD_AUTOMATIC: 'true' })
    regular = visit(board, '198.51.100.1')
    thread = await startThread(regular)
    elsewhere = await startThread(regular, { category: 'rant' })
    member = await signUp(board, '楓', { address: '198.51.100.2' })
    const admin = await signUp(board, '頭領', { isAdmin: true })
    // Refused tries have little weight, so the third threshold is set within their reach.
    await admin.put('/api/admin/settings', { shieldPostsPerMinute: [120, 180, 188] })
    await board.settle()
    board.clock.now += 25 * HOUR_MS
    await member.post('/auth/refresh')
    for (const guest of [regular, member]) await giveLevel(board, guest, 3)
  })
  afterAll(() => board.close())

  it('slows down 100 raiders step by step, while regulars, members and other categories can post', async () => {
    const raiders = crowd(board, 100)
    const rounds: (readonly string[])[] = []
    for (let round = 0; round < 3; round += 1) {
      const answers = await Promise.all(raiders.map((raider, index) => tryPost(raider, thread, `賊${index}`)))
      rounds.push(answers.map(({ status, body }) => (status === 201 ? 'posted' : body.code)))
      board.clock.now += 16_000
    }
    const count = (round: number, outcome: string) => rounds[round]!.filter((one) => one === outcome).length
    expect(count(0, 'posted')).toBe(100)
    // After the 120th post there is a cooldown, which the raiders observe; after the 180th a proof
    // is required.
    expect(count(1, 'posted')).toBeGreaterThan(70)
    expect(count(1, 'posted')).toBeLessThanOrEqual(80)
    expect(count(1, 'proof_required')).toBe(100 - count(1, 'posted'))
    expect(count(2, 'proof_required')).toBe(100)
    await board.settle()
    expect(stepAt(board, thread)).toBe(3)

    expect((await tryPost(member, thread)).status).toBe(201)
    expect((await tryPost(regular, thread, '常連')).status).toBe(201)
    expect((await tryPost(visit(board, '198.51.100.3'), elsewhere, '新顔')).status).toBe(201)
    const posts = await visit(board).get<Post[]>(`/api/threads/${thread._id}/posts?after=170`)
    expect([posts.status, posts.body.length]).toEqual([200, count(1, 'posted') - 67])
  })

  it('gives regulars and members half the cooldown, and the remaining time in the answer', async () => {
    board.clock.now += 8_000
    expect((await tryPost(member, thread)).status).toBe(201)
    board.clock.now += 3_000
    const refused = await tryPost(member, thread)
    expect(refused).toMatchObject({
      status: 429,
      body: { code: 'too_many_requests', message: messages.shield_cooldown(5) },
      headers: { 'retry-after': '5' },
    })
    board.clock.now += 5_000
    expect((await tryPost(member, thread)).status).toBe(201)
  })

  it('is shown to every visitor, and in the public log without a name', async () => {
    const { body } = await visit(board).get<Notices>('/api/notices')
    expect(body).toMatchObject({
      banner: '',
      shields: [{ categoryId: thread.categoryId, category: 'general', step: 3 }],
    })
    const raised = await entries(board, 'shield_raise')
    expect(raised.map(({ details }) => (details['after'] as { step: number }).step)).toEqual([1, 2, 3])
    for (const entry of raised) expect(entry).toMatchObject({ actorName: null, isPublic: true })
  })

  it('requires a proof of a newcomer, and then holds the post', async () => {
    const newcomer = visit(board, '198.51.100.4')
    const refused = await tryPost(newcomer, thread, '新顔')
    expect([refused.status, refused.body.code, refused.body.message]).toEqual([
      428,
      'proof_required',
      messages.shield_proof,
    ])
    expect((await prove(newcomer)).status).toBe(200)
    expect((await tryPost(newcomer, thread, '新顔')).status).toBe(202)
  })

  it('ends step by step after quiet periods', async () => {
    const steps: number[] = []
    for (let round = 0; round < 4; round += 1) {
      board.clock.now += 10 * MINUTE_MS
      await board.deps.shields.tick()
      steps.push(stepAt(board, thread))
    }
    expect(steps).toEqual([2, 1, 0, 0])
    expect(await board.database.db.selectFrom('shields').selectAll().execute()).toEqual([])
    expect((await entries(board, 'shield_lower')).map(({ details }) => details)).toEqual([
      { before: { step: 3 }, after: { step: 2 } },
      { before: { step: 2 }, after: { step: 1 } },
      { before: { step: 1 }, after: { step: 0 } },
    ])
    expect((await visit(board).get<Notices>('/api/notices')).body.shields).toEqual([])
    expect((await tryPost(visit(board, '198.51.100.5'), thread, '客')).status).toBe(201)
  })

  it('is not raised by a single address, however often it tries', async () => {
    const guests = Array.from({ length: 40 }, () => visit(board, '198.51.100.99'))
    for (let round = 0; round < 4; round += 1) await Promise.all(guests.map((guest) => tryPost(guest, thread, '一人')))
    expect(stepAt(board, thread)).toBe(0)
    // The same at the turn of a minute, by threads, and from a whole /48.
    board.clock.now = Math.ceil(board.clock.now / MINUTE_MS) * MINUTE_MS + 10 * MINUTE_MS - 1_000
    for (let second = 0; second < 4; second += 1) {
      await Promise.all(guests.map((guest) => tryPost(guest, thread, '一人')))
      board.clock.now += 1_000
    }
    for (let count = 0; count < 30; count += 1) {
      const guest = visit(board, `2001:db8:7:${count.toString(16)}::1`)
      await guest.form('/api/threads', { title: `荒らしのスレ${count}`, content: '一言', category: thread.categoryId })
    }
    expect(stepAt(board, thread)).toBe(0)
  })

  it('treats new accounts like other newcomers, except that it requires no proof of them', async () => {
    const admin = await signUp(board, '番頭', { isAdmin: true })
    const fresh = await signUp(board, '出来立ての会員')
    const statuses: number[] = []
    for (const step of [2, 3, 4]) {
      await admin.put(`/api/admin/shields/${thread.categoryId}`, { step })
      board.clock.now += MINUTE_MS
      statuses.push((await tryPost(fresh, thread)).status)
    }
    expect(statuses).toEqual([201, 202, 423])
    await admin.put(`/api/admin/shields/${thread.categoryId}`, { step: null })
  })
})

describe('several servers', () => {
  let database: TestDatabase
  let board: Board
  let other: Board
  let admin: MemberGuest
  let thread: Thread
  beforeAll(async () => {
    database = await openTestDatabase()
    board = await openBoard({ SHIELD_AUTOMATIC: 'true' }, database)
    other = await openBoard({ SHIELD_AUTOMATIC: 'true' }, database)
    admin = await signUp(board, '頭領', { isAdmin: true })
    thread = await startThread(admin)
    await admin.put('/api/admin/settings', {
      shieldPostsPerMinute: [5, 8, 12],
      shieldThreadsPerMinute: [3, 5, 7],
    })
    await other.deps.revisions.settle()
  })
  afterAll(async () => {
    await board.close()
    await other.close()
    await database.close()
  })

  const move = (milliseconds: number): void => {
    board.clock.now += milliseconds
    other.clock.now = board.clock.now
  }
  const raid = (tries: number) =>
    Promise.all(crowd(board, tries).map((guest, index) => tryPost(guest, thread, `賊${index}`)))

  it('apply a step on all of them, and a quiet one does not lower it while another is raided', async () => {
    // So many that they reach the third threshold of 12 even if all of them are refused, each with
    // a tenth of a post's weight: how many are admitted before a step applies depends on chance.
    await raid(120)
    await board.settle()
    await other.deps.revisions.settle()
    // Automatic steps end at 3, which locks out no newcomer with a proof; only moderators set step
    // 4.
    expect([stepAt(board, thread), stepAt(other, thread)]).toEqual([3, 3])
    const asked = await tryPost(visit(other, '198.51.100.7'), thread)
    expect([asked.status, asked.body.message]).toEqual([428, messages.shield_proof])

    move(9 * MINUTE_MS)
    expect((await raid(15)).map(({ status }) => status)).not.toContain(201)
    await board.deps.shields.tick()
    move(5 * MINUTE_MS)
    await other.deps.shields.tick()
    expect(stepAt(other, thread)).toBe(3)
    move(5 * MINUTE_MS)
    await other.deps.shields.tick()
    expect(stepAt(other, thread)).toBe(2)
    await board.deps.revisions.settle()
    expect(stepAt(board, thread)).toBe(2)
  })

  it('lower a step once when two of them find it quiet at the same time', async () => {
    move(10 * MINUTE_MS)
    await Promise.all([board.deps.shields.tick(), other.deps.shields.tick()])
    expect([stepAt(board, thread), stepAt(other, thread)]).toEqual([1, 1])
    for (let step = 0; step < 1; step += 1) {
      move(10 * MINUTE_MS)
      await board.deps.shields.tick()
    }
    await other.deps.revisions.settle()
    expect([stepAt(board, thread), stepAt(other, thread)]).toEqual([0, 0])
  })

  it('accept a proof that was given to another one', async () => {
    await awake(admin)
    await admin.put(`/api/admin/shields/${thread.categoryId}`, { step: 2 })
    await other.deps.revisions.settle()
    const newcomer = visit(board, '198.51.100.8')
    const there = visit(other, '198.51.100.8')
    await prove(newcomer)
    for (const [name, value] of newcomer.cookies) there.cookies.set(name, value)
    expect((await tryPost(there, thread, '旅人')).status).toBe(201)
    await admin.put(`/api/admin/shields/${thread.categoryId}`, { step: null })
  })

  it('update the banner on all of them', async () => {
    const socket = await connectTo(await other.listen())
    const told = new Promise<void>((resolve) => socket.once('noticesChanged', resolve))
    expect((await visit(other).get<Notices>('/api/notices')).body.banner).toBe('')
    // The other server may receive it before this one has answered.
    await admin.put('/api/admin/settings', { bannerText: '今夜は点検があります' })
    await other.deps.revisions.settle()
    await told
    socket.close()
    for (const own of [board, other])
      expect((await visit(own).get<Notices>('/api/notices')).body.banner).toBe('今夜は点検があります')
  })

  it('raise a step by threads as well, and count every try of a member', async () => {
    move(10 * MINUTE_MS)
    await awake(admin)
    const members = await Promise.all(
      Array.from({ length: 4 }, (_, index) => signUp(board, `狼煙${index}`, { address: `198.51.100.${200 + index}` })),
    )
    for (const one of members) {
      await one.form('/api/threads', { title: '次々に立てる', content: '一', category: 'rant' })
    }
    const { body } = await admin.get<{ shields: Shield[] }>('/api/admin/shields')
    expect(body.shields.find(({ category }) => category === 'rant')).toMatchObject({ step: 1, threadsPerMinute: 4 })
  })
})

describe('refused tries', () => {
  let board: Board
  let thread: Thread
  beforeAll(async () => {
    board = await openBoard({ SHIELD_AUTOMATIC: 'true' })
    const admin = await signUp(board, '頭領', { isAdmin: true })
    thread = await startThread(admin)
    await admin.post('/api/admin/words', { word: '禁句', action: 'block', allow: [], note: '' })
    await admin.put('/api/admin/settings', { shieldPostsPerMinute: [20, 30, 40] })
    await board.settle()
  })
  afterAll(() => board.close())
  const say = (guest: Guest, content: string) =>
    guest.post<Refusal>(`/api/threads/${thread._id}/posts`, { content, name: '客' })

  it('have a tenth of the weight of a post for raising a step, and full weight for keeping one', async () => {
    for (const guest of crowd(board, 150)) expect((await say(guest, '禁句')).body.code).toBe('banned_word')
    expect(board.deps.shields.countTries(thread.categoryId).post).toBe(150)
    expect(stepAt(board, thread)).toBe(0)
    // The weight of 150 refused tries is 15, and five more posts make 20.
    const people = Array.from({ length: 5 }, (_, index) => visit(board, `198.51.100.${index}`))
    for (const [index, guest] of people.entries())
      expect((await tryPost(guest, thread, `客人${index}`)).status).toBe(201)
    expect(stepAt(board, thread)).toBe(1)

    for (let minute = 0; minute < 12; minute += 1) {
      board.clock.now += MINUTE_MS
      for (const guest of crowd(board, 25)) await say(guest, '禁句')
      await board.deps.shields.tick()
    }
    expect(stepAt(board, thread)).toBe(1)
    board.clock.now += 11 * MINUTE_MS
    await board.deps.shields.tick()
    expect(stepAt(board, thread)).toBe(0)
  })

  it('count up to a small limit per source, and leave the limit of its admitted posts alone', async () => {
    board.clock.now += 2 * MINUTE_MS
    const place = '198.51.100.77'
    for (let count = 0; count < 60; count += 1) await say(visit(board, place), '禁句')
    expect(board.deps.shields.countTries(thread.categoryId).post).toBe(10)
    for (let count = 0; count < 9; count += 1) await tryPost(visit(board, place), thread, `客${count}`)
    expect(stepAt(board, thread)).toBe(0)
    const people = Array.from({ length: 11 }, (_, index) => visit(board, `203.0.113.${index}`))
    for (const [index, guest] of people.entries()) await tryPost(guest, thread, `他${index}`)
    // Nine posts of this source and eleven of others.
    expect(stepAt(board, thread)).toBe(1)
  })
})

describe('a source whose newcomers write more than its share', () => {
  let board: Board
  let stranger: Guest
  let thread: Thread
  beforeAll(async () => {
    board = await openBoard({ SHIELD_AUTOMATIC: 'true' })
    stranger = visit(board, '198.51.100.1')
    thread = await startThread(stranger)
    board.clock.now += 25 * HOUR_MS
  })
  afterAll(() => board.close())
  const place = '198.51.100.50'
  const open = async (guest: Guest): Promise<number> => {
    const { status } = await guest.form('/api/threads', { title: '荒らしのスレ', content: '一言', category: 'rant' })
    return status
  }

  it('is asked for a proof, and then held, while all others notice nothing', async () => {
    const raiders = Array.from({ length: 20 }, () => visit(board, place))
    const statuses = await Promise.all(raiders.map(open))
    expect(statuses.filter((status) => status === 201)).toHaveLength(5)
    expect(statuses.filter((status) => status === 428)).toHaveLength(15)
    const [raider] = raiders
    await prove(raider!)
    const proven: number[] = []
    for (let count = 0; count < 8; count += 1) proven.push(await open(raider!))
    expect(proven).toEqual([201, 201, 201, 201, 201, 202, 202, 202])

    const regular = visit(board, place)
    await writeTo(regular, thread, '常連の一言')
    await giveLevel(board, regular, 3)
    expect([await open(regular), await open(stranger)]).toEqual([201, 201])
    expect((await stranger.get<Notices>('/api/notices')).body.shields).toEqual([])
    // The others of the same address post as before: threads and posts are counted apart.
    expect((await tryPost(visit(board, place), thread, '隣人')).status).toBe(201)

    board.clock.now += 2 * MINUTE_MS
    expect(await open(visit(board, place))).toBe(201)
  })

  it('does not concern a single browser with its fifty posts at once', async () => {
    const talker = visit(board, '198.51.100.51')
    const statuses = [(await tryPost(talker, thread, '早口')).status]
    const others = await Promise.all(Array.from({ length: 48 }, () => tryPost(talker, thread, '早口')))
    statuses.push(...others.map(({ status }) => status))
    expect(statuses).toEqual(Array.from({ length: 49 }, () => 201))
  })
})

describe('a step set by hand', () => {
  let board: Board
  let admin: MemberGuest
  let thread: Thread
  beforeAll(async () => {
    board = await openBoard({ SHIELD_AUTOMATIC: 'true' })
    admin = await signUp(board, '頭領', { isAdmin: true })
    thread = await startThread(admin)
  })
  afterAll(() => board.close())

  const set = (guest: Guest, body: unknown): Promise<Answer<Shield & Refusal>> =>
    guest.put<Shield & Refusal>(`/api/admin/shields/${thread.categoryId}`, body)

  it('applies at once and until its end, and is shown to every visitor', async () => {
    const socket = await connectTo(await board.listen())
    const told = new Promise<void>((resolve) => socket.once('noticesChanged', resolve))
    expect((await visit(board).get<Notices>('/api/notices')).body.shields).toEqual([])
    const answer = await set(admin, { step: 4, minutes: 30 })
    expect(answer.body).toMatchObject({
      step: 4,
      manual: true,
      until: new Date(board.clock.now + 30 * MINUTE_MS).toISOString(),
    })
    await told
    expect((await visit(board).get<Notices>('/api/notices')).body.shields).toMatchObject([{ step: 4 }])
    expect((await tryPost(visit(board), thread)).status).toBe(423)
    const ack = await send(socket, { threadId: thread._id, content: '一言', name: '影' })
    expect(ack).toEqual({ error: { code: 'locked', message: messages.shield_locked } })
    socket.close()

    board.clock.now += 30 * MINUTE_MS
    expect((await tryPost(visit(board), thread)).status).toBe(201)
    await board.deps.shields.tick()
    expect((await visit(board).get<Notices>('/api/notices')).body.shields).toEqual([])
    expect((await entries(board, 'shield_lower')).at(-1)).toMatchObject({
      actorName: null,
      details: { before: { step: 4 }, after: { step: 0 } },
    })
  })

  it('does not fall by itself, and is not raised by posts', async () => {
    await awake(admin)
    await admin.put('/api/admin/settings', { shieldPostsPerMinute: [2, 3, 4] })
    await set(admin, { step: 0 })
    for (const guest of crowd(board, 8))
      expect((await tryPost(guest, thread, `客${guest.cookies.size}`)).status).toBeLessThan(410)
    expect(stepAt(board, thread)).toBe(0)
    await set(admin, { step: 1 })
    board.clock.now += 48 * HOUR_MS
    await board.deps.shields.tick()
    expect(stepAt(board, thread)).toBe(1)
  })

  it('returns the category to automatic steps when it is removed', async () => {
    await awake(admin)
    expect((await set(admin, { step: null })).body).toMatchObject({ step: 0, manual: false, since: null })
    for (const guest of crowd(board, 2)) await tryPost(guest, thread)
    expect(stepAt(board, thread)).toBe(1)
    await board.settle()
    // The automatic step stays, because no step set by hand is left to remove.
    expect((await set(admin, { step: null })).body).toMatchObject({ step: 1, manual: false })
  })

  it('is logged with the moderator, and the step before and after', async () => {
    await set(admin, { step: 3, minutes: 5 })
    const entry = (await entries(board, 'shield_raise')).at(-1)
    expect(entry).toMatchObject({
      actorName: '頭領',
      isPublic: true,
      details: { before: { step: 1, manual: false }, after: { step: 3, manual: true } },
    })
  })

  it('is logged as lowered where raid mode is off before and after', async () => {
    await set(admin, { step: 0 })
    const raised = await entries(board, 'shield_raise')
    const off = { step: 0, minutes: 30 }
    for (const body of [off, { step: null }, off, { step: null }]) expect((await set(admin, body)).status).toBe(200)
    expect(await entries(board, 'shield_raise')).toEqual(raised)
    expect((await entries(board, 'shield_lower')).slice(-4).map(({ details }) => details)).toMatchObject([
      { before: { step: 0, manual: true }, after: { step: 0 } },
      { before: { step: 0, manual: true }, after: { step: null } },
      { before: { step: 0, manual: false }, after: { step: 0 } },
      { before: { step: 0, manual: true }, after: { step: null } },
    ])
  })

  it('is for moderators, each in their own categories', async () => {
    const moderator = await signUp(board, '目付', { moderates: [thread.categoryId] })
    expect((await set(moderator, { step: 1 })).status).toBe(200)
    const { body } = await moderator.get<{ shields: Shield[] }>('/api/admin/shields')
    expect(body.shields.map(({ categoryId }) => categoryId)).toEqual([thread.categoryId])
    const stranger = await signUp(board, '他所の目付', { moderates: ['019a0000-0000-7000-8000-000000000000'] })
    const refused = await set(stranger, { step: 1 })
    expect([refused.status, refused.body.message]).toEqual([403, messages.out_of_scope])
    expect((await set(await signUp(board), { step: 1 })).status).toBe(403)
    const unknown = await admin.put<Refusal>('/api/admin/shields/019a0000-0000-7000-8000-000000000001', { step: 1 })
    expect([unknown.status, unknown.body.message]).toEqual([404, messages.category_not_found])
  })
})

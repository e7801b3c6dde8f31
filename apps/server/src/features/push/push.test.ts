/**
 * Notices by Web Push, from a post to the browser that is told of it, over a push service of our
 * own that decrypts as a browser does.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { PushMessage, PushRegistration } from '@shinobi/contract/push'
import { PUSH_KEEP_DAYS } from '@shinobi/contract/watching-limits'
import { createSecretBox } from '../../lib/secret-box.ts'
import { createToken } from '../../lib/secret-token.ts'
import {
  openBoard,
  openTestDatabase,
  signUp,
  START,
  startThread,
  visit,
  writeTo,
  type Board,
  type Guest,
  type TestDatabase,
} from '../../testing/board.ts'
import { openPushService, type PushService, type Subscription } from '../../testing/outside/push-service.ts'
import { NOTICE_DELAY_MS, NOTICE_PAUSE_MS, REFUSALS_MAX, RETRY_MINUTES } from './push.service.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

let service: PushService<PushMessage>
let database: TestDatabase
let board: Board
let other: Board
let guest: Guest

beforeAll(async () => {
  service = await openPushService(() => board.clock.now)
  database = await openTestDatabase()
  const settings = { PUSH_SERVICES: service.url, CONTACT_EMAIL: 'shinobi@example.jp', SPAM_POSTS: '100000' }
  board = await openBoard(settings, database)
  other = await openBoard(settings, database)
  guest = visit(board)
})
afterAll(async () => {
  await Promise.all([board.close(), other.close()])
  await Promise.all([database.close(), service.close()])
})
beforeEach(async () => {
  service.behave(null)
  await database.db.deleteFrom('pushBrowsers').execute()
  // Midday, of a day that no test has used.
  board.clock.now = Math.ceil((board.clock.now - START) / DAY + 1) * DAY + START
})

interface Browser {
  readonly token: string
  readonly subscription: Subscription
  /** Registers again, with other wishes. */
  register(more?: Partial<PushRegistration>): Promise<number>
  /** What it was told. */
  messages(): PushMessage[]
}

let networks = 0
async function open(wishes: Partial<PushRegistration> = {}, subscription = service.subscribe()): Promise<Browser> {
  const token = createToken()
  networks += 1
  const from = visit(board, `198.51.100.${networks % 250}`)
  const register = async (more: Partial<PushRegistration> = {}) => {
    const registration = {
      ...{ token, subscription, answers: true, titles: false, quiet: null, perHour: 20, threads: [], words: [] },
      ...{ ...wishes, ...more },
    }
    return (await from.put('/api/push/registration', registration)).status
  }
  expect(await register()).toBe(200)
  const messages = () =>
    service.deliveries.filter(({ endpoint }) => endpoint === subscription.endpoint).map(({ message }) => message)
  return { token, subscription, register, messages }
}

/** Time goes on, and everything that is due is sent. */
async function pass(ms = NOTICE_DELAY_MS): Promise<void> {
  // What was committed is queued at its own time.
  await board.settle()
  board.clock.now += ms
  await board.settle()
}

const watching = (threadId: string, more: { watched?: boolean; ownPosts?: number[] } = {}) => ({
  threads: [{ threadId, watched: true, ownPosts: [], ...more }],
})
const count = async (table: 'pushBrowsers' | 'pushWatches' | 'pushWords' | 'pushNotices') =>
  (await database.db.selectFrom(table).selectAll().execute()).length

describe('a browser is told of', () => {
  it('an answer to its post, in one notice for several, without a word of them', async () => {
    const thread = await startThread(guest, { title: '秘密の相談' })
    const browser = await open(watching(thread._id, { watched: false, ownPosts: [1] }))
    await writeTo(guest, thread, 'ただの独り言')
    await writeTo(guest, thread, '>>1 恥ずかしい話だね', '服部')
    await writeTo(guest, thread, '>>1-2 まったくだ')
    await pass()
    expect(browser.messages()).toEqual([
      {
        ...{ title: '忍板', body: 'あなたの書き込みに返信が2件ありました。' },
        ...{ tag: thread._id, path: `/thread/${thread._id}/3`, threadId: thread._id, number: 4 },
      },
    ])
  })

  it('new posts of a watched thread, but not of its own, nor of other threads', async () => {
    const thread = await startThread(guest)
    const elsewhere = await startThread(guest)
    const browser = await open(watching(thread._id))
    await writeTo(guest, thread, '自分の書き込み')
    await writeTo(guest, elsewhere, 'よその書き込み')
    await browser.register(watching(thread._id, { ownPosts: [2] }))
    await pass()
    expect(browser.messages()).toEqual([])
    await writeTo(guest, thread, 'ほかの人の書き込み')
    await pass()
    expect(browser.messages()).toMatchObject([
      { body: '見張っているスレッドに新しい書き込みが1件あります。', path: `/thread/${thread._id}/3` },
    ])
  })

  it('a new thread with one of its words, in any width and kana, once', async () => {
    const browser = await open({ words: ['ﾗｰﾒﾝ', '部', '夜のらーめん'] })
    const stranger = await open({ words: ['うどん'] })
    const thread = await startThread(guest, { title: '夜のらーめん部' })
    await pass()
    expect(browser.messages()).toMatchObject([
      { body: '見張っている言葉のスレッドが立ちました。', path: `/thread/${thread._id}/1` },
    ])
    expect(stranger.messages()).toEqual([])
  })

  it('the title of a thread only if it wants that', async () => {
    const thread = await startThread(guest, { title: '秘密の相談' })
    const browser = await open({ ...watching(thread._id), titles: true })
    await writeTo(guest, thread, '一')
    await pass()
    expect(browser.messages()).toMatchObject([{ body: expect.stringMatching(/^「秘密の相談」\n/) }])
  })

  it('of news what kind of text they are, and from where', async () => {
    const thread = await startThread(guest, { title: '港に新しい橋' })
    const news = { summary: 'ai', sourceSite: '港町デイリー' } as const
    await board.database.db.updateTable('threads').set(news).where('id', '=', thread._id).execute()
    const browser = await open({ ...watching(thread._id), titles: true })
    await writeTo(guest, thread, '一')
    await pass()
    expect(browser.messages()).toMatchObject([
      { body: expect.stringMatching(/^「【AI要約・出典: 港町デイリー】港に新しい橋」\n/) },
    ])
  })

  it('no answers and no posts that it does not want', async () => {
    const thread = await startThread(guest)
    const browser = await open({ ...watching(thread._id, { watched: false, ownPosts: [1] }), answers: false })
    await writeTo(guest, thread, '>>1 いいえ')
    await pass()
    expect(browser.messages()).toEqual([])
  })
})

describe('notices are few:', () => {
  it('a thread has one until a pause is over, and then one for all that came meanwhile', async () => {
    const thread = await startThread(guest)
    const browser = await open(watching(thread._id))
    await writeTo(guest, thread, '一')
    await pass()
    await writeTo(guest, thread, '二')
    await writeTo(guest, thread, '三')
    await pass()
    expect(browser.messages()).toHaveLength(1)
    await pass(NOTICE_PAUSE_MS)
    expect(browser.messages()).toHaveLength(2)
    expect(browser.messages()[1]).toMatchObject({ path: `/thread/${thread._id}/3`, number: 4 })
    await pass(NOTICE_PAUSE_MS)
    expect(browser.messages()).toHaveLength(2)
  })

  it('a visitor who is here again has seen what was sent, and is told of the next answer at once', async () => {
    const thread = await startThread(guest)
    const wishes = watching(thread._id, { watched: false, ownPosts: [1] })
    const browser = await open(wishes)
    await writeTo(guest, thread, '>>1 一')
    await pass()
    await browser.register(wishes)
    await writeTo(guest, thread, '>>1 二')
    await pass()
    expect(browser.messages()).toHaveLength(2)
  })

  it('quiet hours are kept, and what came in them follows when they end', async () => {
    const thread = await startThread(guest)
    const browser = await open({ ...watching(thread._id), quiet: { from: 14, until: 16 } })
    await pass(HOUR)
    await writeTo(guest, thread, '一')
    await pass()
    await pass(HOUR)
    expect(browser.messages()).toEqual([])
    await pass(HOUR)
    expect(browser.messages()).toHaveLength(1)
  })

  it('who reads only the first of what came in a busy night is told of the rest', async () => {
    const thread = await startThread(guest)
    const quiet = { from: 14, until: 16 }
    const writer = await open({ ...watching(thread._id, { watched: false, ownPosts: [1] }), quiet })
    const watcher = await open({ ...watching(thread._id), quiet })
    await pass(HOUR)
    await writeTo(guest, thread, '>>1 一')
    for (let number = 0; number < 110; number += 1) await writeTo(guest, thread, 'ほか')
    const last = await writeTo(guest, thread, '>>1 二')
    await pass(2 * HOUR)
    expect(writer.messages()).toMatchObject([{ path: `/thread/${thread._id}/2`, number: last.number }])
    expect(watcher.messages()).toMatchObject([{ path: `/thread/${thread._id}/2`, number: last.number }])
    await pass(NOTICE_PAUSE_MS)
    expect([...writer.messages(), ...watcher.messages()]).toHaveLength(2)
  })

  /** Time goes on, and something happens between a notice and the answer of the push service. */
  async function passWhile(happens: () => Promise<unknown>): Promise<void> {
    const taken = Promise.withResolvers<void>()
    service.behave({ until: taken.promise })
    const asked = service.nextRequest()
    const passed = pass()
    await asked
    await happens()
    await other.settle()
    taken.resolve()
    await passed
    service.behave(null)
  }

  it('what comes while one is on its way follows after the pause', async () => {
    const thread = await startThread(guest)
    const writer = await open(watching(thread._id, { watched: false, ownPosts: [1] }))
    const watcher = await open(watching(thread._id))
    await writeTo(guest, thread, '>>1 一')
    await passWhile(() => writeTo(visit(other), thread, '>>1 二', '西の忍'))
    expect([...writer.messages(), ...watcher.messages()]).toHaveLength(2)
    await pass(NOTICE_PAUSE_MS)
    expect(writer.messages()[1]).toMatchObject({ path: `/thread/${thread._id}/3`, number: 3 })
    expect(watcher.messages()[1]).toMatchObject({ path: `/thread/${thread._id}/3`, number: 3 })
    await pass(NOTICE_PAUSE_MS)
    expect([...writer.messages(), ...watcher.messages()]).toHaveLength(4)
  })

  it('what comes while one is on its way hides no answer that comes a hundred posts later', async () => {
    const thread = await startThread(guest)
    const writer = await open(watching(thread._id, { watched: false, ownPosts: [1] }))
    const watcher = await open(watching(thread._id, { ownPosts: [1] }))
    await writeTo(guest, thread, '>>1 一')
    await passWhile(() => writeTo(visit(other), thread, 'ほか', '西の忍'))
    for (let number = 0; number < 110; number += 1) await writeTo(guest, thread, 'ほか')
    const { number } = await writeTo(guest, thread, '>>1 二')
    await pass(NOTICE_PAUSE_MS)
    for (const browser of [writer, watcher]) {
      expect(browser.messages()[1]).toMatchObject({ path: `/thread/${thread._id}/${number}`, number })
    }
  })

  it('what comes while an answer is on its way leaves the last one of an hour to an answer', async () => {
    const [thread, elsewhere] = [await startThread(guest), await startThread(guest)]
    const threads = [thread, elsewhere].map(({ _id }) => ({ threadId: _id, watched: true, ownPosts: [1] }))
    const browser = await open({ perHour: 2, threads })
    await writeTo(guest, thread, '>>1 一')
    await passWhile(() => writeTo(visit(other), thread, 'ほか', '西の忍'))
    await pass(NOTICE_PAUSE_MS)
    expect(browser.messages()).toHaveLength(1)
    await writeTo(guest, elsewhere, '>>1 返信')
    await pass()
    expect(browser.messages()[1]).toMatchObject({ threadId: elsewhere._id })
  })

  it('an hour has as many as the browser wants, and the last one is left to an answer', async () => {
    const threads = await Promise.all(Array.from({ length: 5 }, () => startThread(guest)))
    const browser = await open({
      ...{ perHour: 3, threads: threads.map(({ _id }) => ({ threadId: _id, watched: true, ownPosts: [1] })) },
    })
    for (const thread of threads.slice(1)) await writeTo(guest, thread, '一')
    await pass()
    expect(browser.messages()).toHaveLength(2)
    await writeTo(guest, threads[0]!, '>>1 返信')
    await pass()
    expect(browser.messages()).toHaveLength(3)
    expect(browser.messages()[2]!.body).toContain('返信')
    // Of four notices that were due together, any two were sent.
    const waiting = threads.find(({ _id }) => browser.messages().every(({ threadId }) => threadId !== _id))!
    await writeTo(guest, waiting, '>>1 返信')
    await pass()
    expect(browser.messages()).toHaveLength(3)
    await pass(HOUR)
    expect(browser.messages()).toHaveLength(5)
  })

  it('what was removed before it was sent is not told', async () => {
    const thread = await startThread(guest)
    const removed = await startThread(guest, { title: 'らーめんの宣伝' })
    const browser = await open({ threads: [watching(thread._id, { ownPosts: [1] }).threads[0]!], words: ['らーめん'] })
    const post = await writeTo(guest, thread, '>>1 荒らしの書き込み')
    const spam = await startThread(guest, { title: 'らーめんの宣伝、再び' })
    await board.settle()
    const admin = await signUp(board, '半蔵', { isAdmin: true })
    expect((await admin.delete(`/api/admin/posts/${post._id}`)).status).toBe(200)
    for (const each of [removed, spam]) {
      expect((await admin.delete(`/api/admin/threads/${each._id}`)).status).toBe(200)
    }
    await pass()
    expect(browser.messages()).toEqual([])
    expect(await count('pushNotices')).toBe(0)
  })

  it('a flood of answers to one post is one notice', async () => {
    const thread = await startThread(guest)
    const browser = await open(watching(thread._id, { ownPosts: [1] }))
    for (let number = 0; number < 40; number += 1) await writeTo(guest, thread, '>>1 >>1 荒らし')
    await pass()
    await pass(NOTICE_PAUSE_MS)
    expect(browser.messages()).toHaveLength(1)
  })
})

it('several servers of a board send each notice once', async () => {
  const threads = await Promise.all(Array.from({ length: 12 }, () => startThread(guest)))
  const browsers = await Promise.all(threads.map(({ _id }) => open(watching(_id))))
  for (const thread of threads) await writeTo(guest, thread, '一')
  await board.settle()
  board.clock.now += NOTICE_DELAY_MS
  other.clock.now = board.clock.now
  await Promise.all([board.settle(), other.settle(), board.settle(), other.settle()])
  expect(browsers.map((browser) => browser.messages().length)).toEqual(threads.map(() => 1))
})

describe('a push service that', () => {
  it('knows a subscription no longer ends the registration with all that belongs to it', async () => {
    const thread = await startThread(guest)
    await open({ ...watching(thread._id), words: ['らーめん'] })
    await writeTo(guest, thread, '一')
    service.behave({ status: 410 })
    await pass()
    expect(
      await Promise.all((['pushBrowsers', 'pushWatches', 'pushWords', 'pushNotices'] as const).map(count)),
    ).toEqual([0, 0, 0, 0])
  })

  it('asks for a pause gets it, and then the notice', async () => {
    const thread = await startThread(guest)
    const another = await startThread(guest)
    const browser = await open({ threads: [...watching(thread._id).threads, ...watching(another._id).threads] })
    await writeTo(guest, thread, '一')
    service.behave({ status: 429, headers: { 'retry-after': '600' } })
    await pass()
    const asked = service.asked
    // Nor is it asked about anything else meanwhile.
    await writeTo(guest, another, '一')
    await pass()
    await pass(5 * MINUTE)
    expect(service.asked).toBe(asked)
    service.behave(null)
    await pass(5 * MINUTE)
    expect(browser.messages()).toHaveLength(2)
  })

  it('has had too much for one browser still gets the notices of the others', async () => {
    const [thread, another] = [await startThread(guest), await startThread(guest)]
    const [busy, quiet] = [await open(watching(thread._id)), await open(watching(another._id))]
    await writeTo(guest, thread, '一')
    service.behave({ status: 429, headers: { 'retry-after': '600' } })
    await pass()
    service.behave(null)
    await writeTo(guest, another, '一')
    await pass()
    expect([busy.messages(), quiet.messages()].map(({ length }) => length)).toEqual([0, 1])
    await pass(10 * MINUTE)
    expect(busy.messages()).toHaveLength(1)
  })

  it('is broken is tried a few times, and the notice is given up', async () => {
    const thread = await startThread(guest)
    await open(watching(thread._id))
    await writeTo(guest, thread, '一')
    service.behave({ status: 500 })
    const before = service.asked
    await pass()
    for (const minutes of RETRY_MINUTES) await pass(minutes * MINUTE)
    await pass(DAY / 2)
    expect(service.asked - before).toBe(RETRY_MINUTES.length + 1)
    expect([await count('pushNotices'), await count('pushBrowsers')]).toEqual([0, 1])
  })

  it('refuses everything ends the registration', async () => {
    const thread = await startThread(guest)
    await open(watching(thread._id))
    service.behave({ status: 400 })
    for (let refused = 0; refused < REFUSALS_MAX; refused += 1) {
      expect(await count('pushBrowsers')).toBe(1)
      await writeTo(guest, thread, '一')
      await pass(NOTICE_PAUSE_MS)
    }
    expect(await count('pushBrowsers')).toBe(0)
  })
})

describe('a registration', () => {
  it('belongs to whoever has its token, and ends with it', async () => {
    const thread = await startThread(guest)
    const browser = await open({ ...watching(thread._id), words: ['らーめん'] })
    expect((await guest.post('/api/push/drop', { token: createToken() })).status).toBe(200)
    expect(await count('pushBrowsers')).toBe(1)
    await writeTo(guest, thread, '一')
    await board.settle()
    expect((await guest.post('/api/push/drop', { token: browser.token })).status).toBe(200)
    expect(
      await Promise.all((['pushBrowsers', 'pushWatches', 'pushWords', 'pushNotices'] as const).map(count)),
    ).toEqual([0, 0, 0, 0])
    await pass()
    expect(browser.messages()).toEqual([])
  })

  it('replaces what was watched before, and another one of the same subscription', async () => {
    const thread = await startThread(guest)
    const browser = await open({ ...watching(thread._id), words: ['らーめん', 'うどん'] })
    await browser.register({ threads: [], words: ['うどん', 'ウドン'] })
    expect([await count('pushWatches'), await count('pushWords')]).toEqual([0, 1])
    await open({}, browser.subscription)
    expect([await count('pushBrowsers'), await count('pushWords')]).toEqual([1, 0])
  })

  it('sets no cookie, and stores neither the token nor the address in the open', async () => {
    const reader = visit(board)
    const { subscription, ...browser } = await open()
    const registration = { answers: true, titles: false, quiet: null, perHour: 1, threads: [], words: [] }
    const answer = await reader.put('/api/push/registration', { token: createToken(), subscription, ...registration })
    expect([answer.status, reader.cookies.size]).toEqual([200, 0])
    const stored = JSON.stringify(await database.db.selectFrom('pushBrowsers').selectAll().execute())
    for (const secret of [browser.token, subscription.endpoint, subscription.keys.auth]) {
      expect(stored).not.toContain(secret)
    }
  })

  it.each([
    ['http://127.0.0.1:6379/', 'このブラウザが使う通知サービスには、この板から送れません。'],
    ['https://169.254.169.254/latest/meta-data', 'このブラウザが使う通知サービスには、この板から送れません。'],
    ['https://victim.example/form', 'このブラウザが使う通知サービスには、この板から送れません。'],
    ['file:///etc/passwd', 'このブラウザが使う通知サービスには、この板から送れません。'],
  ])('of %s is refused', async (endpoint, message) => {
    const { keys } = service.subscribe()
    const registration = { answers: true, titles: false, quiet: null, perHour: 1, threads: [], words: [] }
    const body = { token: createToken(), subscription: { endpoint, keys }, ...registration }
    expect(await guest.put('/api/push/registration', body)).toMatchObject({ status: 400, body: { message } })
  })

  it('with keys that no browser has is refused', async () => {
    const { endpoint, keys } = service.subscribe()
    const subscription = { endpoint, keys: { ...keys, p256dh: 'B'.repeat(87) } }
    const registration = { answers: true, titles: false, quiet: null, perHour: 1, threads: [], words: [] }
    const answer = await guest.put('/api/push/registration', { token: createToken(), subscription, ...registration })
    expect(answer.status).toBe(400)
  })

  it('is refused when too many come from one place', async () => {
    const crowd = visit(board, '192.0.2.77')
    const registration = { answers: true, titles: false, quiet: null, perHour: 1, threads: [], words: [] }
    const statuses: number[] = []
    for (let number = 0; number < 61; number += 1) {
      const body = { token: createToken(), subscription: service.subscribe(), ...registration }
      statuses.push((await crowd.put('/api/push/registration', body)).status)
    }
    expect(statuses.filter((status) => status === 200)).toHaveLength(60)
    expect(statuses.at(-1)).toBe(429)
  })

  it('ends after some weeks without a visit', async () => {
    const browser = await open()
    await pass(PUSH_KEEP_DAYS * DAY - HOUR)
    await board.services.sweep(board.clock.now)
    expect(await count('pushBrowsers')).toBe(1)
    await pass(2 * HOUR)
    await board.services.sweep(board.clock.now)
    expect(await count('pushBrowsers')).toBe(0)
    expect(await browser.register()).toBe(200)
  })

  it('can be tried out at once, a few times an hour', async () => {
    const browser = await open({ quiet: { from: 0, until: 23 }, perHour: 1 })
    const test = () => guest.post('/api/push/test', { token: browser.token })
    expect((await test()).status).toBe(200)
    expect(browser.messages()).toMatchObject([{ body: '試しの通知です。これが見えていれば、通知は届きます。' }])
    service.behave({ status: 503 })
    expect((await test()).status).toBe(503)
    service.behave(null)
    const statuses: number[] = []
    for (let number = 0; number < 10; number += 1) statuses.push((await test()).status)
    expect(statuses).toContain(429)
    expect((await guest.post('/api/push/test', { token: createToken() })).status).toBe(404)
    const lost = await open()
    service.behave({ status: 404 })
    expect((await guest.post('/api/push/test', { token: lost.token })).status).toBe(404)
    expect(await lost.register()).toBe(200)
  })

  it('that another secret sealed is unknown, and can be made again', async () => {
    const browser = await open()
    const sealedSubscription = createSecretBox('an earlier secret', 'push').seal('{}', '')
    await database.db.updateTable('pushBrowsers').set({ sealedSubscription }).execute()
    const { status, body } = await guest.post('/api/push/test', { token: browser.token })
    expect([status, body]).toMatchObject([404, { code: 'not_found' }])
    expect(await count('pushBrowsers')).toBe(0)
    expect(await browser.register()).toBe(200)
  })
})

it('a board that cannot send says so', async () => {
  const off = await openBoard({ PUBLIC_URL: 'http://board.example.jp' }, database)
  const reader = visit(off)
  expect((await reader.get('/api/push')).body).toEqual({ key: null })
  const registration = { answers: true, titles: false, quiet: null, perHour: 1, threads: [], words: [] }
  const body = { token: createToken(), subscription: service.subscribe(), ...registration }
  const answer = await reader.put('/api/push/registration', body, { origin: 'http://board.example.jp' })
  expect(answer).toMatchObject({ status: 503, body: { message: 'この板では、閉じている間の通知を使えません。' } })
  expect((await guest.get<{ key: string }>('/api/push')).body.key).toMatch(/^B[\w-]{86}$/)
  await off.close()
})

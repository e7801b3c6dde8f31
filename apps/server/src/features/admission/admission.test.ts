/** Checks before a text is written: cooldowns, words and their actions, locks, bans, resends. */
import { randomUUID } from 'node:crypto'
import { describe, expect } from 'vitest'
import { messages } from '@shinobi/contract/messages'
import type { Post } from '@shinobi/contract/posts'
import type { Thread } from '@shinobi/contract/threads'
import type { WordAction } from '@shinobi/contract/words'
import {
  connectTo,
  giveLevel,
  PASSWORD,
  send,
  signUp,
  startThread,
  visit,
  writeTo,
  type Answer,
  type Guest,
} from '../../testing/board.ts'
import { boardTest } from '../../testing/fixtures.ts'
import type { Visitor } from '../../http/visitor.ts'
import { uuidv7 } from '../../lib/uuid.ts'
import { hashing } from '../accounts/hashing.ts'

interface Refusal {
  readonly code: string
  readonly message: string
}

const it = boardTest
  .extend('thread', { scope: 'file' }, async ({ admin }) => {
    for (const [word, action] of [
      ['毒薬', 'mask'],
      ['宣伝', 'hold'],
      ['合戦', 'flag'],
      ['暗殺', 'block'],
    ] satisfies [string, WordAction][]) {
      await admin.post('/api/admin/words', { word, action, allow: [], note: '' })
    }
    return startThread(admin)
  })
  .extend('helpers', ({ board, admin, thread }) => {
    const post = (guest: Guest, content: string, more: Record<string, unknown> = {}): Promise<Answer<Post & Refusal>> =>
      guest.post(`/api/threads/${thread._id}/posts`, { content, name: `影${guest.cookies.size}`, ...more })
    const settings = (change: Record<string, unknown>) => admin.put('/api/admin/settings', change)
    const id = (): string => uuidv7(board.clock.now)
    async function somebody(): Promise<{ guest: Guest; name: string }> {
      people += 1
      const [guest, name] = [visit(board, `198.51.100.${people}`), `旅人${people}`]
      await guest.post(`/api/threads/${thread._id}/checkNickname`, { nickname: name })
      return { guest, name }
    }
    const admit = (writer: Visitor, nickname = '予約の影') =>
      board.deps.admission.admit(writer, {
        ...{ kind: 'post', threadId: thread._id, content: '予約', nickname, asStaff: false },
        ...{ sage: false, hasImage: false },
      })
    return { post, settings, id, somebody, admit }
  })

/** A visitor with an earlier post, and a unique name. */
let people = 0

describe('cooldowns', () => {
  it.afterEach(({ helpers: { settings } }) => settings({ postCooldownSeconds: 0, threadCooldownSeconds: 0 }))

  it('between posts are answered with the time to wait, by HTTP and by socket', async ({
    board,
    thread,
    helpers: { post, settings, somebody },
  }) => {
    await settings({ postCooldownSeconds: 5 })
    const { guest, name } = await somebody()
    expect((await post(guest, '一', { name })).status).toBe(201)
    board.clock.now += 1_500
    expect(await post(guest, '二', { name })).toMatchObject({
      status: 429,
      body: { code: 'too_many_requests', message: messages.cooldown(4) },
      headers: { 'retry-after': '4' },
    })
    const socket = await connectTo(await board.listen(), guest)
    expect(await send(socket, { threadId: thread._id, content: '二', name })).toEqual({
      error: { code: 'too_many_requests', message: messages.cooldown(4), retryAfter: 4 },
    })
    board.clock.now += 3_500
    expect(await send(socket, { threadId: thread._id, content: '二', name })).toMatchObject({ post: { content: '二' } })
    socket.close()
  })

  it('end at once when the clock was hours ahead', async ({ board, helpers: { post, settings, somebody } }) => {
    await settings({ postCooldownSeconds: 5 })
    const { guest, name } = await somebody()
    const at = board.clock.now
    board.clock.now += 9 * 3_600_000
    expect((await post(guest, '一', { name })).status).toBe(201)
    board.clock.now = at
    expect((await post(guest, '二', { name })).status).toBe(201)
    expect((await post(guest, '三', { name })).status).toBe(429)
  })

  it('limit an address where each post comes with a new cookie, or with none', async ({
    board,
    helpers: { post, settings, somebody },
  }) => {
    await settings({ postCooldownSeconds: 60 })
    const statusesFrom = async (addressOf: (index: number) => string, prefix: string): Promise<number[]> => {
      const statuses = []
      for (let index = 0; index < 6; index += 1) {
        statuses.push((await post(visit(board, addressOf(index)), '一', { name: `${prefix}${index}の影` })).status)
      }
      return statuses
    }
    const fewPass = [201, 201, 201, 429, 429, 429]
    expect(await statusesFrom(() => '198.51.100.77', '変装')).toEqual(fewPass)
    expect(await statusesFrom((index) => `2001:db8:1:${index}::1`, '六番')).toEqual(fewPass)
    expect((await post(visit(board, '198.51.100.78'), '隣の人', { name: '隣の人' })).status).toBe(201)
    // A visitor who has posted before is recognised by the cookie.
    const { guest, name } = await somebody()
    expect((await post(guest, '一', { name })).status).toBe(201)
    board.clock.now += 61_000
    expect(await statusesFrom(() => `198.51.100.${people}`, '同じ家')).toEqual(fewPass)
    expect((await post(guest, '二', { name })).status).toBe(201)
  })

  it('limit an address whose cookies have all written before, except for writers with a level', async ({
    board,
    helpers: { post, settings },
  }) => {
    const guests = Array.from({ length: 12 }, () => visit(board, '198.51.100.79'))
    const postAll = async (content: string) => {
      const statuses = []
      for (const [index, guest] of guests.entries()) {
        statuses.push((await post(guest, content, { name: `集めた影${index}` })).status)
      }
      return statuses
    }
    await postAll('一')
    await settings({ postCooldownSeconds: 60 })
    await giveLevel(board, guests[11]!, 1)
    board.clock.now += 60_000
    expect(await postAll('二')).toEqual([...Array.from({ length: 10 }, () => 201), 429, 201])
  })

  it('are per writer, and a member’s apply in every browser', async ({
    board,
    helpers: { post, settings, somebody },
  }) => {
    await settings({ postCooldownSeconds: 5 })
    const member = await signUp(board, '韋駄天')
    const again = visit(board)
    await again.post('/auth/login', { username: '韋駄天', password: PASSWORD })
    expect((await post(member, '一')).status).toBe(201)
    expect((await post(again, '二')).status).toBe(429)
    const { guest, name } = await somebody()
    expect((await post(guest, '別の人', { name })).status).toBe(201)
  })

  it('are not started by refused or held texts, and are not extended by attempts', async ({
    board,
    helpers: { post, settings, somebody },
  }) => {
    await settings({ postCooldownSeconds: 60 })
    const { guest, name } = await somebody()
    expect((await post(guest, '暗殺の相談', { name })).status).toBe(400)
    expect((await post(guest, '宣伝です', { name })).status).toBe(202)
    expect((await post(guest, '一', { name: '運営' })).status).toBe(409)
    expect((await post(guest, '一', { name })).status).toBe(201)
    board.clock.now += 59_000
    expect((await post(guest, '二', { name })).status).toBe(429)
    board.clock.now += 1_000
    expect((await post(guest, '二', { name })).status).toBe(201)
  })

  it('admit one of several concurrent posts', async ({ helpers: { post, settings, somebody } }) => {
    await settings({ postCooldownSeconds: 5 })
    const { guest, name } = await somebody()
    const answers = await Promise.all(Array.from({ length: 6 }, (_, index) => post(guest, `同時${index}`, { name })))
    expect(answers.map(({ status }) => status).toSorted((one, two) => one - two)).toEqual([
      201, 429, 429, 429, 429, 429,
    ])
  })

  it('do not stop a resend, which gets the answer of the earlier post', async ({
    helpers: { post, settings, id, somebody },
  }) => {
    await settings({ postCooldownSeconds: 60 })
    const { guest, name } = await somebody()
    const clientPostId = id()
    const first = await post(guest, '一度', { name, clientPostId })
    const again = await post(guest, '一度', { name, clientPostId })
    expect([again.status, again.body._id]).toEqual([201, first.body._id])
  })

  it('of threads are separate from those of posts', async ({ board, helpers: { settings, somebody } }) => {
    await settings({ threadCooldownSeconds: 120 })
    const { guest, name } = await somebody()
    const opened = await startThread(guest)
    const form = { title: 'もう一つ', content: '立てたい', category: 'general' }
    const refused = await guest.form<Refusal>('/api/threads', form)
    expect([refused.status, refused.body.message]).toEqual([429, messages.cooldown(120)])
    expect((await writeTo(guest, opened, '書くのはよい', name)).number).toBe(2)
    board.clock.now += 120_000
    expect((await guest.form('/api/threads', form)).status).toBe(201)
  })
})

describe('a reservation', () => {
  it.beforeEach(({ helpers: { settings } }) => settings({ postCooldownSeconds: 60 }))
  it.afterEach(({ helpers: { settings } }) => settings({ postCooldownSeconds: 0, spamPosts: 100_000 }))

  const visitor = (): Visitor => ({
    ...{ member: null, visitorId: randomUUID(), addressHash: randomUUID(), networkHash: null },
    origin: { address: '127.0.0.1', agent: '' },
  })
  const refused = { code: 'too_many_requests' }

  it('blocks the next one until it is released, and is released once', async ({ helpers: { admit } }) => {
    const writer = visitor()
    const first = await admit(writer)
    await expect(admit(writer)).rejects.toMatchObject(refused)
    await first.release()
    await admit(writer)
    await first.release()
    await expect(admit(writer)).rejects.toMatchObject(refused)
  })

  it('cannot be released once committed', async ({ thread, helpers: { admit, id } }) => {
    const writer = visitor()
    const reservation = await admit(writer)
    reservation.commit({ threadId: thread._id, postId: id() })
    await reservation.release()
    await expect(admit(writer)).rejects.toMatchObject(refused)
  })

  it('that is held ends the cooldown and counts against the limit of posts', async ({
    helpers: { admit, settings },
  }) => {
    const writer = visitor()
    await settings({ spamPosts: 3 })
    for (let held = 0; held < 2; held += 1) {
      const reservation = await admit(writer)
      reservation.commitHeld()
      await reservation.release()
    }
    await expect(admit(writer)).rejects.toMatchObject({ code: 'spam' })
  })

  it('computes no tripcode before it is made, and a computed one counts against the limit of posts', async ({
    thread,
    helpers: { admit, settings },
  }) => {
    const writer = { ...visitor(), origin: { address: '203.0.113.99', agent: '' } }
    await settings({ spamPosts: 3, postCooldownSeconds: 0 })
    // Nobody else computes for this address now, so that a key would be refused.
    const { promise, resolve } = Promise.withResolvers<void>()
    const busy = Array.from({ length: 21 }, () => hashing(writer.origin.address, () => promise))
    const blocked = await admit(writer, '影##鍵')
    await expect(blocked.marksIn(thread._id)).rejects.toMatchObject({ message: messages.too_many_requests })
    await blocked.release()
    resolve()
    await Promise.all(busy)
    const second = await admit(writer, '影##鍵')
    expect((await second.marksIn(thread._id)).trip).toMatch(/^[\w-]{15}$/)
    await second.release()
    await expect(admit(writer)).rejects.toMatchObject({ code: 'spam' })
  })
})

describe('word rules', () => {
  it('with the action mask replace words in titles and posts, and a resend is recognised by the original text', async ({
    helpers: { post, id, somebody },
  }) => {
    const { guest, name } = await somebody()
    expect((await post(guest, 'これは毒　薬です', { name })).body.content).not.toContain('薬')
    const clientThreadId = id()
    const form = { title: '毒薬の作り方', content: '毒薬とは', category: 'general', clientThreadId }
    const first = await guest.form<Thread>('/api/threads', form)
    expect([first.status, first.body.title, first.body.content]).toEqual([201, '＊＊の作り方', '＊＊とは'])
    const again = await guest.form<Thread>('/api/threads', form)
    expect([again.status, again.body._id]).toEqual([201, first.body._id])
    expect((await guest.form('/api/threads', { ...form, content: '別の話' })).status).toBe(409)
  })

  it('with the action flag publish the post, and report it to the moderators', async ({
    board,
    helpers: { post, somebody },
  }) => {
    const { guest, name } = await somebody()
    const answer = await post(guest, '合戦だ', { name })
    expect(answer.status).toBe(201)
    const opened = await startThread(guest, { title: '合戦の話', content: '始まる' })
    await board.settle()
    const rows = await board.database.db
      .selectFrom('cases')
      .select(['postId', 'flag', 'number'])
      .orderBy('number', 'desc')
      .execute()
    expect(rows).toMatchObject([
      { postId: answer.body._id, flag: '合戦' },
      { flag: '合戦', number: 1 },
    ])
    expect(opened.title).toBe('合戦の話')
  })

  it('are decided by the strongest match', async ({ board, helpers: { post, somebody } }) => {
    const { guest, name } = await somebody()
    expect((await post(guest, '宣伝と暗殺', { name })).body).toMatchObject({
      code: 'banned_word',
      message: messages.banned_word,
    })
    expect((await post(guest, '毒薬の宣伝', { name })).status).toBe(202)
    const row = await board.database.db
      .selectFrom('heldPosts')
      .selectAll()
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    expect(row).toMatchObject({ why: 'word', detail: '宣伝', payload: { content: '＊＊の宣伝' } })
  })

  it('refuse a name with a matching word whatever their action', async ({ helpers: { post, somebody } }) => {
    const { guest } = await somebody()
    expect((await post(guest, '一', { name: '宣伝係' })).body.code).toBe('banned_word')
  })
})

describe('a post to a locked or unknown thread', () => {
  it('is refused before its picture is processed, and accepted at once when the thread is reopened', async ({
    board,
    helpers: { somebody },
  }) => {
    const { guest, name } = await somebody()
    const locked = await startThread(guest)
    const lock = (lockedAt: Date | null) =>
      board.database.db.updateTable('threads').set({ lockedAt }).where('id', '=', locked._id).execute()
    await lock(new Date(board.clock.now))
    const form = { content: '絵です', name, image: new Blob([new Uint8Array([1, 2, 3])], { type: 'image/png' }) }
    const refused = await guest.form<Refusal>(`/api/threads/${locked._id}/posts`, form)
    expect([refused.status, refused.body.code]).toEqual([423, 'locked'])
    await lock(null)
    expect((await writeTo(guest, locked, '開いた', name)).number).toBe(2)
  })

  it('is answered again when it is the resend of a post from before the lock', async ({
    board,
    helpers: { id, somebody },
  }) => {
    const { guest, name } = await somebody()
    const open = await startThread(guest)
    const body = { content: '先に', name, clientPostId: id() }
    const first = await guest.post<Post>(`/api/threads/${open._id}/posts`, body)
    await board.database.db
      .updateTable('threads')
      .set({ lockedAt: new Date(board.clock.now) })
      .where('id', '=', open._id)
      .execute()
    const again = await guest.post<Post>(`/api/threads/${open._id}/posts`, body)
    expect([again.status, again.body._id]).toEqual([201, first.body._id])
  })

  it('gets "not found" when the thread never existed', async ({ helpers: { id, somebody } }) => {
    const { guest, name } = await somebody()
    const answer = await guest.post<Refusal>(`/api/threads/${id()}/posts`, { content: '一', name })
    expect([answer.status, answer.body.code]).toEqual([404, 'not_found'])
  })
})

it('a banned visitor gets the reason, their attempts do not raise the shield, and a resend of an earlier post is answered', async ({
  board,
  admin,
  thread,
  helpers: { post, id, somebody },
}) => {
  const { guest, name } = await somebody()
  const clientPostId = id()
  const first = await post(guest, '荒らし', { name, clientPostId })
  const ban = { target: { threadId: thread._id, postId: first.body._id }, on: ['visitor'], reason: '荒らし', hours: 1 }
  expect((await admin.post('/api/admin/bans', ban)).status).toBe(201)
  const before = board.deps.shields.countTries(thread.categoryId).post
  const refused = await post(guest, 'まだ書く', { name })
  expect([refused.status, refused.body.code]).toEqual([403, 'banned'])
  expect(board.deps.shields.countTries(thread.categoryId).post).toBe(before)
  expect((await post(guest, '荒らし', { name, clientPostId })).body._id).toBe(first.body._id)
  expect((await guest.form('/api/threads', { title: '別の場所', content: '書く', category: 'rant' })).status).toBe(403)
})

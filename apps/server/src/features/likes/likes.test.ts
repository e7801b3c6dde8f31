import { afterAll, beforeAll, describe, expect } from 'vitest'
import { messages } from '@shinobi/contract/messages'
import type { LikesChange } from '@shinobi/contract/events'
import type { Post } from '@shinobi/contract/posts'
import type { Thread, ThreadItem } from '@shinobi/contract/threads'
import {
  connectTo,
  enter,
  openBoard,
  scoreOf,
  signUp,
  startThread,
  visit,
  writeTo,
  type Answer,
  type Board,
  type Guest,
} from '../../testing/board.ts'
import { boardTest } from '../../testing/fixtures.ts'

const HOUR = 3_600_000
const NOWHERE = '01900000-0000-7000-8000-00000000dead'

type Likes = Answer<{ likes: number }>
const ofThread = (thread: { _id: string }) => `/api/threads/${thread._id}/like`
const ofPost = (post: { threadId: string; _id: string }) => `/api/threads/${post.threadId}/posts/${post._id}/like`
const like = (who: Guest, url: string): Promise<Likes> => who.post(url)
const unlike = (who: Guest, url: string): Promise<Likes> => who.delete(url)

const it = boardTest
  .extend('reader', { scope: 'file' }, ({ board }) => visit(board))
  .extend('kaede', { scope: 'file' }, ({ board }) => signUp(board, '楓です'))
  .extend('thread', { scope: 'file' }, ({ reader }) => startThread(reader))
  .extend('post', { scope: 'file' }, ({ reader, thread }) => writeTo(reader, thread, 'いいことを言った'))

describe('a like', () => {
  it('counts once, however often it is sent and from however many tabs', async ({ board, kaede, thread, post }) => {
    for (const url of [ofThread(thread), ofPost(post)]) {
      const twice = await Promise.all([like(kaede, url), like(kaede, url)])
      expect(twice.map((answer) => answer.body)).toEqual([{ likes: 1 }, { likes: 1 }])
      expect((await like(kaede, url)).body).toEqual({ likes: 1 })
      const other = await signUp(board)
      expect((await like(other, url)).body).toEqual({ likes: 2 })
      expect((await unlike(other, url)).body).toEqual({ likes: 1 })
    }
  })

  it('is removed by an unlike, and a second unlike removes no other member’s like', async ({
    board,
    kaede,
    thread,
    post,
  }) => {
    const other = await signUp(board)
    for (const url of [ofThread(thread), ofPost(post)]) {
      await like(kaede, url)
      await like(other, url)
      const twice = await Promise.all([unlike(kaede, url), unlike(kaede, url)])
      expect(twice.map((answer) => answer.body)).toEqual([{ likes: 1 }, { likes: 1 }])
      expect((await unlike(kaede, url)).body).toEqual({ likes: 1 })
      expect((await unlike(other, url)).body).toEqual({ likes: 0 })
      expect((await unlike(other, url)).body).toEqual({ likes: 0 })
    }
  })

  it('does not make the board read anew which posts answer which', async ({ board, reader, kaede, thread, post }) => {
    const path = `/api/threads/${thread._id}/answers`
    await reader.get(path)
    for (const url of [ofThread(thread), ofPost(post)]) {
      await like(kaede, url)
      await unlike(kaede, url)
      await board.deps.likes.settle()
      // So old that it may not lag behind a change.
      board.clock.now += 2_000
      const { misses } = board.deps.cache.stats()
      await reader.get(path)
      expect(board.deps.cache.stats().misses).toBe(misses)
    }
  })

  it('needs an account: a visitor gets 401, and nothing is counted', async ({ reader, thread, post }) => {
    for (const url of [ofThread(thread), ofPost(post)]) {
      for (const ask of [like, unlike]) {
        const answer = await ask(reader, url)
        expect([answer.status, answer.body]).toEqual([401, { message: messages.unauthorized, code: 'unauthorized' }])
      }
    }
    expect((await reader.get('/api/threads/liked')).status).toBe(401)
    expect((await reader.get<Thread>(`/api/threads/${thread._id}`)).body.likes).toBe(0)
  })

  it('is accepted with or without a body, and with any content type', async ({ board, kaede, post }) => {
    const cookie = [...kaede.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const base = { cookie, origin: 'http://localhost' }
    for (const method of ['POST', 'DELETE'] as const) {
      for (const headers of [base, { ...base, 'content-type': 'application/json' }]) {
        const answer = await fetch((await board.listen()) + ofPost(post), { method, headers })
        expect([answer.status, await answer.json()]).toEqual([200, { likes: method === 'POST' ? 1 : 0 }])
      }
    }
  })

  it('gets 404 if its target does not exist, was removed, or is in another thread', async ({
    board,
    reader,
    kaede,
    thread,
    post,
  }) => {
    const elsewhere = await startThread(reader)
    const removed = await writeTo(reader, thread, '消されるもの')
    await board.database.db.updateTable('posts').set({ deletedAt: new Date() }).where('id', '=', removed._id).execute()
    for (const [url, message] of [
      [ofThread({ _id: NOWHERE }), messages.thread_not_found],
      [ofThread({ _id: 'abc' }), messages.not_found],
      [ofPost({ threadId: thread._id, _id: NOWHERE }), messages.post_not_found],
      [ofPost({ threadId: NOWHERE, _id: post._id }), messages.post_not_found],
      [ofPost({ threadId: elsewhere._id, _id: post._id }), messages.post_not_found],
      [ofPost(removed), messages.post_not_found],
    ] as const) {
      for (const ask of [like, unlike]) {
        const answer = await ask(kaede, url)
        expect([answer.status, answer.body]).toEqual([404, { message, code: 'not_found' }])
      }
    }
  })

  it('and concurrent unlikes are processed in order, and each gets its own count', async ({
    board,
    kaede,
    thread,
    post,
  }) => {
    const change = { threadId: thread._id, postId: post._id, userId: kaede.userId }
    const changes = [true, true, false, true, false, false].map((liked) => board.deps.likes.apply({ ...change, liked }))
    expect(await Promise.all(changes)).toEqual([1, 1, 0, 1, 0, 0])
    const rest = [true, false].map((liked) => board.deps.likes.apply({ ...change, postId: null, liked }))
    expect(await Promise.all(rest)).toEqual([1, 0])
  })

  it('is refused beyond 120 a minute, and failed requests do not count', async ({ board, thread, post }) => {
    const eager = await signUp(board)
    for (let index = 0; index < 130; index += 1) await like(eager, ofThread({ _id: NOWHERE }))
    const statuses = await Promise.all(
      Array.from({ length: 125 }, async () => (await like(eager, ofPost(post))).status),
    )
    expect(statuses.filter((status) => status === 200)).toHaveLength(120)
    const refused = await unlike(eager, ofPost(post))
    expect(refused.status).toBe(429)
    expect(refused.body).toEqual({ message: messages.likes_limited, code: 'too_many_requests' })
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    await board.deps.likes.apply({ threadId: thread._id, postId: post._id, userId: eager.userId, liked: false })
  })
})

describe('the list of liked threads and posts', () => {
  it('is sent to its member only, newest first, and is never cached', async ({ board, reader }) => {
    const [one, other] = [await signUp(board), await signUp(board)]
    const threads = [await startThread(reader), await startThread(reader)]
    const posts = [await writeTo(reader, threads[0]!, '一'), await writeTo(reader, threads[0]!, '二')]
    for (const mine of threads) await like(one, ofThread(mine))
    for (const mine of posts) await like(one, ofPost(mine))
    const liked = await one.get('/api/threads/liked')
    expect(liked.body).toEqual({ ids: [threads[1]!._id, threads[0]!._id] })
    expect(liked.headers['cache-control']).toBe('no-store')
    expect((await one.get(`/api/threads/${threads[0]!._id}/posts/liked`)).body).toEqual({
      ids: [posts[1]!._id, posts[0]!._id],
    })
    expect((await other.get('/api/threads/liked')).body).toEqual({ ids: [] })
    expect((await other.get(`/api/threads/${threads[0]!._id}/posts/liked`)).body).toEqual({ ids: [] })
    expect((await one.get(`/api/threads/${NOWHERE}/posts/liked`)).status).toBe(404)
  })
})

describe('a committed like', () => {
  it('appears on reload in the thread, among its posts and in lists, although all were cached', async ({
    board,
    reader,
    kaede,
  }) => {
    const own = await startThread(reader, { category: 'rant' })
    const first = (await reader.get<Post[]>(`/api/threads/${own._id}/posts`)).body[0]!
    for (let index = 0; index < 3; index += 1) await writeTo(reader, own, `返事${index}`)
    const shown = async () => ({
      thread: (await reader.get<Thread>(`/api/threads/${own._id}`)).body.likes,
      list: (await reader.get<ThreadItem[]>('/api/categories/rant/threads')).body[0]!.likes,
      // A full page: later posts do not drop it from the cache.
      page: (await reader.get<Post[]>(`/api/threads/${own._id}/posts?limit=2`)).body[0]!.likes,
    })
    // What the posts still have to refresh must not postpone the list of the like.
    await board.settle()
    board.clock.now += 5_000
    expect(await shown()).toEqual({ thread: 0, list: 0, page: 0 })
    await like(kaede, ofThread(own))
    expect(await shown()).toEqual({ thread: 1, list: 1, page: 0 })
    await board.settle()
    await like(kaede, ofPost(first))
    await board.settle()
    expect(await shown()).toEqual({ thread: 1, list: 1, page: 1 })
  })

  it('is sent to open pages: the first one at once, later ones together after a second', async ({ board, reader }) => {
    const own = await startThread(reader)
    const replies = [await writeTo(reader, own, '一'), await writeTo(reader, own, '二')]
    const socket = await connectTo(await board.listen())
    await enter(socket, own._id)
    const heard: LikesChange[] = []
    socket.on('likesChanged', (change) => heard.push(change))
    const crowd = await Promise.all([signUp(board), signUp(board), signUp(board)])
    await like(crowd[0], ofPost(replies[0]!))
    // At once: one after the other they take more than a second on a busy machine.
    await Promise.all([
      ...crowd.map((member) => like(member, ofPost(replies[1]!))),
      ...crowd.slice(1).map((member) => like(member, ofPost(replies[0]!))),
      ...[1, 2].map(() => like(crowd[0], ofThread(own))),
    ])
    await board.settle()
    const all = () => Object.assign({}, ...heard.map((change) => change.likes)) as LikesChange['likes']
    const last = { [replies[0]!._id]: 3, [replies[1]!._id]: 3, [own._id]: 1 }
    await expect.poll(all).toEqual(last)
    expect(heard[0]).toEqual({ threadId: own._id, likes: { [replies[0]!._id]: 1 } })
    // Seven likes were counted.
    expect(heard.length).toBeLessThan(5)
    socket.disconnect()
  })
})

describe('liked threads', () => {
  let own: Board
  beforeAll(async () => {
    own = await openBoard({ SPAM_POSTS: '10000' })
  })
  afterAll(() => own.close())
  const titles = (threads: readonly { title: string }[]) => threads.map((item) => item.title)
  const awake = async (member: Guest) => expect((await member.post('/auth/refresh')).status).toBe(200)

  it('come first in the order of likes, and a like raises the heat as much as a post', async () => {
    const guest = visit(own)
    const [one, other] = [await signUp(own), await signUp(own)]
    own.clock.now += 24 * HOUR
    await Promise.all([awake(one), awake(other)])
    const made = []
    for (const title of ['一番目のスレ', '二番目のスレ', '三番目のスレ']) {
      own.clock.now += 60_000
      made.push(await startThread(guest, { title }))
    }
    const [first, second] = made as [Thread, Thread]
    await like(one, ofThread(first))
    await like(other, ofThread(first))
    await like(one, ofThread(second))
    await own.settle()
    own.clock.now += 1_000
    const liked = await guest.get<ThreadItem[]>('/api/threads?sort=liked')
    expect(titles(liked.body)).toEqual(['一番目のスレ', '二番目のスレ', '三番目のスレ'])
    expect(liked.body.map((item) => item.likes)).toEqual([2, 1, 0])
    const trending = await guest.get<ThreadItem[]>('/api/threads/trending')
    expect(titles(trending.body)).toEqual(['一番目のスレ', '二番目のスレ', '三番目のスレ'])
    const scores = await Promise.all(trending.body.map((item) => scoreOf(own, item)))
    expect(scores.map(Math.round)).toEqual([3, 2, 1])
  })

  it('follow two posts in trending, not forty likes of accounts just opened, also when these are taken back', async () => {
    const made = []
    for (const title of ['推されるスレ', '語られるスレ']) {
      made.push(await startThread(visit(own), { title, category: 'economy' }))
    }
    const [pushed, spoken] = made as [Thread, Thread]
    await writeTo(visit(own, '198.51.100.41'), spoken, '私も見ました')
    const fresh = await Promise.all(
      Array.from({ length: 40 }, (_, index) => signUp(own, undefined, { address: `198.51.100.${index + 50}` })),
    )
    for (const member of fresh) await like(member, ofThread(pushed))
    await own.settle()
    own.clock.now += 1_000
    const trending = await visit(own).get<ThreadItem[]>('/api/categories/economy/trending')
    expect(trending.body.map(({ title, likes }) => [title, likes])).toEqual([
      ['語られるスレ', 0],
      ['推されるスレ', 40],
    ])
    expect(await scoreOf(own, pushed)).toBeCloseTo(1 + 40 / 250, 3)

    own.clock.now += 24 * HOUR
    const [first, second] = [fresh[0]!, fresh[1]!]
    await Promise.all([awake(first), awake(second)])
    await Promise.all([unlike(first, ofThread(pushed)), unlike(second, ofThread(pushed))])
    await own.settle()
    expect(await scoreOf(own, pushed)).toBeCloseTo((1 + 38 / 250) / 4, 3)
    await like(first, ofThread(pushed))
    await own.settle()
    expect(await scoreOf(own, pushed)).toBeCloseTo((1 + 38 / 250) / 4 + 1, 3)
  })

  it('enter trending by likes within its period only, and leave it when these are taken back', async () => {
    const guest = visit(own)
    const member = await signUp(own)
    const quiet = await startThread(guest, { title: '静かな名スレ', category: 'world' })
    for (let index = 0; index < 40; index += 1) {
      await writeTo(visit(own, `198.51.100.${index}`), quiet, `昔のにぎわい${index}`, `昔の客${index}`)
    }
    const trending = async () => (await guest.get<ThreadItem[]>('/api/categories/world/trending')).body
    own.clock.now += 49 * HOUR
    await own.settle()
    expect(await trending()).toEqual([])
    await awake(member)
    await like(member, ofThread(quiet))
    await own.settle()
    own.clock.now += 1_000
    const [found] = await trending()
    expect(found).toMatchObject({ title: '静かな名スレ', likes: 1, postCount: 41 })
    expect(await scoreOf(own, found!)).toBeCloseTo(1 + 41 / 2 ** (49 / 12), 2)
    await unlike(member, ofThread(quiet))
    await own.settle()
    own.clock.now += 1_000
    expect(await trending()).toEqual([])
  })

  it('are placed in the order of likes by a sweep after a crash has prevented it', async () => {
    const guest = visit(own)
    const missed = await startThread(guest, { title: '取り残されたスレ' })
    await own.database.db.updateTable('threads').set({ likes: 99 }).where('id', '=', missed._id).execute()
    await own.deps.sortColumns.sweep(own.clock.now)
    own.clock.now += 1_000
    expect((await guest.get<ThreadItem[]>('/api/threads?sort=liked')).body[0]!.title).toBe('取り残されたスレ')
  })
})

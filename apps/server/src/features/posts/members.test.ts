/** Posts of members: the shown name, the rate limits, and what ends with a session. */
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Profile } from '@shinobi/contract/accounts'
import { messages } from '@shinobi/contract/messages'
import type { Post } from '@shinobi/contract/posts'
import type { Thread } from '@shinobi/contract/threads'
import {
  connectTo,
  enter,
  hear,
  openBoard,
  openTestDatabase,
  PASSWORD,
  send,
  signUp,
  startThread,
  visit,
  writeTo,
  type Board,
  type Guest,
  type LiveClient,
  type MemberGuest,
} from '../../testing/board.ts'
import { signUpCrowd } from '../../testing/crowd.ts'

const MINUTE = 60_000
const SESSION_EXPIRED = { message: messages.session_expired, code: 'unauthorized' }

let board: Board
let url: string
const sockets: LiveClient[] = []
beforeAll(async () => {
  board = await openBoard({ SPAM_POSTS: '100000', UPLOADS_PER_HOUR: '1000' })
  url = await board.listen()
})
afterAll(async () => {
  for (const socket of sockets) socket.disconnect()
  await board.close()
})

async function connect(guest?: Guest): Promise<LiveClient> {
  const socket = await connectTo(url, guest)
  sockets.push(socket)
  return socket
}

/** Logs the same member in with another browser, from another address. */
async function logInElsewhere(own: Board, member: MemberGuest, address: string): Promise<Guest> {
  const guest = visit(own, address)
  expect((await guest.post('/auth/login', { username: member.name, password: PASSWORD })).status).toBe(200)
  return guest
}

const picture = async (): Promise<Blob> => {
  const png = await sharp({ create: { width: 30, height: 20, channels: 3, background: 'red' } })
    .png()
    .toBuffer()
  return new Blob([new Uint8Array(png)], { type: 'image/png' })
}

describe('a member', () => {
  it('posts under the profile name over HTTP and over the socket, whatever name is sent, or none', async () => {
    const member = await signUp(board, '百地三太夫')
    const thread = await startThread(visit(board), { nickname: '先客' })
    const reader = await connect()
    await enter(reader, thread._id)
    const heard = hear(reader, 5)
    const own = { name: '百地三太夫', userId: member.userId, deleted: false, likes: 0 }
    const path = `/api/threads/${thread._id}/posts`
    expect((await member.post(path, { content: '名を騙る', name: '先客' })).body).toMatchObject(own)
    expect((await member.post(path, { content: '名乗らない', name: '' })).body).toMatchObject(own)
    const withPicture = await member.form<Post>(path, {
      content: '絵つき',
      name: '別'.repeat(21),
      image: await picture(),
    })
    expect(withPicture.body).toMatchObject({ ...own, content: '絵つき', imageWidth: 30, imageHeight: 20 })
    const socket = await connect(member)
    for (const named of [{ name: '' }, {}]) {
      const answer = await send(socket, { threadId: thread._id, content: '声で', ...named })
      expect(answer).toMatchObject({ post: own })
    }
    expect((await heard).map((post) => [post.number, post.name, post.userId])).toEqual(
      [2, 3, 4, 5, 6].map((number) => [number, '百地三太夫', member.userId]),
    )
  })

  it('opens threads under the profile name, even when a reserved name is sent', async () => {
    const member = await signUp(board, '服部半蔵門')
    for (const nickname of ['', '別'.repeat(21)]) await startThread(member, { nickname })
    const thread = await startThread(member, { nickname: '管理人', image: await picture() })
    expect(thread).toMatchObject({ nickname: '服部半蔵門', userId: member.userId, imageWidth: 30 })
    expect((await visit(board).get<Post[]>(`/api/threads/${thread._id}/posts`)).body).toMatchObject([
      { number: 1, name: '服部半蔵門', userId: member.userId, imageWidth: 30 },
    ])
    expect((await visit(board).get<Thread>(`/api/threads/${thread._id}`)).body).toMatchObject({
      nickname: '服部半蔵門',
      userId: member.userId,
    })
  })

  it('is identified in posts by a user id; a visitor has none', async () => {
    const member = await signUp(board)
    const thread = await startThread(visit(board))
    await writeTo(member, thread, '会員です')
    await writeTo(visit(board), thread, '通りすがり', '通行人')
    const posts = (await visit(board).get<Post[]>(`/api/threads/${thread._id}/posts`)).body
    expect(posts.map(({ userId }) => userId)).toEqual([null, member.userId, null])
  })

  it('shares one rate limit across all browsers, and does not consume the limit of another member at the same address', async () => {
    const own = await openBoard({ SPAM_POSTS: '7' })
    const thread = await startThread(visit(own, '192.0.2.9'))
    const one = await signUp(own, '二台持ちの人', { address: '198.51.100.1' })
    const phone = await logInElsewhere(own, one, '198.51.100.2')
    const post = async (guest: Guest) =>
      (await guest.post(`/api/threads/${thread._id}/posts`, { content: '一言' })).status
    for (let index = 0; index < 3; index += 1) expect([await post(one), await post(phone)]).toEqual([201, 201])
    expect([await post(one), await post(phone)]).toEqual([429, 429])
    expect(await post(await logInElsewhere(own, one, '198.51.100.3'))).toBe(429)
    expect(await post(await signUp(own, '隣に住む人', { address: '198.51.100.1' }))).toBe(201)
    await own.close()
  })
})

describe('a session that has ended or expired', () => {
  it('gets 401 for posts and threads, which are never stored as a visitor’s', async () => {
    const member = await signUp(board, '期限切れの人')
    const thread = await startThread(visit(board))
    const phone = await logInElsewhere(board, member, '198.51.100.4')
    const window = visit(board)
    for (const [name, value] of member.cookies) window.cookies.set(name, value)
    expect((await phone.delete('/auth/sessions')).status).toBe(200)
    for (const guest of [member, window]) {
      const answer = await guest.post(`/api/threads/${thread._id}/posts`, { content: '誰の声', name: '影' })
      expect([answer.status, answer.body]).toEqual([401, SESSION_EXPIRED])
      const opened = await guest.form('/api/threads', { title: '誰のスレ', content: 'x', category: 'world' })
      expect([opened.status, opened.body]).toEqual([401, SESSION_EXPIRED])
      expect((await guest.post(`/api/threads/${thread._id}/checkNickname`, { nickname: '影' })).status).toBe(401)
    }
    expect((await visit(board).get<Post[]>(`/api/threads/${thread._id}/posts`)).body).toHaveLength(1)
  })

  it('closes its own sockets only, and is refused at the next handshake', async () => {
    const member = await signUp(board, '切れた糸の人')
    const thread = await startThread(visit(board))
    const phone = await logInElsewhere(board, member, '198.51.100.5')
    const [old, kept, stranger] = [await connect(member), await connect(phone), await connect()]
    for (const socket of [old, kept, stranger]) await enter(socket, thread._id)
    const closed = new Promise((resolve) => old.once('disconnect', resolve))
    expect((await phone.delete('/auth/sessions')).status).toBe(200)
    await closed
    expect([kept.connected, stranger.connected]).toEqual([true, true])
    await expect(connect(member)).rejects.toMatchObject({ data: SESSION_EXPIRED })
    expect(await send(kept, { threadId: thread._id, content: 'まだいる' })).toMatchObject({
      post: { name: '切れた糸の人' },
    })
  })

  it('is refused at the handshake when its access token has expired, while an open socket keeps working', async () => {
    const own = await openBoard()
    const address = await own.listen()
    const member = await signUp(own, '休んでいた人')
    const thread = await startThread(visit(own))
    const socket = await connectTo(address, member)
    own.clock.now += 16 * MINUTE
    await expect(connectTo(address, member)).rejects.toMatchObject({ data: SESSION_EXPIRED })
    const stale = await member.post(`/api/threads/${thread._id}/posts`, { content: '起きた' })
    expect([stale.status, stale.body]).toEqual([401, SESSION_EXPIRED])
    expect(await send(socket, { threadId: thread._id, content: '起きていた' })).toMatchObject({
      post: { name: '休んでいた人', userId: member.userId },
    })
    expect((await member.post('/auth/refresh')).status).toBe(200)
    const again = await connectTo(address, member)
    expect(again.connected).toBe(true)
    socket.disconnect()
    again.disconnect()
    await own.close()
  })
})

describe('the rooms of members', () => {
  it('are the threads they posted in, whichever batch a post was written with', async () => {
    const database = await openTestDatabase()
    const boards = [
      await openBoard({ SPAM_POSTS: '100000' }, database),
      await openBoard({ SPAM_POSTS: '100000' }, database),
    ] as const
    const crowd = await signUpCrowd(boards[0], 20)
    const guest = visit(boards[0])
    const threads = await Promise.all(Array.from({ length: 6 }, () => startThread(guest)))
    for (const round of [1, 2, 3]) {
      for (const own of boards) own.clock.now += MINUTE
      await Promise.all(
        Array.from({ length: 120 }, async (_, index) => {
          const own = boards[index % 2]!
          const thread = threads[(index * round) % 6]!
          // Every fifth post is a visitor's.
          if (index % 5 === 0) return writeTo(visit(own), thread, '通りすがり', `旅人${round} ${index}`)
          const member = crowd[index % crowd.length]!
          const browser = visit(own, '10.1.1.1')
          for (const [name, value] of member.cookies) browser.cookies.set(name, value)
          return writeTo(browser, thread, '寄りました')
        }),
      )
    }
    const opened = await startThread(crowd[0]!)
    const { db } = database
    const rooms = await db.selectFrom('rooms').select(['userId', 'threadId', 'lastPostAt']).execute()
    const posted = await db
      .selectFrom('posts')
      .select(['userId', 'threadId'])
      .select((of) => of.fn.max('createdAt').as('lastPostAt'))
      .where('userId', 'is not', null)
      .groupBy(['userId', 'threadId'])
      .execute()
    const sorted = (rows: readonly { userId: string | null; threadId: string; lastPostAt: Date }[]) =>
      rows.map((row) => `${row.threadId} ${row.userId} ${row.lastPostAt.toISOString()}`).toSorted()
    expect(sorted(rooms)).toEqual(sorted(posted))
    expect(rooms.length).toBeGreaterThan(30)

    const { room, rooms: shown } = (await crowd[0]!.get<Profile>('/auth/profile')).body
    expect(room).toEqual({ id: opened._id, name: opened.title })
    const times = new Map(
      rooms.filter((row) => row.userId === crowd[0]!.userId).map((row) => [row.threadId, row.lastPostAt]),
    )
    const order = shown.map(({ id }) => times.get(id)!.getTime())
    expect(order).toEqual(order.toSorted((one, other) => other - one))
    for (const own of boards) await own.close()
    await database.close()
  })
})

describe('public answers', () => {
  it('are byte-equal for members and visitors, and set no cookie', async () => {
    const member = await signUp(board)
    const thread = await startThread(member)
    await writeTo(member, thread, '自分の書き込み')
    await member.post(`/api/threads/${thread._id}/like`)
    for (const path of [
      '/api/threads',
      '/api/threads/trending',
      `/api/threads/${thread._id}`,
      `/api/threads/${thread._id}/posts`,
      `/api/threads/${thread._id}/posts?before=3`,
    ]) {
      // Also sent as another origin's page would, which bypasses the cache.
      const answers = [
        await member.get(path),
        await visit(board).get(path),
        await member.get(path, { origin: 'http://localhost' }),
        await visit(board).get(path, { origin: 'http://localhost' }),
      ]
      expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1)
      expect(answers.map(({ headers }) => headers['set-cookie'])).toEqual([undefined, undefined, undefined, undefined])
    }
  })
})

describe('the limit of uploads', () => {
  it('counts no picture whose post or thread is refused before it is decoded, or is sent again', async () => {
    const own = await openBoard({ UPLOADS_PER_HOUR: '2' })
    const guest = visit(own)
    const thread = await startThread(visit(own))
    const path = `/api/threads/${thread._id}/posts`
    const image = await picture()
    for (let index = 0; index < 4; index += 1) {
      const nowhere = '/api/threads/01900000-0000-7000-8000-00000000dead/posts'
      expect((await guest.form(nowhere, { content: 'x', name: '影', image })).status).toBe(404)
      const named = { title: '題名です', content: 'x', category: 'general', nickname: '管理人', image }
      expect((await guest.form('/api/threads', named)).status).toBe(409)
    }
    const clientPostId = '01900000-0000-7000-8000-000000000001'
    const once = { content: '一度', name: '影', clientPostId, image }
    for (let count = 0; count < 3; count += 1) expect((await guest.form(path, once)).status).toBe(201)
    expect((await guest.form(path, { content: '最後の一枚', name: '影', image })).status).toBe(201)
    const refused = await guest.form<{ message: string }>(path, { content: '多すぎ', name: '影', image })
    expect([refused.status, refused.body.message]).toEqual([429, messages.uploads_limited])
    await own.close()
  })

  it('counts a picture that was decoded for a post whose name is taken, or that comes twice at once', async () => {
    const own = await openBoard({ UPLOADS_PER_HOUR: '3' })
    const guest = visit(own)
    const thread = await startThread(visit(own), { nickname: '先客' })
    const path = `/api/threads/${thread._id}/posts`
    const image = await picture()
    expect((await guest.form(path, { content: '騙り', name: '先客', image })).status).toBe(409)
    // Neither is stored while the other one is looked up.
    const { images } = own.deps
    const { save } = images
    const { promise: bothWait, resolve: goOn } = Promise.withResolvers<void>()
    let waiting = 0
    vi.spyOn(images, 'save').mockImplementation(async (...sent) => {
      waiting += 1
      if (waiting === 2) goOn()
      await bothWait
      return save(...sent)
    })
    const clientPostId = '01900000-0000-7000-8000-000000000001'
    const twice = await Promise.all(
      [1, 2].map(() => guest.form(path, { content: '二度', name: '影', clientPostId, image })),
    )
    expect(twice.map(({ status }) => status)).toEqual([201, 201])
    expect((await guest.form(path, { content: '多すぎ', name: '影', image })).status).toBe(429)
    await own.close()
  })

  it('counts a picture that cannot be decoded, because decoding is the cost', async () => {
    const own = await openBoard({ UPLOADS_PER_HOUR: '2' })
    const guest = visit(own)
    const thread = await startThread(guest)
    const upload = async (image: Blob) =>
      (await guest.form(`/api/threads/${thread._id}/posts`, { content: '絵', name: '影', image })).status
    const broken = new Blob(['GIF89a<script>'])
    expect([await upload(broken), await upload(broken), await upload(await picture())]).toEqual([400, 400, 429])
    await own.close()
  })
})

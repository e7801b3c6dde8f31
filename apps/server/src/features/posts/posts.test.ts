import { setImmediate } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from 'kysely'
import sharp from 'sharp'
import { messages } from '@shinobi/contract/messages'
import type { Post } from '@shinobi/contract/posts'
import type { ThreadItem } from '@shinobi/contract/threads'
import {
  connectTo,
  enter,
  hear,
  openBoard,
  send,
  startThread,
  visit,
  writeTo,
  type Answer,
  type Board,
  type Guest,
  type LiveClient,
} from '../../testing/board.ts'
import { uuidv7 } from '../../lib/uuid.ts'
import { insertPosts } from './numbering.queries.ts'
import type { WrittenPost } from './posts.writer.ts'

const uuid = (tail: number): string => `01900000-0000-7000-8000-${String(tail).padStart(12, '0')}`
const numbers = (posts: readonly Post[]): number[] => posts.map((post) => post.number)

describe('posting over HTTP', () => {
  let board: Board
  beforeAll(async () => {
    board = await openBoard({ SPAM_POSTS: '100000' })
  })
  afterAll(() => board.close())

  it('returns the post with its number once it is committed', async () => {
    const guest = visit(board)
    const thread = await startThread(guest)
    const post = await writeTo(guest, thread, '  　∧＿∧\n （　´∀｀）\n', '影')
    expect(post).toMatchObject({
      number: 2,
      name: '影',
      content: '  　∧＿∧\n （　´∀｀）',
      likes: 0,
      userId: null,
      deleted: false,
      imageUrl: null,
    })
    expect((await guest.get<Post[]>(`/api/threads/${thread._id}/posts?after=1`)).body).toEqual([
      // Counted when the thread is read; the opening post is of the same network.
      { ...post, posterNth: 2, posterTotal: 2 },
    ])
  })

  it.each(['名無し', '名無しさん', 'ナナシさん'])('belongs to nobody under the name %s', async (name) => {
    const thread = await startThread(visit(board))
    for (const guest of [visit(board), visit(board)]) {
      expect(await writeTo(guest, thread, '誰でもない', name)).toMatchObject({ name: null })
    }
  })

  it('numbers a thousand concurrent posts to ten threads without gaps', async () => {
    const guest = visit(board)
    const threads = await Promise.all(Array.from({ length: 10 }, () => startThread(guest)))
    await Promise.all(
      Array.from({ length: 1_000 }, (_, index) => writeTo(guest, threads[index % 10]!, `一斉に${index}`)),
    )
    for (const thread of threads) {
      const first = await guest.get<Post[]>(`/api/threads/${thread._id}/posts?limit=100`)
      const rest = await guest.get<Post[]>(`/api/threads/${thread._id}/posts?limit=100&after=100`)
      expect(numbers([...first.body, ...rest.body])).toEqual(Array.from({ length: 101 }, (_, index) => index + 1))
      expect(first.headers['link']).toContain('after=100')
    }
  })

  it.each([1, 70])('stores a batch of %i as it was sent', async (count) => {
    const thread = await startThread(visit(board))
    const sent = Array.from({ length: count }, (_, index) => ({
      ...{ id: uuidv7(board.clock.now), name: index % 2 === 0 ? null : '影', content: `"${index}"\n\\N\t々` },
      image: index % 3 === 0 ? { key: `${index}.webp`, width: 3, height: 2 } : null,
      ...{ userId: null, visitorId: uuid(index), clientPostId: index % 5 === 0 ? uuid(index) : null },
      ...{ asStaff: index % 7 === 0, trip: index % 11 === 0 ? 'Kami/x.y' : null, posterId: `忍${index}` },
      ...{ sage: index % 2 === 0, plainLinks: index % 4 === 0 },
    }))
    const { db } = board.database
    const rows = sent.map((post) => ({ ...post, threadId: thread._id }))
    await insertPosts(db, rows, { at: board.clock.now, postLimit: 1_000 })
    const stored = await db
      .selectFrom('posts')
      .select(['id', 'name', 'content', 'image', 'userId', 'visitorId', 'clientPostId'])
      .select(['asStaff', 'trip', 'posterId', 'sage', 'plainLinks', 'number', 'createdAt'])
      .where('threadId', '=', thread._id)
      .where('number', '>', 1)
      .orderBy('number')
      .execute()
    expect(stored).toEqual(
      sent.map((post, index) => ({ ...post, number: index + 2, createdAt: new Date(board.clock.now) })),
    )
  })

  it('returns the same post when it is sent again with the same clientPostId, concurrently or later', async () => {
    const guest = visit(board)
    const thread = await startThread(guest)
    const post = { content: '二度押し', name: '影', clientPostId: uuid(1) }
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => guest.post<Post>(`/api/threads/${thread._id}/posts`, post)),
    )
    const later = await guest.post<Post>(`/api/threads/${thread._id}/posts`, post)
    expect(new Set([...answers, later].map((answer) => answer.body._id)).size).toBe(1)
    expect((await guest.get<Post[]>(`/api/threads/${thread._id}/posts`)).body).toHaveLength(2)
  })

  it('a resend in a batch does not fail the new posts of that batch', async () => {
    const guest = visit(board)
    const thread = await startThread(guest)
    const url = `/api/threads/${thread._id}/posts`
    await guest.post(url, { content: '先に', name: '影', clientPostId: uuid(2) })
    const answers = await Promise.all([
      guest.post<Post>(url, { content: '一', name: '影', clientPostId: uuid(3) }),
      guest.post<Post>(url, { content: '先に', name: '影', clientPostId: uuid(2) }),
      guest.post<Post>(url, { content: '二', name: '影', clientPostId: uuid(4) }),
    ])
    expect(answers.map((answer) => answer.body.number).toSorted((one, other) => one - other)).toEqual([2, 3, 4])
  })

  it('a resend tells readers of a post whose first answer was lost with its connection', async () => {
    const guest = visit(board)
    const thread = await startThread(guest)
    const reader = await connectTo(await board.listen(), visit(board))
    await enter(reader, thread._id)
    const changed = new Promise((resolve) => void reader.once('threadChanged', resolve))
    const post = { content: '届いたのか', name: '影', clientPostId: uuid(5) }
    const at = board.clock.now
    const row = { ...post, threadId: thread._id, id: uuidv7(at), image: null, userId: null, visitorId: uuidv7(at) }
    await insertPosts(board.deps.db, [row], { at, postLimit: 1_000 })
    expect((await guest.post<Post>(`/api/threads/${thread._id}/posts`, post)).body._id).toBe(row.id)
    expect(await changed).toEqual({ threadId: thread._id, postCount: 2, revision: 2 })
    reader.close()
  })

  it('returns earlier posts page by page', async () => {
    const guest = visit(board)
    const thread = await startThread(guest)
    for (let index = 2; index <= 7; index += 1) await writeTo(guest, thread, `第${index}`)
    const last = await guest.get<Post[]>(`/api/threads/${thread._id}/posts?before=8&limit=3`)
    expect(numbers(last.body)).toEqual([5, 6, 7])
    expect(last.headers['link']).toContain('before=5')
    const first = await guest.get<Post[]>(`/api/threads/${thread._id}/posts?before=3&limit=3`)
    expect(numbers(first.body)).toEqual([1, 2])
    expect(first.headers['link'] ?? '').not.toContain('rel="prev"')
  })

  it('cuts a page of very long posts, whose links lead to the others in both directions', async () => {
    const guest = visit(board)
    const thread = await startThread(guest)
    const long = '👨‍👩‍👧'.repeat(2_500)
    await Promise.all(Array.from({ length: 59 }, () => writeTo(guest, thread, long)))
    const read = async (place: string, rel: 'next' | 'prev') => {
      const pages: number[][] = []
      for (let path: string | undefined = `/api/threads/${thread._id}/posts?limit=100${place}`; path !== undefined;) {
        const { body, headers }: Answer<Post[]> = await guest.get<Post[]>(path)
        pages.push(numbers(body))
        path = new RegExp(`<([^>]+)>; rel="${rel}"`).exec(headers['link'] ?? '')?.[1]
      }
      return pages
    }
    const all = Array.from({ length: 60 }, (_, index) => index + 1)
    const forwards = await read('', 'next')
    expect(forwards.flat()).toEqual(all)
    expect(forwards.map(({ length }) => length)).toEqual([5, ...Array.from({ length: 13 }, () => 4), 3])
    const backwards = await read('&before=61', 'prev')
    expect(backwards.toReversed().flat()).toEqual(all)
    expect(backwards.map(({ length }) => length)).toEqual(Array.from({ length: 15 }, () => 4))
  })

  it('reads one page of an address at a time, and lets 400 wait without a connection to the database', async () => {
    const crowd = visit(board, '198.51.100.60')
    const thread = await startThread(crowd)
    const statuses: number[] = []
    let asked: Promise<void>[] = []
    await board.database.db.transaction().execute(async (tx) => {
      await sql`lock table posts in access exclusive mode`.execute(tx)
      asked = Array.from({ length: 403 }, async (_, index) => {
        const { status } = await crowd.get(`/api/threads/${thread._id}/posts?after=${index}`)
        statuses.push(status)
      })
      // One is read and 400 wait.
      await expect.poll(() => statuses).toEqual([429, 429])
      // The pool has connections left.
      await board.database.db.selectFrom('categories').select('id').execute()
    })
    await Promise.all(asked)
    expect(statuses.filter((status) => status === 200)).toHaveLength(401)
  })

  it('accepts an image, which the post shows with its dimensions', async () => {
    const guest = visit(board)
    const thread = await startThread(guest)
    const png = await sharp({ create: { width: 30, height: 20, channels: 3, background: 'red' } })
      .png()
      .toBuffer()
    const answer = await guest.form<Post>(`/api/threads/${thread._id}/posts`, {
      content: '画像つき',
      name: '影',
      image: new Blob([new Uint8Array(png)], { type: 'image/png' }),
    })
    expect(answer.status).toBe(201)
    expect(answer.body).toMatchObject({ imageWidth: 30, imageHeight: 20 })
  })

  it.each([
    ['without a text', { content: ' 　\n', name: '影' }, messages.content_required],
    ['without a nickname', { content: 'こんばんは' }, messages.nickname_missing],
    ['with a banned word in the name', { content: 'こんばんは', name: '死 ね' }, messages.banned_word],
    ['with a banned word with zero-width spaces', { content: '死\u200bね', name: '影' }, messages.banned_word],
    ['with an id that is none', { content: 'x', name: '影', clientPostId: 'x' }, messages.bad_id],
    ['with a list for a text', { content: ['x'], name: '影' }, messages.content_required],
  ])('%s is refused with its message', async (_, body, message) => {
    const guest = visit(board)
    const thread = await startThread(guest)
    const answer = await guest.post<{ message: string }>(`/api/threads/${thread._id}/posts`, body)
    expect(answer.status).toBe(400)
    expect(answer.body.message).toBe(message)
  })

  it('stores scripts as text, and stores nothing for a thread that does not exist', async () => {
    const guest = visit(board)
    const thread = await startThread(guest)
    const script = '<script>alert("x")</script><img src=x onerror=alert(1)>'
    expect((await writeTo(guest, thread, script)).content).toBe(script)
    expect((await guest.post(`/api/threads/${uuid(9)}/posts`, { content: 'x', name: '影' })).status).toBe(404)
  })

  it('updates a quiet list at once, a busy list within a second, and the thread itself at once', async () => {
    const guest = visit(board)
    board.clock.now += 1_000
    const thread = await startThread(guest)
    const countInList = async () =>
      (await guest.get<ThreadItem[]>('/api/threads')).body.find((item) => item._id === thread._id)?.postCount
    expect(await countInList()).toBe(1)
    await guest.get(`/api/threads/${thread._id}/posts`)
    await writeTo(guest, thread, '返事')
    expect((await guest.get<Post[]>(`/api/threads/${thread._id}/posts`)).body).toHaveLength(2)
    expect(await countInList()).toBe(2)
    await writeTo(guest, thread, '続けて')
    expect(await countInList()).toBe(2)
    board.clock.now += 1_000
    expect(await countInList()).toBe(3)
  })
})

describe('a commit listener of the post writer', () => {
  it('is called for a commit although another listener throws, and again for a resend', async () => {
    const board = await openBoard()
    const heard: WrittenPost[] = []
    board.deps.postWriter.onCommit(() => {
      throw new Error('broken')
    })
    board.deps.postWriter.onCommit((posts) => heard.push(...posts))
    const guest = visit(board)
    const thread = await startThread(guest)
    const body = { content: '二度送る', name: '影', clientPostId: uuid(77) }
    for (let time = 0; time < 2; time += 1) {
      expect((await guest.post<Post>(`/api/threads/${thread._id}/posts`, body)).status).toBe(201)
    }
    expect(heard).toMatchObject([
      { row: { number: 2 }, placed: { revision: 2, categoryId: thread.categoryId } },
      { row: { number: 2 }, placed: null },
    ])
    await board.close()
  })

  it('is called in the order of the numbers, while the posts that came meanwhile are being written', async () => {
    const board = await openBoard()
    const { postWriter } = board.deps
    const { _id: threadId } = await startThread(visit(board))
    const write = () =>
      postWriter.write({
        ...{ threadId, id: uuidv7(board.clock.now), name: null, content: '次々に', image: null },
        ...{ userId: null, visitorId: uuid(3), clientPostId: null },
      })
    const heard: { number: number; batches: number }[] = []
    const batchesBefore = postWriter.stats().groups
    const batches = () => postWriter.stats().groups - batchesBefore
    postWriter.onCommit((posts) => heard.push(...posts.map(({ row: { number } }) => ({ number, batches: batches() }))))
    const first = write()
    while (batches() === 0) await setImmediate()
    await Promise.all([first, ...Array.from({ length: 99 }, write)])
    expect(heard[0]).toEqual({ number: 2, batches: 2 })
    expect(heard.map(({ number }) => number)).toEqual(Array.from({ length: 100 }, (_, index) => index + 2))
    await board.close()
  })

  it('is called for one resend of a post, and for none of an old post', async () => {
    const board = await openBoard()
    const heard: WrittenPost[] = []
    board.deps.postWriter.onCommit((posts) => heard.push(...posts))
    const guest = visit(board)
    const thread = await startThread(guest)
    const sendAgain = async (body: object, times: number) => {
      for (let time = 0; time < times; time += 1) {
        expect((await guest.post<Post>(`/api/threads/${thread._id}/posts`, body)).status).toBe(201)
      }
    }
    await sendAgain({ content: '何度も送る', name: '影', clientPostId: uuid(78) }, 5)
    await sendAgain({ content: 'あとで送る', name: '影', clientPostId: uuid(79) }, 1)
    board.clock.now += 3_600_000
    await sendAgain({ content: 'あとで送る', name: '影', clientPostId: uuid(79) }, 1)
    expect(heard.map(({ row, placed }) => [row.number, placed === null])).toEqual([
      [2, false],
      [2, true],
      [3, false],
    ])
    await board.close()
  })
})

describe('the limit of 50 posts in 15 minutes', () => {
  it('refuses the 50th post with the time to wait, and does not count refused posts', async () => {
    const board = await openBoard({ SPAM_POSTS: '50' })
    const guest = visit(board)
    const thread = await startThread(guest)
    for (let index = 0; index < 60; index += 1)
      await guest.post(`/api/threads/${thread._id}/posts`, { content: 'お前は死ね', name: '影' })
    for (let index = 2; index <= 49; index += 1) await writeTo(guest, thread, `連投${index}`)
    const refused = await guest.post<{ message: string; code: string }>(`/api/threads/${thread._id}/posts`, {
      content: '50',
      name: '名無しの忍者',
    })
    expect(refused.status).toBe(429)
    expect(refused.body).toEqual({ message: messages.spam(15), code: 'spam' })
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(800)
    const neighbour = visit(board)
    await writeTo(neighbour, thread, '同じ家の別の人', '隣人')
    await board.close()
  })

  it('limits by address a client that discards its cookie', async () => {
    const board = await openBoard({ SPAM_POSTS: '6', SPAM_POSTS_PER_ADDRESS: '20' })
    const thread = await startThread(visit(board, '198.51.100.1'))
    const tries = Array.from({ length: 25 }, (_, index) => index)
    const statuses = []
    for (const index of tries) {
      const answer = await visit(board).post(`/api/threads/${thread._id}/posts`, {
        content: '使い捨て',
        name: `影${index}`,
      })
      statuses.push(answer.status)
    }
    expect(statuses.filter((status) => status === 201)).toHaveLength(20)
    expect(statuses.at(-1)).toBe(429)
    await board.close()
  })
})

describe('posting live', () => {
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

  it('delivers each post to everybody in the thread once and in order, and to nobody else', async () => {
    const guest = visit(board)
    const [thread, other] = [await startThread(guest), await startThread(guest)]
    const [writer, reader, elsewhere] = [await connect(), await connect(), await connect()]
    expect(await enter(reader, thread._id)).toEqual({
      ...{ threadId: thread._id, postCount: 1, revision: 1 },
      recognised: false,
    })
    await enter(writer, thread._id)
    await enter(elsewhere, other._id)
    const strays: Post[] = []
    elsewhere.on('newPost', (post) => strays.push(post))
    const heard = hear(reader, 5)
    const answers = []
    for (let index = 0; index < 5; index += 1)
      answers.push(await send(writer, { threadId: thread._id, content: `その${index}`, name: '影' }))
    expect(await heard).toEqual(answers.map((answer) => ('post' in answer ? answer.post : null)))
    expect(numbers(await heard)).toEqual([2, 3, 4, 5, 6])
    expect(strays).toEqual([])
  })

  it('keeps whoever fails to enter a thread in the one that is open', async () => {
    const guest = visit(board)
    const thread = await startThread(guest)
    const reader = await connect()
    await enter(reader, thread._id)
    expect(await reader.emitWithAck('joinThread', { threadId: uuid(404) })).toMatchObject({
      error: { code: 'not_found' },
    })
    const heard = hear(reader, 1)
    const post = await writeTo(guest, thread, 'まだ届く')
    expect(await heard).toEqual([post])
  })

  it('accepts an image of almost 10 MB as a data URL, and refuses a larger one without closing the connection', async () => {
    const thread = await startThread(visit(board))
    const socket = await connect()
    // Noise does not compress, so this PNG is sent at its full size.
    const noise = await sharp({
      create: {
        width: 1_800,
        height: 1_800,
        channels: 3,
        background: 'black',
        noise: { type: 'gaussian', mean: 128, sigma: 60 },
      },
    })
      .png({ compressionLevel: 0 })
      .toBuffer()
    const image = `data:image/png;base64,${noise.toString('base64')}`
    expect(noise.length).toBeGreaterThan(9_000_000)
    const answer = await send(socket, { threadId: thread._id, content: '大きな絵', name: '影', image })
    expect(answer).toMatchObject({ post: { imageWidth: 1_800, imageHeight: 1_800 } })
    const errors: string[] = []
    socket.on('postError', (error) => errors.push(error.message))
    const refusals = [
      [`data:image/png;base64,${'A'.repeat(20_000_000)}`, messages.image_too_large],
      [`data:image/svg+xml;base64,${btoa('<svg/>')}`, messages.image_type],
      ['data:image/png;base64,QUJD', messages.image_type],
      ['https://example.com/x.png', messages.image_broken],
    ] as const
    for (const [bad, message] of refusals) {
      expect(await send(socket, { threadId: thread._id, content: 'x', name: '影', image: bad })).toMatchObject({
        error: { message },
      })
    }
    expect(errors).toEqual(refusals.map(([, message]) => message))
    expect(socket.connected).toBe(true)
  })

  it("reports whether the connection belongs to the visitor of the browser's cookie", async () => {
    const guest = visit(board)
    const thread = await startThread(guest)
    expect(await enter(await connect(guest), thread._id)).toHaveProperty('recognised', true)
    expect(await enter(await connect(), thread._id)).toHaveProperty('recognised', false)
  })

  it('answers malformed messages with an error and stays connected', async () => {
    const thread = await startThread(visit(board))
    const socket = await connect()
    const raw = socket as unknown as { emitWithAck: (event: string, ...input: unknown[]) => Promise<unknown> }
    for (const nonsense of [null, 'x', 7, [], {}, { threadId: 'x' }, { threadId: thread._id, content: {} }]) {
      expect(await raw.emitWithAck('newPost', nonsense)).toMatchObject({
        error: { message: expect.stringMatching(/[ぁ-ん]/) },
      })
      expect(await raw.emitWithAck('joinThread', nonsense)).toHaveProperty(
        nonsense !== null && typeof nonsense === 'object' && 'content' in nonsense ? 'postCount' : 'error',
      )
    }
    ;(socket as unknown as { emit: (...input: unknown[]) => void }).emit('newPost')
    ;(socket as unknown as { emit: (...input: unknown[]) => void }).emit('noSuchEvent', { a: 1 })
    expect(await send(socket, { threadId: thread._id, content: 'まだいます', name: '影' })).toMatchObject({
      post: { number: 2 },
    })
    expect(socket.connected).toBe(true)
  })

  it('stores a post that is sent by socket and by HTTP with the same clientPostId once, and announces it once', async () => {
    const guest = visit(board)
    const thread = await startThread(guest)
    const [writer, reader] = [await connect(guest), await connect()]
    await enter(reader, thread._id)
    const told: Post[] = []
    reader.on('newPost', (post) => told.push(post))
    const [live, http] = await Promise.all([
      send(writer, { threadId: thread._id, content: '一度だけ', name: '影', clientPostId: uuid(77) }),
      guest.post<Post>(`/api/threads/${thread._id}/posts`, { content: '一度だけ', name: '影', clientPostId: uuid(77) }),
    ])
    expect(live).toEqual({ post: http.body })
    const next = hear(reader, 1)
    await send(writer, { threadId: thread._id, content: '次', name: '影' })
    await next
    expect(numbers(told)).toEqual([2, 3])
  })

  it('returns the existing post to a resend over a connection that lost its cookie', async () => {
    const thread = await startThread(visit(board))
    const post = { threadId: thread._id, content: '届いたかな', name: '影', clientPostId: uuid(78) }
    const first = await send(await connect(), post)
    expect(await send(await connect(), post)).toEqual(first)
    expect(await send(await connect(), { ...post, clientPostId: uuid(79) })).toMatchObject({ error: { code: 'taken' } })
  })

  it('refuses connections from pages of another site', async () => {
    const { io } = await import('socket.io-client')
    const stranger = io(url, {
      transports: ['websocket'],
      reconnection: false,
      extraHeaders: { origin: 'https://evil.example' },
    })
    const outcome = await new Promise((resolve) => {
      stranger.once('connect', () => resolve('connected'))
      stranger.once('connect_error', () => resolve('refused'))
    })
    stranger.disconnect()
    expect(outcome).toBe('refused')
  })
})

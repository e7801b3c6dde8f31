import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import type { ListedCategory } from '@shinobi/contract/categories'
import type { Thread, ThreadItem } from '@shinobi/contract/threads'
import { messages } from '@shinobi/contract/messages'
import { openBoard, scoreOf, startThread, visit, writeTo, type Board, type Guest } from '../../testing/board.ts'

let board: Board
let guest: Guest
beforeAll(async () => {
  board = await openBoard({ SPAM_POSTS: '10000', UPLOADS_PER_HOUR: '1000' })
})
afterAll(() => board.close())
beforeEach(() => {
  guest = visit(board)
})

const picture = async (format: 'png' | 'jpeg' | 'gif' | 'webp' = 'png', width = 64, height = 48): Promise<Blob> => {
  const image = sharp({ create: { width, height, channels: 3, background: '#0f766e' } })
  return new Blob([new Uint8Array(await image.toFormat(format).toBuffer())], { type: `image/${format}` })
}
const titles = (threads: readonly { title: string }[]): string[] => threads.map((thread) => thread.title)

describe('the categories', () => {
  it('are the seven initial ones, each found by its id and by its name', async () => {
    const { body } = await guest.get<{ _id: string; name: string }[]>('/api/categories')
    expect(body.map((category) => category.name)).toEqual([
      'politics',
      'economy',
      'world',
      'immigration',
      'immigration-japan',
      'rant',
      'general',
    ])
    const politics = { _id: body[0]!._id, name: 'politics', description: '政治・行政の話題' }
    expect((await guest.get(`/api/categories/${politics._id}`)).body).toEqual(politics)
    expect((await guest.get('/api/categories/politics')).body).toEqual(politics)
  })

  it('are ranked by their recent visible posts, with ties in the order of the categories', async () => {
    const quiet = await openBoard()
    try {
      const ranks = async () => {
        quiet.deps.cache.clear()
        const { body } = await visit(quiet).get<ListedCategory[]>('/api/categories')
        return Object.fromEntries(body.map(({ name, rank }) => [name, rank]))
      }
      expect(Object.values(await ranks())).toEqual([1, 2, 3, 4, 5, 6, 7])
      const rant = await startThread(visit(quiet), { category: 'rant' })
      const general = await startThread(visit(quiet), { category: 'general' })
      await writeTo(visit(quiet), general, '返事')
      expect(await ranks()).toMatchObject({ general: 1, rant: 2, politics: 3, 'immigration-japan': 7 })
      await quiet.database.db
        .updateTable('threads')
        .set({ removedAt: new Date(quiet.clock.now) })
        .where('id', '=', general._id)
        .execute()
      await quiet.database.db
        .updateTable('posts')
        .set({ deletedAt: new Date(quiet.clock.now) })
        .where('threadId', '=', rant._id)
        .execute()
      expect(Object.values(await ranks())).toEqual([1, 2, 3, 4, 5, 6, 7])
    } finally {
      await quiet.close()
    }
  })

  it('that do not exist answer 404 in Japanese', async () => {
    const answer = await guest.get('/api/categories/nowhere')
    expect(answer.status).toBe(404)
    expect(answer.body).toEqual({ message: messages.category_not_found, code: 'not_found' })
  })
})

describe('starting a thread', () => {
  it('returns the thread with its opening text as post 1, and sets the visitor’s cookie', async () => {
    const thread = await startThread(guest, {
      title: '  忍者の里の朝  ',
      content: '一番鶏が鳴いた\r\n二番鶏も\n\n',
      nickname: '◆影丸★',
    })
    expect(thread).toMatchObject({
      title: '忍者の里の朝',
      content: '一番鶏が鳴いた\n二番鶏も',
      excerpt: '一番鶏が鳴いた 二番鶏も',
      nickname: '◇影丸☆',
      category: 'general',
      postCount: 1,
      likes: 0,
    })
    expect(guest.cookies.has('visitor')).toBe(true)
    const posts = await guest.get<{ number: number; content: string; name: string }[]>(
      `/api/threads/${thread._id}/posts`,
    )
    expect(posts.body).toMatchObject([{ number: 1, content: '一番鶏が鳴いた\n二番鶏も', name: '◇影丸☆' }])
  })

  it('appears at once in the lists of its category and of all threads, though these were cached', async () => {
    await guest.get('/api/threads')
    await guest.get('/api/categories/economy/threads')
    const thread = await startThread(guest, { title: '物価の話をしよう', category: 'economy' })
    expect((await guest.get<ThreadItem[]>('/api/threads')).body[0]!._id).toBe(thread._id)
    expect(titles((await guest.get<ThreadItem[]>('/api/categories/economy/threads')).body)).toContain(
      '物価の話をしよう',
    )
  })

  it('opens one thread when it is sent twice with the same clientThreadId', async () => {
    const clientThreadId = '01900000-0000-7000-8000-000000000001'
    const first = await startThread(guest, { clientThreadId })
    const again = await startThread(guest, { clientThreadId })
    expect(again._id).toBe(first._id)
  })

  it('announces once, when it is sent again, a thread whose commit this server was not told', async () => {
    // A server without a connection to this one stands for the commit whose answer was lost.
    const other = await openBoard({}, board.database)
    onTestFinished(() => other.close())
    const list = async () => titles((await guest.get<ThreadItem[]>('/api/threads')).body)
    const opened: string[] = []
    board.deps.threadEvents.onOpening(({ title }) => opened.push(title))
    const fields = { title: '返事の届かぬスレッド', clientThreadId: '01900000-0000-7000-8000-000000000002' }
    expect(await list()).not.toContain(fields.title)
    const first = await startThread(visit(other), fields)
    expect(await list()).not.toContain(fields.title)
    for (let tries = 0; tries < 2; tries += 1) expect((await startThread(guest, fields))._id).toBe(first._id)
    expect(await list()).toContain(fields.title)
    expect(opened).toEqual([fields.title])
  })

  it.each(['png', 'jpeg', 'gif', 'webp'] as const)(
    'accepts a %s, and serves it re-encoded as WebP with its dimensions',
    async (format) => {
      const thread = await startThread(guest, { image: await picture(format) })
      expect(thread).toMatchObject({ imageWidth: 64, imageHeight: 48 })
      const image = await board.app.inject(thread.imageUrl!)
      expect(image.statusCode).toBe(200)
      expect(image.headers['content-type']).toBe('image/webp')
      expect(image.headers['cache-control']).toContain('immutable')
      expect((await sharp(image.rawPayload).metadata()).exif).toBeUndefined()
      expect((await board.app.inject(thread.thumbnailUrl!)).statusCode).toBe(200)
    },
  )

  it.each([
    ['without a title', { title: '' }, 400, messages.title_and_content_required],
    [
      'with a title of zero-width spaces',
      { title: '\u200b\u200b\u200b\u200b' },
      400,
      messages.title_and_content_required,
    ],
    ['without a text', { content: ' 　\n' }, 400, messages.title_and_content_required],
    ['with a title of two characters', { title: '月夜' }, 400, messages.title_too_short],
    ['with a title of 101 characters', { title: '月'.repeat(101) }, 400, messages.title_too_long],
    [
      'with a title of few characters and many bytes',
      { title: `月夜に${'\u3099'.repeat(2_000)}` },
      400,
      messages.title_too_long,
    ],
    ['with a text of 4,001 characters', { content: '草'.repeat(4_001) }, 400, messages.content_too_long],
    [
      'with a direction override in the title',
      { title: '月夜の\u202e巻物' },
      400,
      messages.bad_characters('4文字目の文字の向きを変える記号 U+202E'),
    ],
    ['with a NUL in the text', { content: 'a\0b' }, 400, messages.bad_characters('2文字目の制御文字 U+0000')],
    [
      'with heaps of combining marks',
      { content: `z${'\u0301'.repeat(40)}` },
      400,
      messages.bad_characters('2文字目の重ねすぎた記号'),
    ],
    ['in a category that does not exist', { category: 'nowhere' }, 400, messages.category_not_found],
    ['with a nickname of 21 characters', { nickname: '忍'.repeat(21) }, 400, messages.nickname_too_long],
    [
      'with a banned word, however it is written',
      { content: 'お前は 死 ㋧'.replace('㋧', 'ね') },
      400,
      messages.banned_word,
    ],
  ])('%s is refused with its message', async (_, fields, status, message) => {
    const answer = await guest.form<{ message: string }>('/api/threads', {
      title: '今夜の月について',
      content: '綺麗ですね',
      category: 'general',
      ...fields,
    })
    expect(answer.body.message).toBe(message)
    expect(answer.status).toBe(status)
  })

  it('counts an emoji family as one character of the limit of a hundred', async () => {
    const thread = await startThread(guest, { title: '👨‍👩‍👧'.repeat(80) })
    expect(thread.title).toBe('👨‍👩‍👧'.repeat(80))
  })

  it.each([
    [
      'an image above 10 MB',
      () => new Blob([new Uint8Array(10_485_761)], { type: 'image/png' }),
      413,
      messages.image_too_large,
    ],
    [
      'ten megabytes of nothing',
      () => new Blob([new Uint8Array(10_485_760)], { type: 'image/png' }),
      415,
      messages.image_type,
    ],
    [
      'an SVG with a script',
      () =>
        new Blob(['<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'], { type: 'image/png' }),
      415,
      messages.image_type,
    ],
    [
      'HTML that calls itself a GIF',
      () => new Blob(['GIF89a<script>alert(1)</script>'], { type: 'image/gif' }),
      400,
      messages.image_broken,
    ],
    ['a PDF', () => new Blob(['%PDF-1.7\n1 0 obj\n'], { type: 'image/jpeg' }), 415, messages.image_type],
  ])('%s is refused with its message, and nothing is stored', async (_, make, status, message) => {
    const answer = await guest.form<{ message: string }>('/api/threads', {
      title: '画像のあるスレッド',
      content: '見て',
      category: 'rant',
      image: make(),
    })
    expect(answer.body.message).toBe(message)
    expect(answer.status).toBe(status)
    expect((await guest.get<ThreadItem[]>('/api/categories/rant/threads')).body).toEqual([])
  })

  it('keeps only the pixels of a polyglot file: a PNG that also contains a script', async () => {
    const png = Buffer.from(await (await picture('png')).arrayBuffer())
    const polyglot = new Blob([new Uint8Array(png), '<script>alert(document.cookie)</script>'], { type: 'image/png' })
    const thread = await startThread(guest, { image: polyglot })
    const image = await board.app.inject(thread.imageUrl!)
    expect(image.rawPayload.includes('<script>')).toBe(false)
  })

  it.each([
    ['broken JSON', '{"title":', 'application/json'],
    ['a list instead of an object', '[]', 'application/json'],
    [
      'a form that breaks off',
      '--x\r\nContent-Disposition: form-data; name="title"\r\n\r\nabc',
      'multipart/form-data; boundary=x',
    ],
    ['a form without a boundary', 'abc', 'multipart/form-data'],
    ['plain text', 'abc', 'text/plain'],
  ])('%s is answered with a Japanese error, never a 500', async (_, payload, type) => {
    const answer = await board.app.inject({
      method: 'POST',
      url: '/api/threads',
      payload,
      headers: { 'content-type': type, origin: 'http://localhost' },
    })
    expect(answer.statusCode).toBeGreaterThanOrEqual(400)
    expect(answer.statusCode).toBeLessThan(500)
    expect(answer.json<{ message: string }>().message).toMatch(/[ぁ-ん]/)
  })

  it('is refused from a page of another site', async () => {
    const answer = await guest.post(
      '/api/threads',
      { title: 'よその庭から', content: 'x', category: 'general' },
      { origin: 'https://evil.example' },
    )
    expect(answer.status).toBe(403)
    expect(answer.body).toEqual({ message: messages.bad_origin, code: 'bad_origin' })
  })
})

describe('lists of threads', () => {
  let own: Board
  let reader: Guest
  const made: Thread[] = []
  beforeAll(async () => {
    own = await openBoard({ SPAM_POSTS: '10000' })
    reader = visit(own)
    for (let index = 1; index <= 7; index += 1) {
      own.clock.now += 60_000
      made.push(
        await startThread(reader, {
          title: `巻物その${index}`,
          content: `本文${index}`,
          category: index % 2 === 0 ? 'world' : 'general',
        }),
      )
    }
    for (let index = 0; index < 3; index += 1) await writeTo(reader, made[2]!, `返事${index}`)
    await writeTo(reader, made[4]!, '返事')
    await own.settle()
  })
  afterAll(() => own.close())

  async function walk(url: string): Promise<string[]> {
    const found: string[] = []
    for (let next: string | undefined = url; next !== undefined;) {
      const answer: { body: ThreadItem[]; headers: Readonly<Record<string, string | undefined>> } =
        await reader.get<ThreadItem[]>(next)
      expect(answer.body.length).toBeLessThanOrEqual(2)
      found.push(...titles(answer.body))
      next = /<([^>]+)>; rel="next"/.exec(answer.headers['link'] ?? '')?.[1]
    }
    return found
  }

  it.each([
    ['newest', [7, 6, 5, 4, 3, 2, 1]],
    ['oldest', [1, 2, 3, 4, 5, 6, 7]],
    ['popular', [3, 5, 7, 6, 4, 2, 1]],
    ['liked', [7, 6, 5, 4, 3, 2, 1]],
    ['speed', [3, 5, 7, 6, 4, 2, 1]],
    ['active', [7, 5, 3, 6, 4, 2, 1]],
  ])('sorted by %s show every thread once over all pages', async (sort, order) => {
    expect(await walk(`/api/threads?limit=2&sort=${sort}`)).toEqual(order.map((index) => `巻物その${index}`))
  })

  it('of a category reflect new posts within two seconds, though they were cached', async () => {
    const order = async () =>
      titles((await reader.get<ThreadItem[]>('/api/categories/world/threads?sort=popular')).body)
    expect(await order()).toEqual(['巻物その6', '巻物その4', '巻物その2'])
    await writeTo(reader, made[3]!, '一票')
    await own.settle()
    own.clock.now += 1_000
    expect(await order()).toEqual(['巻物その4', '巻物その6', '巻物その2'])
  })

  it('of a category show its threads only, on all pages', async () => {
    expect(await walk('/api/categories/world/threads?limit=2')).toEqual(['巻物その6', '巻物その4', '巻物その2'])
  })

  it('refuse a malformed cursor and one of another list', async () => {
    const id = '01900000-0000-7000-8000-000000000001'
    for (const [sort, cursor] of [
      ...['x', 'n0.nothing', `p3.${id}`, `n0-1.${id}`].map((cursor) => ['newest', cursor]),
      ['speed', `s3.${id}`],
      ['active', `a3-1.${id}`],
    ]) {
      const answer = await reader.get(`/api/threads?sort=${sort}&cursor=${cursor}`)
      expect(answer.status).toBe(400)
      expect(answer.body).toEqual({ message: messages.bad_cursor, code: 'bad_cursor' })
    }
  })

  it('refuse a sort that does not exist, in Japanese', async () => {
    const answer = await reader.get('/api/threads?sort=random')
    expect(answer.status).toBe(400)
    expect(answer.body).toEqual({ message: messages.bad_request, code: 'bad_request' })
  })

  it('by speed take every thread once over all pages, at the moment of the first, while posts arrive', async () => {
    const pages = await openBoard({ SPAM_POSTS: '10000' })
    const guest = visit(pages)
    for (const [title, posts] of [
      ['古い人気', 9],
      ['静かな巻物', 1],
      ['新しい勢い', 5],
    ] as const) {
      pages.clock.now += 10 * 3_600_000
      const thread = await startThread(guest, { title })
      for (let count = 1; count < posts; count += 1) await writeTo(guest, thread, `${count}`)
    }
    pages.clock.now += 3_600_000
    await pages.settle()
    const page = async (url: string) => {
      const { body, headers } = await guest.get<ThreadItem[]>(url)
      return { titles: titles(body), next: /<([^>]+)>/.exec(headers['link'] ?? '')?.[1] }
    }
    const first = await page('/api/threads?sort=speed&limit=1')
    expect(first.titles).toEqual(['新しい勢い'])
    pages.clock.now += 30 * 3_600_000
    await startThread(guest, { title: '後から立った' })
    await pages.settle()
    const second = await page(first.next!)
    expect(second.titles).toEqual(['古い人気'])
    expect(await page(second.next!)).toEqual({ titles: ['静かな巻物'], next: undefined })
    expect((await page('/api/threads?sort=speed&limit=1')).titles).toEqual(['後から立った'])
    await pages.close()
  })

  it('rank trending threads by the posts of the last 48 hours, newer ones weighing more', async () => {
    const trending = async () => (await reader.get<ThreadItem[]>('/api/threads/trending?windowHours=48&limit=2')).body
    expect(titles(await trending())).toEqual(['巻物その3', '巻物その5'])
    own.clock.now += 36 * 3_600_000
    await writeTo(reader, made[0]!, '三日後の返事')
    await own.settle()
    expect(titles(await trending())).toEqual(['巻物その1', '巻物その3'])
    expect((await reader.get<ThreadItem[]>('/api/categories/world/trending?limit=1')).body).toHaveLength(1)
    own.clock.now += 49 * 3_600_000
    expect(await trending()).toEqual([])
  })

  it('by the last post show a thread first within a second of a post, though they were cached', async () => {
    const order = async (list: string) => titles((await reader.get<ThreadItem[]>(`${list}?sort=active`)).body)
    const before = await order('/api/threads')
    expect(before[0]).not.toBe('巻物その2')
    own.clock.now += 60_000
    await writeTo(reader, made[1]!, '久しぶり')
    await own.settle()
    own.clock.now += 1_000
    expect((await order('/api/threads'))[0]).toBe('巻物その2')
    expect((await order('/api/categories/world/threads'))[0]).toBe('巻物その2')
  })
})

it('rank a thread with several writers above one with many posts of one writer, even under many names and cookies, and say no number', async () => {
  const own = await openBoard({ SPAM_POSTS: '100000' })
  const starter = visit(own, '198.51.100.1')
  const busy = await startThread(starter, { title: '独り言' })
  const disguised = await startThread(visit(own, '198.51.100.2'), { title: '変装の宴' })
  const lively = await startThread(visit(own, '198.51.100.3'), { title: '井戸端' })
  for (let count = 0; count < 50; count += 1) {
    await writeTo(starter, busy, `独り言 ${count}`, '独り者')
    await writeTo(visit(own, '203.0.113.7'), disguised, `宴 ${count}`, `客${count}`)
  }
  for (let count = 0; count < 12; count += 1) {
    await writeTo(visit(own, `198.51.100.${100 + count}`), lively, `井戸端 ${count}`, `隣人${count}`)
  }
  await own.settle()
  const { body } = await starter.get<ThreadItem[]>('/api/threads/trending')
  expect(titles(body)).toEqual(['井戸端', '変装の宴', '独り言'])
  expect(await scoreOf(own, body.at(-1)!)).toBeLessThan(4)
  // A number that grows by the weight of each post would tell which of them are of one writer.
  const [listed] = (await starter.get<ThreadItem[]>('/api/threads')).body
  expect(Object.keys(body[0]!)).toEqual(Object.keys(listed!))
  await own.close()
})

describe('a single thread', () => {
  it('that does not exist answers 404, and so does a malformed id', async () => {
    for (const id of ['01900000-0000-7000-8000-00000000dead', 'abc', "1'--"]) {
      for (const path of ['', '/posts'])
        expect((await guest.get(`/api/threads/${encodeURIComponent(id)}${path}`)).status).toBe(404)
    }
  })

  it('never shows the fields that link posts to a browser', async () => {
    const thread = await startThread(guest, { nickname: '影' })
    const { body } = await guest.get(`/api/threads/${thread._id}`)
    const posts = await guest.get(`/api/threads/${thread._id}/posts`)
    const visitorId = decodeURIComponent(guest.cookies.get('visitor')!).split('.')[0]!
    for (const text of [JSON.stringify(body), JSON.stringify(posts.body)]) {
      expect(text).not.toContain(visitorId)
      expect(text).not.toMatch(/visitor|client|address/i)
    }
  })
})

describe('a nickname', () => {
  it('with a strong key is checked a limited number of times from one address, and any other name still is', async () => {
    const thread = await startThread(guest)
    const check = (nickname: string) =>
      visit(board, '198.51.100.9').post(`/api/threads/${thread._id}/checkNickname`, { nickname })
    for (let index = 0; index < 100; index += 1) expect((await check(`影##鍵${index}`)).status).toBe(200)
    expect(await check('影##もう一つの鍵')).toMatchObject({
      status: 429,
      body: { code: 'too_many_requests', message: messages.too_many_requests },
      headers: { 'retry-after': expect.stringMatching(/^\d+$/) },
    })
    for (const nickname of ['影##鍵0', '影#鍵', '影']) expect((await check(nickname)).status).toBe(200)
  })

  it('belongs to the first visitor of the thread who posts with it, in any spelling', async () => {
    const thread = await startThread(guest, { nickname: 'カゲ丸' })
    const other = visit(board)
    const check = (who: Guest, nickname: string) =>
      who.post<{ available: boolean; message: string }>(`/api/threads/${thread._id}/checkNickname`, { nickname })
    expect((await check(guest, 'カゲ丸')).body.available).toBe(true)
    expect((await check(other, 'ｶｹﾞ丸')).body).toEqual({ available: false, message: messages.nickname_taken })
    expect((await check(other, '別の影')).body).toEqual({ available: true, message: messages.nickname_available })
    const answer = await other.post(`/api/threads/${thread._id}/posts`, { content: 'なりすまし', name: 'かげ丸' })
    expect(answer.status).toBe(409)
    expect(answer.body).toEqual({ message: messages.nickname_taken, code: 'taken' })
  })

  it('that is empty, too long or contains forbidden characters is refused with its message', async () => {
    const thread = await startThread(guest)
    for (const [nickname, message] of [
      ['', messages.nickname_required],
      ['　\u200b', messages.nickname_required],
      ['忍'.repeat(21), messages.nickname_too_long],
      ['影\u202e丸', messages.bad_characters('2文字目の文字の向きを変える記号 U+202E')],
    ]) {
      const answer = await guest.post<{ message: string }>(`/api/threads/${thread._id}/checkNickname`, { nickname })
      expect(answer.status).toBe(400)
      expect(answer.body.message).toBe(message)
    }
  })
})

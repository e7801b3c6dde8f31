/** Threads as files to keep. */
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, vi } from 'vitest'
import { threadLog } from '@shinobi/contract/logs'
import type { Post } from '@shinobi/contract/posts'
import { decodeCp932 } from '@shinobi/dat/cp932'
import { readLog } from '@shinobi/dat/read-log'
import type { Thread } from '@shinobi/contract/threads'
import { startThread, writeTo, type Board, type Guest } from '../../testing/board.ts'
import { boardTest } from '../../testing/fixtures.ts'
import { ask } from '../../testing/wire.ts'

const it = boardTest
  .extend('thread', async ({ board, guest, admin }) => {
    board.clock.now += 20_000
    const thread = await startThread(guest, {
      title: '月見：「団子」/2',
      content: '一行目\n<二行目>',
      nickname: '影丸',
    })
    await writeTo(guest, thread, '消える書き込み', '消す人')
    await writeTo(guest, thread, '>>1 😂', '名無し')
    const posts = (await guest.get<Post[]>(`/api/threads/${thread._id}/posts`)).body
    await admin.delete(`/api/admin/posts/${posts[1]!._id}?rule=hurt`)
    return thread
  })
  .extend('take', ({ board, thread }) => async (form: string) => {
    return ask(`${await board.listen()}/api/threads/${thread._id}/log.${form}`)
  })

describe('a thread is taken along', () => {
  it('as JSON, with all but the content of removed posts', async ({ thread, take }) => {
    const { headers, bytes } = await take('json')
    expect(headers['content-type']).toBe('application/json; charset=utf-8')
    const log = threadLog.strict().parse(JSON.parse(bytes.toString()))
    expect(log).toMatchObject({
      source: `http://localhost/thread/${thread._id}`,
      thread: { title: thread.title, category: 'general', key: expect.any(Number) },
    })
    expect(log.posts).toMatchObject([
      { number: 1, name: '影丸', content: '一行目\n<二行目>', removed: false },
      { number: 2, name: null, content: '', posterId: null, removed: true },
      { number: 3, name: null, content: '>>1 😂', mail: '' },
    ])
    expect(bytes.toString()).not.toContain('消え')
  })

  it('as the dat of browsers of 2ch, which reads back as it is', async ({ thread, take }) => {
    const { headers, bytes } = await take('dat')
    expect(headers['content-type']).toBe('text/plain; charset=Shift_JIS')
    const { title, posts } = readLog(bytes)
    expect(title).toBe(thread.title)
    expect(posts).toMatchObject([
      { number: 1, name: '影丸', body: '一行目\n<二行目>' },
      { number: 2, removed: true },
      { number: 3, body: '>>1 😂' },
    ])
    expect(decodeCp932(bytes)).not.toContain('消え')
  })

  it('as text that people read', async ({ thread, take }) => {
    const lines = (await take('txt')).bytes.toString().split('\n')
    expect(lines.slice(0, 3)).toEqual([thread.title, `http://localhost/thread/${thread._id}`, ''])
    expect(lines[3]).toMatch(/^1：影丸：2026\/11\/21\(土\) \d\d:\d\d:\d\d\.\d\d ID:\S{8}$/)
    expect(lines.slice(4, 8)).toEqual(['　一行目', '　<二行目>', '', '2：あぼーん'])
  })

  it('under its title, without what no system takes in the name of a file', async ({ take }) => {
    const disposition = (await take('txt')).headers['content-disposition']!
    expect(disposition).toMatch(/^attachment; filename="\d{10}\.txt"; filename\*=UTF-8''/)
    expect(decodeURIComponent(disposition.split("UTF-8''")[1]!)).toBe('月見：「団子」 2.txt')
  })

  it('under its key, where nothing of its title can be in the name of a file', async ({ board, guest }) => {
    board.clock.now += 20_000
    const { _id } = await startThread(guest, { title: '???' })
    const { headers } = await guest.get(`/api/threads/${_id}/log.txt`)
    expect(headers['content-disposition']).toMatch(/filename="(\d{10}\.txt)"; filename\*=UTF-8''\1$/)
  })

  it('only if it has changed, where a client says what it has', async ({ board, guest, thread, take }) => {
    const url = `${await board.listen()}/api/threads/${thread._id}/log.txt`
    const { headers } = await take('txt')
    expect(headers).toMatchObject({
      etag: expect.stringMatching(/^W\/"[\w-]{27}"$/),
      'cache-control': 'private, no-cache',
    })
    const again = () => ask(url, { headers: { 'if-none-match': headers['etag']! } })
    const { status, bytes } = await again()
    expect([status, bytes.length]).toEqual([304, 0])
    expect((await take('json')).headers['etag']).not.toBe(headers['etag'])
    await writeTo(guest, thread, 'もう一つ', '次の人')
    expect((await again()).status).toBe(200)
  })

  it('with new posts at once, and not at all once it is removed', async ({ guest, admin, thread, take }) => {
    await take('txt')
    await writeTo(guest, thread, '新しい書き込み', '後の人')
    expect((await take('txt')).bytes.toString()).toContain('新しい書き込み')
    await admin.delete(`/api/admin/threads/${thread._id}`)
    expect((await take('txt')).status).toBe(404)
    expect((await take('exe')).status).toBe(404)
  })
})

/** As long as a post may be; a line of the dat has 104 kB for it. */
const LONG = '👨‍👩‍👧'.repeat(2_600)

/** A thread of long posts, whose last one says so. */
async function startLongThread(board: Board, guest: Guest, posts: number): Promise<Thread> {
  board.clock.now += 20_000
  const thread = await startThread(guest, { title: `長いスレッド${posts}` })
  const { db } = board.database
  await sql`
    insert into posts ("threadId", number, id, content, "createdAt")
    select ${thread._id}::uuid, number, gen_random_uuid(), case when number < ${posts} then ${LONG} else '最後の書き込み' end, now()
    from generate_series(2, ${posts}::integer) as number`.execute(db)
  const all = { postCount: posts, revision: posts }
  await db.updateTable('threads').set(all).where('id', '=', thread._id).execute()
  return thread
}

/** Begins to take a log along, and reads nothing of it. */
async function begin(board: Board, thread: Thread, form: string, address: string): Promise<IncomingMessage> {
  const headers = { 'x-forwarded-for': address }
  const request = get(`${await board.listen()}/api/threads/${thread._id}/log.${form}`, { headers, agent: false })
  const [answer] = (await once(request, 'response')) as [IncomingMessage]
  onTestFinished(() => void answer.destroy())
  return answer.on('error', () => {})
}

describe('the log of a thread of long posts', () => {
  it('is whole in each form', async ({ board, guest }) => {
    const thread = await startLongThread(board, guest, 30)
    const read = async (form: string) => buffer(await begin(board, thread, form, '198.51.100.1'))
    const { posts } = threadLog.strict().parse(JSON.parse(String(await read('json'))))
    expect(posts.map(({ number }) => number)).toEqual(Array.from({ length: 30 }, (_, index) => index + 1))
    expect(posts.filter(({ content }) => content === LONG)).toHaveLength(28)
    const lines = String(await read('txt')).split('\n')
    expect(lines.filter((line) => line === `　${LONG}`)).toHaveLength(28)
    expect(lines.at(-2)).toBe('　最後の書き込み')
    const dat = readLog(await read('dat'))
    expect(dat.posts.map(({ body }) => body).slice(1)).toEqual([...Array<string>(28).fill(LONG), '最後の書き込み'])
  })

  it('is read as it is sent: what was removed meanwhile is not in it, and it ends with its thread', async ({
    board,
    guest,
    admin,
  }) => {
    const thread = await startLongThread(board, guest, 300)
    const answers = [
      await begin(board, thread, 'dat', '198.51.100.2'),
      await begin(board, thread, 'dat', '198.51.100.2'),
    ]
    const { db } = board.database
    await db
      .updateTable('posts')
      .set({ deletedAt: new Date() })
      .where('threadId', '=', thread._id)
      .where('number', '=', 300)
      .execute()
    const bytes = await buffer(answers[0]!)
    expect(decodeCp932(bytes)).not.toContain('最後の書き込み')
    expect(bytes.length).toBeGreaterThan(298 * 104_000)
    await admin.delete(`/api/admin/threads/${thread._id}`)
    await expect(buffer(answers[1]!)).rejects.toThrow('aborted')
  })

  it('that nobody reads makes place for others after ten minutes', async ({ board, guest }) => {
    const thread = await startLongThread(board, guest, 300)
    const ask = () => begin(board, thread, 'dat', '198.51.100.3')
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const answers = [await ask()]
    while (answers.length < 8) answers.push(await ask())
    expect((await ask()).statusCode).toBe(429)
    vi.advanceTimersByTime(600_000)
    vi.useRealTimers()
    await expect.poll(async () => (await ask()).statusCode).toBe(200)
    await expect(buffer(answers[0]!)).rejects.toThrow('aborted')
  })

  it('is sent to one client eight times at once, and meanwhile to others', async ({ board, guest }) => {
    const thread = await startLongThread(board, guest, 130)
    const answers: IncomingMessage[] = []
    for (let count = 0; count < 8; count += 1) answers.push(await begin(board, thread, 'dat', '198.51.100.4'))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(8).fill(200))
    const refused = await begin(board, thread, 'dat', '198.51.100.4')
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '5'])
    expect(refused.headers).toMatchObject({ 'cache-control': 'no-store' })
    expect(refused.headers).not.toHaveProperty('content-disposition')
    expect((await begin(board, thread, 'dat', '198.51.100.5')).statusCode).toBe(200)
    answers[0]!.destroy()
    await expect.poll(async () => (await begin(board, thread, 'dat', '198.51.100.4')).statusCode).toBe(200)
  })

  it('costs its client a share of the minute, but not to ask whether it has changed', async ({ board, guest }) => {
    const thread = await startLongThread(board, guest, 420)
    const statuses: (number | undefined)[] = []
    for (let count = 0; count < 4; count += 1) {
      const answer = await begin(board, thread, 'txt', '198.51.100.6')
      statuses.push(answer.statusCode)
      answer.destroy()
    }
    expect(statuses).toEqual([200, 200, 200, 429])
    const url = `${await board.listen()}/api/threads/${thread._id}/log.txt`
    const client = { 'x-forwarded-for': '198.51.100.6' }
    const head = await ask(url, { method: 'HEAD', headers: client })
    expect([head.status, head.headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8'])
    const etag = head.headers['etag']!
    expect(await ask(url, { headers: { ...client, 'if-none-match': etag } })).toMatchObject({ status: 304 })
    expect((await begin(board, thread, 'txt', '198.51.100.7')).headers).toMatchObject({ etag })
  })
})

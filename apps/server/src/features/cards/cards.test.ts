/** Pictures of threads for previews of shared links, as a service that makes previews gets them. */
import sharp from 'sharp'
import { pino } from 'pino'
import { expect } from 'vitest'
import { startThread, visit, writeTo } from '../../testing/board.ts'
import { boardTest } from '../../testing/fixtures.ts'
import { addSource, addStory } from '../../testing/stories.ts'
import { ask } from '../../testing/wire.ts'
import { createKeyLimits } from '../../lib/key-limit.ts'
import { toCard } from './cards.rules.ts'
import { createCards } from './cards.service.ts'

const it = boardTest.extend('helpers', ({ board, admin }) => {
  const get = async (path: string, headers: Record<string, string> = {}) =>
    ask((await board.listen()) + path, { headers: { 'x-forwarded-for': '198.51.100.9', ...headers } })

  /** The pixels of a picture, which was checked to be one of the size that the page announces. */
  async function pixelsOf(threadId: string): Promise<Buffer> {
    const { status, headers, bytes } = await get(`/og/${threadId}.png`)
    expect([status, headers['content-type']]).toEqual([200, 'image/png'])
    const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true })
    expect([info.width, info.height, info.channels]).toEqual([1_200, 630, 3])
    return data
  }

  return { get, pixelsOf, remove: (id: string) => admin.delete(`/api/admin/threads/${id}`) }
})

/** Pixels of the title: nearly white, left of the moon and below the name of the board. */
function countLight(pixels: Buffer): number {
  let count = 0
  for (let y = 180; y < 480; y += 1) {
    for (let x = 40; x < 1_160; x += 1) if (pixels[(y * 1_200 + x) * 3]! > 200) count += 1
  }
  return count
}

it('a thread has a picture of 1200 by 630 with its title, so that two threads differ', async ({ guest, helpers }) => {
  const short = await helpers.pixelsOf((await startThread(guest, { title: '月見草' }))._id)
  const long = await helpers.pixelsOf(
    (await startThread(guest, { title: '今夜の月が綺麗だと思う人だけが集まるスレ' }))._id,
  )
  expect(countLight(short)).toBeGreaterThan(1_000)
  expect(countLight(long)).toBeGreaterThan(countLight(short))
  expect(short.equals(long)).toBe(false)
})

it('hostile titles are drawn as text, and break nothing', async ({ guest, helpers }) => {
  const plain = countLight(await helpers.pixelsOf((await startThread(guest, { title: '草草草' }))._id))
  for (const title of [
    '</g></svg><rect width="1200" height="630" fill="white"/>',
    '&lt;&#60;]]><!--<![CDATA[<script>alert(1)</script>',
    '<image href="file:///etc/passwd"/>${process.exit()}',
    'アスキー(´・ω・｀)ｼｮﾎﾞｰﾝ　　　　( ﾟДﾟ)ﾊｧ?',
    '👨‍👩‍👧‍👦🔥🇯🇵❤️家族で花火を見に行く人の集まり',
    'a'.repeat(100),
    '。'.repeat(100),
    '「'.repeat(100),
    'ｶﾞｷﾞｸﾞｹﾞｺﾞと か゛き゛く゛',
    '逆さ文字עבריתと日本語の題名を持つスレッドです',
  ]) {
    const light = countLight(await helpers.pixelsOf((await startThread(guest, { title }))._id))
    // Letters, and no white rectangle over the landscape.
    expect([title, light]).toSatisfy(([, count]) => Number(count) > plain / 20 && Number(count) < 120_000)
  }
})

it('a title in letters that the fonts lack has the picture of the board', async ({ guest, helpers }) => {
  const { _id } = await startThread(guest, { title: '안녕하세요 여러분 반갑습니다' })
  const { status, headers } = await helpers.get(`/og/${_id}.png`)
  expect([status, headers['location']]).toEqual([302, '/og.png'])
  expect(headers['cache-control']).toBe('public, max-age=0, must-revalidate, s-maxage=1')
})

it('a summary by a model is marked as such', async ({ board, guest, helpers }) => {
  const thread = await startThread(guest, { title: '市議会、公園の再整備案を可決' })
  const plain = await helpers.pixelsOf(thread._id)
  await addStory(board, { sourceId: await addSource(board), threadId: thread._id })
  await board.deps.db
    .updateTable('threads')
    .set({ aiGenerated: true, summary: 'ai' })
    .where('id', '=', thread._id)
    .execute()
  board.deps.cache.clear()
  const marked = await helpers.pixelsOf(thread._id)
  const vermilion = (pixels: Buffer) => {
    const at = (540 * 1_200 + 100) * 3
    return pixels[at]! - pixels[at + 1]!
  }
  expect([vermilion(plain) > 50, marked.equals(plain)]).toEqual([false, false])
})

it('new posts make a new picture only where the rounded number changes', () => {
  const row = { title: '月', category: 'general', aiGenerated: false, summary: null }
  const shown = (postCount: number) => toCard({ ...row, postCount }).posts
  expect([1, 9, 10, 29, 30, 99, 100, 999, 1_000, 1_001].map(shown)).toEqual([
    ...[null, null, 'レス 10', 'レス 10+', 'レス 30', 'レス 50+', 'レス 100', 'レス 700+', 'レス 1,000', 'レス 1,000+'],
  ])
})

it('browsers and caches keep a picture by its ETag, and unknown parameters lead to the same one', async ({
  board,
  guest,
  helpers,
}) => {
  const thread = await startThread(guest, { title: 'ETagのある月' })
  const path = `/og/${thread._id}.png`
  const first = await helpers.get(path)
  await writeTo(guest, thread, 'もう一つ')
  const entries = board.deps.cache.stats().entries
  for (const query of ['?a=1', '?b=2&a=1', '?title=x']) {
    const again = await helpers.get(path + query)
    expect([again.status, again.headers['etag'], again.bytes.equals(first.bytes)]).toEqual([
      200,
      first.headers['etag'],
      true,
    ])
  }
  expect(board.deps.cache.stats().entries).toBe(entries)
  expect((await helpers.get(path, { 'if-none-match': first.headers['etag']! })).status).toBe(304)
})

it('the picture of a removed thread is gone at once, and is back when the thread is', async ({
  admin,
  guest,
  helpers,
}) => {
  const { _id } = await startThread(guest, { title: '消える月' })
  const before = await helpers.pixelsOf(_id)
  await helpers.remove(_id)
  expect((await helpers.get(`/og/${_id}.png`)).status).toBe(404)
  await admin.post(`/api/admin/threads/${_id}/restore`)
  expect((await helpers.pixelsOf(_id)).equals(before)).toBe(true)
  expect((await helpers.get('/og/019aa000-0000-7000-8000-000000000000.png')).status).toBe(404)
  expect((await helpers.get('/og/none.png')).status).toBe(404)
})

it('the picture follows a changed title', async ({ board, guest, helpers }) => {
  const { _id } = await startThread(guest, { title: '古い名前の月' })
  const before = await helpers.pixelsOf(_id)
  await board.deps.db.updateTable('threads').set({ title: '新しい名前の月' }).where('id', '=', _id).execute()
  board.deps.cache.drop([`thread:${_id}`], 'at once')
  expect((await helpers.pixelsOf(_id)).equals(before)).toBe(false)
})

it('who asks for many at once gets the picture of the board, and others are served', async ({ guest, helpers }) => {
  const threads = []
  for (let number = 0; number < 30; number += 1) threads.push(await startThread(guest, { title: `${number}番目の月` }))
  const answers = await Promise.all(threads.map(({ _id }) => helpers.get(`/og/${_id}.png`)))
  const other = await helpers.get(`/og/${threads[29]!._id}.png`, { 'x-forwarded-for': '198.51.100.77' })
  expect(other.status).toBe(200)
  const statuses = answers.map(({ status }) => status)
  expect(new Set(statuses)).toEqual(new Set([200, 302]))
  const refused = threads[statuses.indexOf(302)]!
  await helpers.pixelsOf(refused._id)
})

it('a picture that takes longer than the budget is replaced, and kept for the next request', async ({
  onTestFinished,
}) => {
  const options = { log: pino({ level: 'silent' }), keyLimit: createKeyLimits(null) }
  const cards = createCards(options, { budgetMs: 0 })
  onTestFinished(() => cards.close())
  const card = { title: '遅い月', category: '雑談', posts: null, seal: null }
  expect(await cards.pictureOf(card, '198.51.100.1')).toBeNull()
  await expect.poll(() => cards.pictureOf(card, '198.51.100.1')).toBeInstanceOf(Buffer)
})

it('a client draws a limited number of new pictures a minute', async ({ onTestFinished }) => {
  const options = { log: pino({ level: 'silent' }), keyLimit: createKeyLimits(null) }
  const cards = createCards(options, { budgetMs: 60_000, perMinute: 10 })
  onTestFinished(() => cards.close())
  const draw = (number: number, asker: string) =>
    cards.pictureOf({ title: `${number}`, category: '', posts: null, seal: null }, asker)
  for (let number = 0; number < 10; number += 1) expect(await draw(number, '198.51.100.1')).not.toBeNull()
  expect(await draw(10, '198.51.100.1')).toBeNull()
  // What is drawn already costs nothing, and others have their own share.
  expect(await draw(3, '198.51.100.1')).not.toBeNull()
  expect(await draw(10, '198.51.100.2')).not.toBeNull()
})

it('services of previews find the picture from any address of a reader', async ({ board, guest, helpers }) => {
  const { _id } = await startThread(guest, { title: '訪れる月' })
  const reader = visit(board, '2001:db8::1')
  expect((await reader.get(`/og/${_id}.png`)).status).toBe(200)
  expect((await helpers.get(`/og/${_id}.png`, { 'user-agent': 'Twitterbot/1.0' })).status).toBe(200)
})

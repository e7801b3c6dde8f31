/**
 * Pictures as visitors and several servers see them, in a folder or a bucket, and the limits of
 * their number.
 */
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { messages } from '@shinobi/contract/messages'
import type { Post } from '@shinobi/contract/posts'
import type { Thread } from '@shinobi/contract/threads'
import {
  openBoard,
  openTestDatabase,
  signUp,
  START,
  startThread,
  visit,
  writeTo,
  type Answer,
  type Board,
  type Guest,
  type TestDatabase,
} from '../../testing/board.ts'
import { openLog } from '../../testing/log-lines.ts'
import { picture } from '../../testing/outside/picture.ts'
import { startS3, type S3Server } from '../../testing/outside/s3-server.ts'
import { METRICS_TOKEN, scrape } from '../../testing/scrape.ts'
import { ask } from '../../testing/wire.ts'
import type { ImageBucket } from './image-bucket.ts'

/** Noise, so that any encoding has some 250 kB. */
async function largePicture(): Promise<Blob> {
  const noise = { type: 'gaussian', mean: 128, sigma: 90 } as const
  const bytes = await sharp({ create: { width: 700, height: 700, channels: 3, background: '#000', noise } })
    .png()
    .toBuffer()
  return new Blob([new Uint8Array(bytes)], { type: 'image/png' })
}

const sendPicture = (guest: Guest, thread: Thread, image: Blob, content = '絵'): Promise<Answer<Post>> =>
  guest.form<Post>(`/api/threads/${thread._id}/posts`, { content, name: '影', image })

const refusal = ({ status, body, headers }: Answer<unknown>) => ({
  status,
  message: (body as { message: string }).message,
  wait: headers['retry-after'],
})

describe('pictures in a bucket', () => {
  let s3: S3Server
  let database: TestDatabase
  let east: Board
  let west: Board
  let log: ReturnType<typeof openLog>
  beforeEach(async () => {
    s3 = await startS3()
    database = await openTestDatabase()
    log = openLog()
    east = await openBoard({ ...s3.settings, METRICS_TOKEN }, database, log)
    west = await openBoard(s3.settings, database)
  })
  afterEach(async () => {
    await Promise.all([east.close(), west.close()])
    await database.close()
    await s3.close()
  })

  it('are served by every server with the same headers as from a folder', async () => {
    const image = await picture()
    const thread = await startThread(visit(east))
    const { body: post } = await sendPicture(visit(east), thread, image)
    expect(readdirSync(east.config.dataDir)).not.toContain('images')

    const folder = await openBoard({}, database)
    const inFolder = await sendPicture(visit(folder), await startThread(visit(folder)), image)
    const told = async (board: Board, url: string, headers: Record<string, string> = {}) => {
      const answer = await visit(board).get(url, headers)
      // Header fields that differ by picture or by request.
      const own = new Set(['date', 'etag', 'last-modified', 'x-request-id', 'keep-alive', 'connection'])
      return {
        status: answer.status,
        headers: Object.fromEntries(Object.entries(answer.headers).filter(([name]) => !own.has(name))),
      }
    }
    for (const board of [east, west]) {
      const { headers } = await visit(board).get(post.imageUrl!)
      expect(headers).toMatchObject({
        'content-type': 'image/webp',
        'cache-control': 'public, max-age=31536000, immutable, s-maxage=1',
        etag: expect.any(String),
        'last-modified': expect.any(String),
      })
      expect(await told(board, post.imageUrl!)).toEqual(await told(folder, inFolder.body.imageUrl!))
      const range = { range: 'bytes=2-5' }
      expect(await told(board, post.imageUrl!, range)).toEqual(await told(folder, inFolder.body.imageUrl!, range))
      const since = { 'if-none-match': headers['etag']! }
      expect(await told(board, post.imageUrl!, since)).toMatchObject({ status: 304 })
      const beyond = { range: 'bytes=9999999-' }
      expect(await told(board, post.imageUrl!, beyond)).toMatchObject({ status: 416 })
      expect(await told(folder, inFolder.body.imageUrl!, beyond)).toMatchObject({
        status: 416,
        headers: { 'content-range': expect.stringMatching(/^bytes \*\/\d+$/) },
      })
      // The storage of these tests knows no such condition.
      const another = { 'if-match': '"another"' }
      expect(await told(folder, inFolder.body.imageUrl!, another)).toMatchObject({ status: 412 })
      for (const missing of [
        '/images/none.webp',
        '/images/',
        '/images/../images-hidden/a.webp',
        '/images/a%2Fb.webp',
      ]) {
        expect(await told(board, missing)).toEqual(await told(folder, missing))
      }
    }
    await folder.close()
  })

  it('are not read from it for a HEAD, which gets their size', async () => {
    const thread = await startThread(visit(east))
    const { body: post } = await sendPicture(visit(east), thread, await picture())
    const url = (await east.listen()) + post.imageUrl!
    const serve = vi.spyOn(east.deps.storage.files as ImageBucket, 'serve')
    const [head, whole] = [await ask(url, { method: 'HEAD' }), await ask(url)]
    expect(serve.mock.calls.map(([, method]) => method)).toEqual(['HEAD', 'GET'])
    expect([head.status, head.headers['content-length']]).toEqual([200, String(whole.bytes.length)])
  })

  it('are asked for in vain a thousand times a minute by one client, which others do not notice', async () => {
    const { body: post } = await sendPicture(visit(east), await startThread(visit(east)), await picture())
    const serve = vi.spyOn(east.deps.storage.files as ImageBucket, 'serve')
    const guesser = visit(east, '198.51.100.1')
    const guess = async () => (await guesser.get(`/images/${crypto.randomUUID()}.webp`)).status
    // Only names that a picture may have are looked for, and pictures that are there do not count.
    expect((await guesser.get('/images/guess.webp')).status).toBe(404)
    expect(serve).not.toHaveBeenCalled()
    for (let count = 0; count < 900; count += 100)
      expect(new Set(await Promise.all(Array.from({ length: 100 }, guess)))).toEqual(new Set([404]))
    for (let count = 0; count < 20; count += 1) expect((await guesser.get(post.imageUrl!)).status).toBe(200)
    const statuses = await Promise.all(Array.from({ length: 150 }, guess))
    expect(statuses.filter((status) => status === 404)).toHaveLength(100)
    expect(statuses.filter((status) => status === 429)).toHaveLength(50)
    expect(serve).toHaveBeenCalledTimes(1_020)
    const refused = refusal(await guesser.get(`/images/${crypto.randomUUID()}.webp`))
    expect(refused).toMatchObject({ status: 429, message: messages.too_many_requests })
    expect((await visit(east, '198.51.100.2').get(post.imageUrl!)).status).toBe(200)
  })

  it('disappear with their post on every server, and reappear with it', async () => {
    const thread = await startThread(visit(east))
    const { body: post } = await sendPicture(visit(east), thread, await picture())
    const admin = await signUp(west, undefined, { isAdmin: true })
    const urls = [post.imageUrl!, post.thumbnailUrl!]
    const seen = async () => {
      await Promise.all([east.settle(), west.settle()])
      const answers = [east, west].flatMap((board) => urls.map((url) => visit(board).get(url)))
      return (await Promise.all(answers)).map(({ status }) => status)
    }
    expect(await seen()).toEqual([200, 200, 200, 200])
    await admin.delete(`/api/admin/posts/${post._id}?rule=hurt`)
    expect(await seen()).toEqual([404, 404, 404, 404])
    await admin.post(`/api/admin/posts/${post._id}/restore`)
    expect(await seen()).toEqual([200, 200, 200, 200])
  })

  it('are moved once when their removal is told twice', async () => {
    const thread = await startThread(visit(east))
    const { body: post } = await sendPicture(visit(east), thread, await picture())
    const { removedImages, images, db } = east.deps
    await db.updateTable('posts').set({ deletedAt: new Date() }).where('id', '=', post._id).execute()
    const hide = vi.spyOn(images, 'hide')
    const place = { threadId: thread._id, number: 2 }
    removedImages.lookAtPosts([place, place])
    await removedImages.settle()
    expect(hide).toHaveBeenCalledOnce()
    expect((await visit(west).get(post.imageUrl!)).status).toBe(404)
  })

  it('are refused while the storage is away; texts and pages work, and pictures do so again without a restart', async () => {
    const guest = visit(east)
    const thread = await startThread(guest)
    const { body: post } = await sendPicture(guest, thread, await picture())
    await s3.kill()
    const refused = await sendPicture(guest, thread, await picture(), '届かない絵')
    expect(refusal(refused)).toEqual({ status: 503, message: messages.unavailable, wait: '5' })
    expect((await writeTo(guest, thread, '文字だけ')).content).toBe('文字だけ')
    expect((await guest.get<Post[]>(`/api/threads/${thread._id}/posts`)).body).toHaveLength(3)
    expect((await guest.get(post.imageUrl!)).status).toBe(503)

    // A picture removed meanwhile is hidden as soon as the storage is back.
    const admin = await signUp(east, undefined, { isAdmin: true })
    expect((await admin.delete(`/api/admin/posts/${post._id}?rule=hurt`)).status).toBeLessThan(300)

    await s3.start()
    const again = async () => (await sendPicture(guest, thread, await picture(), 'もう一度')).status
    await expect.poll(again, { interval: 200 }).toBe(201)
    await expect.poll(async () => (await guest.get(post.imageUrl!)).status).toBe(404)
    const lines = log.lines.filter(({ msg }) => String(msg).startsWith('pictures: the storage'))
    const words = lines.map(({ msg, err }) => (msg === 'pictures: the storage refuses' ? JSON.stringify(err) : msg))
    expect(words).toEqual(['pictures: the storage is away', 'pictures: the storage is back'])
    expect((await scrape(east)).figures.get('shinobi_image_storage_failures_total')).toBeGreaterThan(0)
  })
})

describe('stored pictures', () => {
  let board: Board
  afterEach(() => board.close())

  async function open(settings: Readonly<Record<string, string>> = {}): Promise<void> {
    board = await openBoard(settings)
    // The walk of the start counts existing files, and would miss a picture uploaded at that
    // moment.
    const { db } = board.database
    const walked = () => db.selectFrom('imageTotals').select('nextWalkAt').executeTakeFirstOrThrow()
    await expect.poll(async () => Number((await walked()).nextWalkAt)).toBeGreaterThan(START + 3_000_000)
  }

  const onDisk = () => {
    const paths = ['images', 'images-hidden'].flatMap((area) => {
      const folder = join(board.config.dataDir, area)
      return readdirSync(folder).map((name) => join(folder, name))
    })
    return { files: paths.length, bytes: paths.reduce((sum, path) => sum + statSync(path).size, 0) }
  }

  it('are limited per visitor and day, a refusal names the time to wait, and a refused picture leaves no file', async () => {
    await open({ IMAGES_MB_PER_DAY: '1', METRICS_TOKEN })
    const guest = visit(board)
    const thread = await startThread(guest)
    const image = await largePicture()
    const statuses: number[] = []
    for (let count = 0; count < 6; count += 1) statuses.push((await sendPicture(guest, thread, image)).status)
    const stored = statuses.filter((status) => status === 201).length
    expect(stored).toBeGreaterThan(0)
    expect(statuses).toEqual([...Array<number>(stored).fill(201), ...Array<number>(6 - stored).fill(429)])
    const refused = refusal(await sendPicture(guest, thread, image))
    expect(refused).toMatchObject({ status: 429, message: messages.image_bytes_limited })
    expect(Number(refused.wait)).toBeGreaterThan(86_000)
    expect(onDisk().files).toBe(2 * stored)
    expect(await writeTo(guest, thread, '文字はまだ書けます')).toBeDefined()
    // A small picture still fits.
    expect((await sendPicture(guest, thread, await picture())).status).toBe(201)
    const { figures } = await scrape(board)
    expect(figures.get('shinobi_image_bytes')).toBe(onDisk().bytes)
    expect(figures.get('shinobi_image_files')).toBe(onDisk().files)
  })

  it('that find too many of their sender waiting are refused for a moment, and count for nothing', async () => {
    await open({ UPLOADS_PER_HOUR: '14' })
    const [guest, image] = [visit(board), await largePicture()]
    const thread = await startThread(guest)
    const answers = await Promise.all(Array.from({ length: 14 }, () => sendPicture(guest, thread, image)))
    const refused = answers.filter(({ status }) => status !== 201).map(refusal)
    expect(refused).toEqual(refused.map(() => ({ status: 429, message: messages.too_many_requests, wait: '5' })))
    for (const _ of refused) expect(await sendPicture(guest, thread, await picture())).toMatchObject({ status: 201 })
    expect(refusal(await sendPicture(guest, thread, image))).toMatchObject({ message: messages.uploads_limited })
  })

  it('are limited for all visitors of one IPv6 /48 together', async () => {
    await open({ IMAGES_MB_PER_DAY: '1' })
    const { visitors, limits } = board.deps
    // Uses up the sixteen megabytes of the network except one kilobyte, which is less than a
    // picture.
    for (let line = 0; line < 16; line += 1) {
      const address = `2001:db8:77:${line.toString(16)}::1`
      const { visitor } = await visitors.meetSocket({ cookieHeader: undefined, address, agent: '' })
      await limits.imageKilobytes.take(visitor, line === 0 ? 999 : 1_000)
    }
    const image = await largePicture()
    const from = async (address: string) => {
      const guest = visit(board, address)
      return sendPicture(guest, await startThread(guest), image)
    }
    expect(await from('2001:db8:77:ffff::1')).toMatchObject({ status: 429 })
    expect(await from('2001:db8:78::1')).toMatchObject({ status: 201 })
    expect(await from('198.51.100.9')).toMatchObject({ status: 201 })
  })

  it('are refused from everybody at the maximum of the board, while texts pass, until space is freed', async () => {
    await open({ IMAGES_MAX_GB: '1' })
    const guest = visit(board)
    const thread = await startThread(guest)
    const { db } = board.database
    await db.updateTable('imageTotals').set({ bytes: 999_999_990, files: 9 }).execute()
    const full = { status: 507, message: messages.images_full, wait: undefined }
    expect(refusal(await sendPicture(guest, thread, await picture()))).toEqual(full)
    const member = await signUp(board)
    const avatar = await member.form('/api/profile/image', { image: await picture() })
    expect(avatar.status).not.toBe(200)
    expect(onDisk().files).toBe(0)
    expect(await writeTo(guest, thread, '文字だけ')).toBeDefined()
    await db.updateTable('imageTotals').set({ bytes: 10_000 }).execute()
    expect((await sendPicture(guest, thread, await picture())).status).toBe(201)
  })

  it('are subtracted from the total when they are removed', async () => {
    await open()
    const { images, stored: storedImages } = board.deps.storage
    const bytes = Buffer.from(await (await picture()).arrayBuffer())
    const kept = await images.save(bytes)
    const gone = await images.save(bytes)
    await images.hide(gone)
    await images.remove(gone)
    await images.remove(gone)
    await storedImages.refresh()
    expect(storedImages.totals()).toEqual(onDisk())
    await images.remove(kept)
    expect(storedImages.totals()).toEqual({ files: 0, bytes: 0 })
  })
})

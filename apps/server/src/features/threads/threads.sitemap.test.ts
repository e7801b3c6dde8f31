/** The sitemaps, as a search engine reads them. */
import { expect } from 'vitest'
import { START, startThread, visit } from '../../testing/board.ts'
import { boardTest } from '../../testing/fixtures.ts'
import { openOlderBuckets } from '../search/bulk-index.ts'
import { FILE_BUCKETS } from './threads-sitemap.queries.ts'

const it = boardTest.extend('helpers', ({ board, admin }) => {
  /** Addresses of a sitemap, with their dates. */
  async function read(url: string) {
    const { status, body, headers } = await visit(board).get<string>(url)
    expect([status, headers['content-type']]).toEqual([200, 'application/xml; charset=utf-8'])
    const entries = body.matchAll(/<loc>([^<]*)<\/loc>(?:<lastmod>([^<]*)<\/lastmod>)?/g)
    return Array.from(entries, ([, loc, lastmod]) => [loc, lastmod])
  }

  /** As the indexer does when a thousand threads follow. */
  async function openBuckets(bucket: number, firstThreadId: string) {
    await board.deps.db.insertInto('searchBuckets').values({ bucket, firstThreadId }).execute()
    board.deps.cache.clear()
  }

  /** As an import of logs does: threads a minute apart, of which the oldest one is written. */
  async function importLogs(count: number, before: number) {
    const times = Array.from({ length: count }, (_, index) => before - (count - index) * 60_000)
    const { now } = board.clock
    await openOlderBuckets(board.deps.db, times, now)
    board.clock.now = times[0]!
    const oldest = await startThread(visit(board))
    board.clock.now = now
    board.deps.cache.clear()
    return { oldest, at: times[0]! }
  }

  return {
    read,
    openBuckets,
    importLogs,
    remove: (id: string) => admin.delete(`/api/admin/threads/${id}`),
    restore: (id: string) => admin.post(`/api/admin/threads/${id}/restore`),
  }
})

it('robots.txt names the index, and keeps crawlers out of calls, personal pages and searches', async ({ board }) => {
  const { body, headers } = await visit(board).get<string>('/robots.txt')
  expect(headers['content-type']).toBe('text/plain; charset=utf-8')
  const lines = body.split('\n')
  expect(lines).toContain('Sitemap: http://localhost/sitemap.xml')
  for (const path of ['/api/', '/admin', '/profile', '/*?*search=']) expect(lines).toContain(`Disallow: ${path}`)
})

it('a thread is in the file between whose borders it was opened, with the time of its newest post', async ({
  board,
  guest,
  helpers: { read, openBuckets },
}) => {
  const threads = []
  for (let number = 1; number <= 5; number += 1) {
    board.clock.now += 1_000
    threads.push(await startThread(guest, { title: `見出し${number}` }))
  }
  const [, , third, , fifth] = threads
  await openBuckets(FILE_BUCKETS, threads[1]!._id)
  await openBuckets(FILE_BUCKETS + 1, third!._id)
  await openBuckets(2 * FILE_BUCKETS + 1, fifth!._id)

  const addressOf = ({ _id }: { _id: string }) => `http://localhost/thread/${_id}`
  const file = async (page: number) => (await read(`/sitemaps/threads-${page}.xml`)).map(([loc]) => loc)
  expect(await file(1)).toEqual(threads.slice(0, 2).map(addressOf))
  expect(await file(2)).toEqual(threads.slice(2, 4).map(addressOf))
  expect(await file(3)).toEqual(threads.slice(4).map(addressOf))
  expect(await read('/sitemaps/threads-3.xml')).toEqual([[addressOf(fifth!), fifth!.lastPostAt]])

  board.deps.cache.clear()
  expect(await read('/sitemap.xml')).toEqual([
    ['http://localhost/sitemaps/pages.xml', undefined],
    ['http://localhost/sitemaps/threads-1.xml', threads[1]!.lastPostAt],
    ['http://localhost/sitemaps/threads-2.xml', threads[3]!.lastPostAt],
    ['http://localhost/sitemaps/threads-3.xml', fifth!.lastPostAt],
  ])
})

it('a removed thread leaves its file at once, and returns when it is restored', async ({
  guest,
  helpers: { read, remove, restore },
}) => {
  const thread = await startThread(guest, { title: '消える見出し' })
  const index = await read('/sitemap.xml')
  const newest = new URL(index.at(-1)![0]!).pathname
  const has = async () => (await read(newest)).some(([loc]) => loc?.endsWith(thread._id))
  await remove(thread._id)
  expect(await has()).toBe(false)
  await restore(thread._id)
  expect(await has()).toBe(true)
  await remove(thread._id)
  expect(await has()).toBe(false)
})

it('lists and categories have a file of their own', async ({ helpers: { read } }) => {
  const pages = await read('/sitemaps/pages.xml')
  expect(pages).toContainEqual(['http://localhost/', undefined])
  expect(pages).toContainEqual(['http://localhost/categories/immigration-japan', undefined])
})

it('a file that does not exist is not found', async ({ board }) => {
  for (const page of ['0', '-0', '-1', '01', '999', '1e3', '99999999', 'x', "1' or 1=1"]) {
    const { status } = await visit(board).get(`/sitemaps/threads-${encodeURIComponent(page)}.xml`)
    expect([page, status]).toEqual([page, 404])
  }
})

it('sitemaps are compressed', async ({ board, guest }) => {
  for (let number = 1; number <= 4; number += 1) await startThread(guest, { title: `見出し${number}` })
  board.deps.cache.clear()
  const { headers } = await visit(board).get('/sitemaps/threads-3.xml', { 'accept-encoding': 'gzip' })
  expect(headers['content-encoding']).toBe('gzip')
})

it('imported threads are in files that count down from 0, and the other files stay', async ({
  board,
  guest,
  helpers: { read, importLogs },
}) => {
  await startThread(guest, { title: '輸入の前のスレ' })
  board.deps.cache.clear()
  const [pages, ...files] = await read('/sitemap.xml')
  const first = await read('/sitemaps/threads-1.xml')
  const addressOf = (page: number) => `http://localhost/sitemaps/threads-${page}.xml`
  const threadOf = ({ _id, lastPostAt }: { _id: string; lastPostAt: string }) => [
    `http://localhost/thread/${_id}`,
    lastPostAt,
  ]

  const one = await importLogs(3_000, START)
  expect(await read('/sitemap.xml')).toEqual([pages, [addressOf(0), one.oldest.lastPostAt], ...files])
  expect(await read('/sitemaps/threads-0.xml')).toEqual([threadOf(one.oldest)])

  const two = await importLogs(9_000, one.at)
  expect(await read('/sitemap.xml')).toEqual([
    pages,
    [addressOf(-1), two.oldest.lastPostAt],
    [addressOf(0), one.oldest.lastPostAt],
    ...files,
  ])
  expect(await read('/sitemaps/threads--1.xml')).toEqual([threadOf(two.oldest)])
  expect(await read('/sitemaps/threads-0.xml')).toEqual([threadOf(one.oldest)])
  expect(await read('/sitemaps/threads-1.xml')).toEqual(first)
})

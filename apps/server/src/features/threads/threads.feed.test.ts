/** The Atom feeds, read as a feed reader reads them. */
import { parseAtomFeed } from 'feedsmith'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openBoard, startThread, visit, type Board } from '../../testing/board.ts'

let board: Board

beforeAll(async () => {
  board = await openBoard()
})
afterAll(() => board.close())

async function readFeed(url: string) {
  const { status, body, headers } = await visit(board).get<string>(url)
  expect([status, headers['content-type']]).toEqual([200, 'application/atom+xml; charset=utf-8'])
  return parseAtomFeed(body)
}

it('an empty board has an empty feed', async () => {
  const feed = await readFeed('/feed.xml')
  expect(feed).toMatchObject({ id: 'http://localhost/', title: { value: '忍板' } })
  expect(feed.entries ?? []).toEqual([])
})

it('new threads come first, with what a reader shows of them, and hostile titles stay text', async () => {
  const guest = visit(board)
  const first = await startThread(guest, {
    title: '<script>alert(1)</script> & ]]> "引用"',
    content: '本文 <b>&amp;',
    nickname: '影＆',
  })
  const second = await startThread(guest, { title: '二番目のスレッド', category: 'world' })
  const feed = await readFeed('/feed.xml')
  expect(feed.entries).toMatchObject([
    { id: `urn:uuid:${second._id}`, title: { value: '二番目のスレッド' }, authors: [{ name: '名無し' }] },
    {
      id: `urn:uuid:${first._id}`,
      title: { value: '<script>alert(1)</script> & ]]> "引用"' },
      summary: { value: '本文 <b>&amp;' },
      authors: [{ name: '影＆' }],
      published: first.createdAt,
      links: [{ href: `http://localhost/thread/${first._id}` }],
      categories: [{ term: 'general' }],
    },
  ])
  const general = await readFeed('/categories/general/feed.xml')
  expect(general.entries?.map(({ id }) => id)).toEqual([`urn:uuid:${first._id}`])
})

it('a category that does not exist has none', async () => {
  expect((await visit(board).get('/categories/nowhere/feed.xml')).status).toBe(404)
})

it('asked again with its tag it costs nothing', async () => {
  const { headers } = await visit(board).get('/feed.xml')
  expect((await visit(board).get('/feed.xml', { 'if-none-match': headers['etag']! })).status).toBe(304)
})

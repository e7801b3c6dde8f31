/** The Atom feeds, parsed as a feed reader does. */
import { parseAtomFeed } from 'feedsmith'
import { expect } from 'vitest'
import { startThread, visit } from '../../testing/board.ts'
import { boardTest } from '../../testing/fixtures.ts'

const it = boardTest.extend('helpers', ({ board }) => {
  async function readFeed(url: string) {
    const { status, body, headers } = await visit(board).get<string>(url)
    expect([status, headers['content-type']]).toEqual([200, 'application/atom+xml; charset=utf-8'])
    return parseAtomFeed(body)
  }
  return { readFeed }
})

it('an empty board has an empty feed', async ({ helpers: { readFeed } }) => {
  const feed = await readFeed('/feed.xml')
  expect(feed).toMatchObject({ id: 'http://localhost/', title: { value: '忍板' } })
  expect(feed.entries ?? []).toEqual([])
})

it('new threads come first, with the fields that readers show, and HTML in titles stays text', async ({
  board,
  helpers: { readFeed },
}) => {
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

it('a summary by a model is marked, names its source, and has no writer', async ({
  board,
  guest,
  helpers: { readFeed },
}) => {
  const { _id } = await startThread(guest, { title: '図書館が夜まで開く' })
  const source = { sourceSite: 'つばめ通信', sourceUrl: 'https://news.example.jp/1' }
  await board.deps.db
    .updateTable('threads')
    .set({ aiGenerated: true, summary: 'ai', ...source })
    .where('id', '=', _id)
    .execute()
  board.deps.cache.clear()
  const feed = await readFeed('/feed.xml')
  expect(feed.entries?.find(({ id }) => id === `urn:uuid:${_id}`)).toMatchObject({
    authors: [{ name: '忍板' }],
    categories: [{ term: 'general' }, { term: 'ai-summary', label: 'AI要約' }],
    links: [{ rel: 'alternate' }, { rel: 'via', href: source.sourceUrl, title: '出典: つばめ通信' }],
    summary: { value: expect.stringMatching(/^【AI要約・出典: つばめ通信】/) },
  })
})

it('a category that does not exist has no feed', async ({ board }) => {
  expect((await visit(board).get('/categories/nowhere/feed.xml')).status).toBe(404)
})

it('a request with the current ETag gets an empty 304', async ({ board }) => {
  const { headers } = await visit(board).get('/feed.xml')
  expect((await visit(board).get('/feed.xml', { 'if-none-match': headers['etag']! })).status).toBe(304)
})

/**
 * Public answers are byte-equal for everybody, so that they can be cached (docs/product.md#api).
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Post } from '@shinobi/contract/posts'
import {
  openBoard,
  signUp,
  startThread,
  visit,
  writeTo,
  type Board,
  type Guest,
  type MemberGuest,
} from './testing/board.ts'
import { addSource, addStory } from './testing/stories.ts'

let board: Board
let kaede: MemberGuest
let tsubaki: MemberGuest
let visitor: Guest
let params: Readonly<Record<string, string>>

beforeAll(async () => {
  board = await openBoard()
  kaede = await signUp(board, '楓')
  tsubaki = await signUp(board, '椿')
  visitor = visit(board)
  const thread = await startThread(kaede)
  const posts: Post[] = [
    await writeTo(tsubaki, thread, '椿の一言'),
    await writeTo(visitor, thread, '旅の者の一言', '旅人'),
  ]
  const path = `/api/threads/${thread._id}`
  for (const member of [kaede, tsubaki]) await member.post(`${path}/like`)
  await kaede.post(`${path}/posts/${posts[0]!._id}/like`)
  await visitor.post(`${path}/posts/${posts[0]!._id}/report`, { reason: '確かめるため', content: '椿の一言' })
  // A news thread, so that its summary exists.
  const sourceId = await addSource(board)
  await addStory(board, { sourceId, threadId: thread._id })
  // And one that was taken down, of which a notice is left.
  const withdrawn = await startThread(kaede)
  const storyId = await addStory(board, { sourceId, threadId: withdrawn._id })
  const admin = await signUp(board, '瓦版屋', { isAdmin: true })
  await admin.post(`/api/admin/news/stories/${storyId}/withdraw`, { reason: '誤報でした' })
  await board.settle()
  params = {
    withdrawnId: withdrawn._id,
    threadId: thread._id,
    categoryId: 'general',
    postId: posts[0]!._id,
    page: '1',
    form: 'json',
  }
})
afterAll(() => board.close())

/** Every registered GET, with its parameters filled in. */
const registeredGets = (): string[] =>
  Object.entries(board.app.swagger().paths ?? {})
    .filter(([, methods]) => 'get' in methods)
    .map(([path]) => path.replace('{threadId}/withdrawal', '{withdrawnId}/withdrawal'))
    .map((path) => path.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] ?? ''))

test('every public address answers two members and two visitors with the same bytes', async () => {
  const secrets = [
    ...[kaede, tsubaki].map(({ userId }) => `${userId}@example.jp`),
    ...[kaede, tsubaki, visitor].flatMap(({ cookies }) => [...cookies.values()].filter((value) => value.length > 8)),
    ...(await board.database.db.selectFrom('posts').select('visitorId').execute()).map((row) => row.visitorId!),
    ...(await board.database.db.selectFrom('sessions').select('id').execute()).map((row) => row.id),
  ]
  const open: string[] = []
  for (const url of registeredGets()) {
    const stranger = await visit(board).get<unknown>(url)
    // Answers that require a session or belong to one visitor are never cached.
    if (stranger.status === 401 || url.startsWith('/api/held/') || url === '/api/scroll') {
      expect([url, (await kaede.get(url)).headers['cache-control']]).toEqual([url, 'no-store'])
      continue
    }
    open.push(url)
    const told = JSON.stringify(stranger)
    expect([url, stranger.status]).toEqual([url, 200])
    for (const secret of secrets) expect([url, told.includes(secret)]).toEqual([url, false])
    // Each twice: the first answer is computed, the second one cached.
    for (const guest of [kaede, tsubaki, visitor, kaede, tsubaki]) {
      const { body, headers } = await guest.get(url)
      expect([url, body, headers['etag']]).toEqual([url, stranger.body, stranger.headers['etag']])
      expect([url, headers['set-cookie'], headers['vary']]).toEqual([url, undefined, stranger.headers['vary']])
    }
    expect(stranger.headers['vary'] ?? '').not.toMatch(/cookie|authorization/i)
  }
  expect(open.length).toBeGreaterThan(7)
})

test('a public answer is the same whether it was first computed for a member or for a visitor', async () => {
  let compared = 0
  for (const url of registeredGets()) {
    board.deps.cache.clear()
    const first = await kaede.get(url)
    if (!(first.headers['cache-control'] ?? '').includes('public')) continue
    compared += 1
    board.deps.cache.clear()
    expect([url, (await visit(board).get(url)).body]).toEqual([url, first.body])
  }
  expect(compared).toBeGreaterThan(7)
})

/**
 * Many concurrent likes and unlikes, on one server and on two. Counters always equal the number of
 * rows.
 */
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Post } from '@shinobi/contract/posts'
import type { Thread } from '@shinobi/contract/threads'
import {
  openBoard,
  openTestDatabase,
  startThread,
  visit,
  writeTo,
  type Answer,
  type Board,
  type Guest,
  type MemberGuest,
  type TestDatabase,
} from '../../testing/board.ts'
import { signUpCrowd } from '../../testing/crowd.ts'
import type { LikeChange } from './likes.queries.ts'

/** A thousand requests take a while on a busy machine. */
const timeout = 120_000

let database: TestDatabase
let boards: readonly [Board, Board]
let thread: Thread
let post: Post
let crowd: MemberGuest[]
beforeAll(async () => {
  database = await openTestDatabase()
  boards = [await openBoard({ SPAM_POSTS: '10000' }, database), await openBoard({ SPAM_POSTS: '10000' }, database)]
  const guest = visit(boards[0])
  thread = await startThread(guest)
  post = await writeTo(guest, thread, '人気の書き込み')
  crowd = await signUpCrowd(boards[0], 1_000)
})
afterAll(async () => {
  for (const board of boards) await board.close()
  await database.close()
})

/** Threads and posts whose counter differs from the number of their likes. */
async function findLies(): Promise<unknown[]> {
  const { rows } = await sql`
    select t.id, t.likes, count(l."userId")::integer as rows from threads as t left join "threadLikes" as l on l."threadId" = t.id
    group by t.id having t.likes <> count(l."userId")
    union all
    select p.id, p.likes, count(l."userId")::integer from posts as p
    left join "postLikes" as l on l."threadId" = p."threadId" and l."postId" = p.id
    group by p.id, p.likes having p.likes <> count(l."userId")`.execute(database.db)
  return rows
}

/** The session of a member in a browser on another server. */
function at(board: Board, member: MemberGuest, address: string): Guest {
  const guest = visit(board, address)
  for (const [name, value] of member.cookies) guest.cookies.set(name, value)
  return guest
}

it('a thousand concurrent likes and unlikes of one post are counted exactly', { timeout }, async () => {
  const url = `/api/threads/${thread._id}/posts/${post._id}/like`
  const liked = await Promise.all(crowd.map((member) => member.post<{ likes: number }>(url)))
  expect(liked.every(({ status }) => status === 200)).toBe(true)
  expect(Math.max(...liked.map(({ body }) => body.likes))).toBe(1_000)
  expect(await findLies()).toEqual([])
  // Half of them unlike, the others like again.
  const then = await Promise.all(
    crowd.map((member, index) => (index % 2 === 0 ? member.delete<{ likes: number }>(url) : member.post(url))),
  )
  expect(then.every(({ status }) => status === 200)).toBe(true)
  const [counted] = (await visit(boards[0]).get<Post[]>(`/api/threads/${thread._id}/posts?after=1`)).body
  await boards[0].settle()
  expect(await findLies()).toEqual([])
  expect(counted!.likes).toBeGreaterThanOrEqual(0)
  expect((await visit(boards[0]).get<Post[]>(`/api/threads/${thread._id}/posts?after=1`)).body[0]!.likes).toBe(500)
})

it(
  'concurrent likes and unlikes of the same members on two servers all succeed and are counted exactly',
  { timeout },
  async () => {
    const urls = [
      `/api/threads/${thread._id}/like`,
      `/api/threads/${thread._id}/posts/${post._id}/like`,
      `/api/threads/${thread._id}/posts/${(await writeTo(visit(boards[0]), thread, '次点', '次点の人'))._id}/like`,
    ]
    const asked: Promise<Answer<{ likes: number }>>[] = []
    for (const [index, member] of crowd.slice(0, 40).entries()) {
      for (const board of boards) {
        const guest = at(board, member, `10.9.${index % 256}.1`)
        for (const url of urls) {
          asked.push(guest.post(url), guest.delete(url), guest.post(url))
        }
      }
    }
    const answers = await Promise.all(asked)
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(answers.every(({ body }) => body.likes >= 0 && body.likes <= 1_000)).toBe(true)
    expect(await findLies()).toEqual([])
    // Whatever the result, a later unlike takes effect.
    const last = await Promise.all(crowd.slice(0, 40).map((member) => member.delete(urls[0]!)))
    expect(Math.min(...last.map(({ body }) => (body as { likes: number }).likes))).toBe(0)
    expect(await findLies()).toEqual([])
  },
)

it('counters equal the rows after any order of likes and unlikes on two servers', async () => {
  const guest = visit(boards[0])
  const threads = await Promise.all(Array.from({ length: 3 }, () => startThread(guest)))
  const posts = await Promise.all(threads.map((one) => writeTo(guest, one, '的', '射手')))
  const targets = threads.flatMap((one, index) => [
    { threadId: one._id, postId: null },
    { threadId: one._id, postId: posts[index]!._id },
  ])
  const changes = fc.array(
    fc.record({
      board: fc.constantFrom(...boards),
      target: fc.constantFrom(...targets),
      userId: fc.constantFrom(...crowd.slice(0, 5).map((member) => member.userId)),
      liked: fc.boolean(),
    }),
    { minLength: 1, maxLength: 40 },
  )
  await fc.assert(
    fc.asyncProperty(changes, async (given) => {
      const answers = await Promise.all(
        given.map(({ board, target, userId, liked }) => {
          const change: LikeChange = { ...target, userId, liked }
          return board.deps.likes.apply(change)
        }),
      )
      expect(answers.every((likes) => likes >= 0 && likes <= 5)).toBe(true)
      expect(await findLies()).toEqual([])
    }),
    { numRuns: 40 },
  )
})

it(
  'likes, posts, rankings and deleted accounts in the same threads never deadlock, even on two servers',
  { timeout },
  async () => {
    const guest = visit(boards[0])
    const threads = await Promise.all(Array.from({ length: 6 }, () => startThread(guest)))
    const posts = await Promise.all(threads.map((one, index) => writeTo(guest, one, '渦の中', `渦その${index}`)))
    const leaving = crowd.slice(100, 106)
    const staying = crowd.slice(106, 126)
    for (const member of leaving) for (const one of threads) await writeTo(member, one, 'では、また')
    for (const [round, member] of leaving.entries()) {
      const work: Promise<unknown>[] = []
      for (const [turn, board] of boards.entries()) {
        for (const [index, { userId }] of staying.entries()) {
          const at = (index * (turn + 1) + round) % threads.length
          const liked = (index + round + turn) % 2 === 0
          work.push(board.deps.likes.apply({ threadId: threads[at]!._id, postId: null, userId, liked }))
          work.push(board.deps.likes.apply({ threadId: threads[at]!._id, postId: posts[at]!._id, userId, liked }))
          work.push(writeTo(visit(board), threads[at]!, '通ります', `旅人 ${round} ${turn} ${index}`))
        }
        board.deps.sortColumns.touch(threads.map((one) => one._id).toReversed())
        work.push(board.deps.sortColumns.settle())
      }
      work.push(
        member.delete('/auth/profile', { name: member.name }).then(({ status }) => expect(status).toBe(200)),
        boards[1].deps.departures.sweep(),
      )
      await Promise.all(work)
    }
    await boards[0].deps.departures.settle()
    expect(await findLies()).toEqual([])
    const { rows } =
      await sql`select number from posts where "userId" = any(${leaving.map((member) => member.userId)})`.execute(
        database.db,
      )
    expect(rows).toEqual([])
  },
)

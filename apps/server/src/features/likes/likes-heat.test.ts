/**
 * Property tests of heat: likes raise the heat of a thread by their weight, and lower it by the
 * same share when they are taken back, in any order.
 */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestDatabase, START, type TestDatabase } from '../../testing/board.ts'
import { uuidv7 } from '../../lib/uuid.ts'
import { insertPosts } from '../posts/numbering.queries.ts'
import { inHalfLives } from '../threads/threads.trending.ts'
import { insertThread } from '../threads/threads.queries.ts'
import { writeThreadLikes } from './likes.queries.ts'

const HOUR = 3_600_000
const MEMBERS = 8

interface Event {
  readonly at: number
  readonly weight: number
}

let database: TestDatabase
let categoryId: string
beforeAll(async () => {
  database = await openTestDatabase()
  categoryId = (await database.db.selectFrom('categories').select('id').executeTakeFirstOrThrow()).id
})
afterAll(() => database.close())

async function openThread(at: number): Promise<string> {
  const id = uuidv7(at)
  const nobody = { nickname: null, userId: null, visitorId: id, image: null }
  const texts = { title: '熱いスレッド', excerpt: '', content: '最初の一言' }
  await insertThread(database.db, { id, postId: uuidv7(at), categoryId, ...texts, ...nobody, at })
  return id
}

const heatOf = async (id: string): Promise<number> =>
  (await database.db.selectFrom('threads').select('heat').where('id', '=', id).executeTakeFirstOrThrow()).heat

/** The expected score: each event's weight at a moment, added up directly. */
const weigh = (events: Iterable<Event>, moment: number): number =>
  [...events].reduce((sum, { at, weight }) => sum + weight * 2 ** (inHalfLives(at) - inHalfLives(moment)), 0)

type Step = { readonly hours: number; readonly who: readonly number[]; readonly what: 'post' | 'like' | 'unlike' }
const steps = (hours: number): fc.Arbitrary<Step[]> =>
  fc.array(
    fc.record({
      hours: fc.double({ min: 0, max: hours, noNaN: true }),
      who: fc.uniqueArray(fc.nat(MEMBERS - 1), { minLength: 1, maxLength: MEMBERS }),
      what: fc.constantFrom('post', 'like', 'unlike', 'unlike'),
    }),
    { minLength: 1, maxLength: 25 },
  )

async function play(given: readonly Step[], thread: string, start: number) {
  // Every other one has been a member for days; the others may be so when they take a like back.
  const since = Array.from({ length: MEMBERS }, (_, index) => start - (index % 2) * 72 * HOUR)
  const members = since.map(uuidv7)
  const posts = [start]
  const likes = new Map<number, Event>()
  let at = start
  for (const { hours, who, what } of given) {
    at += Math.round(hours * HOUR)
    if (what === 'post') {
      const nobody = { name: null, image: null, userId: null, visitorId: thread, clientPostId: null }
      await insertPosts(database.db, [{ threadId: thread, id: uuidv7(at), content: '一言', ...nobody }], {
        at,
        postLimit: 1_000,
      })
      posts.push(at)
      continue
    }
    const liked = what === 'like'
    const changes = who.map((index) => ({ threadId: thread, postId: null, userId: members[index]!, liked }))
    await writeThreadLikes(database.db, changes, at)
    for (const index of who) {
      if (!liked) likes.delete(index)
      else if (!likes.has(index)) likes.set(index, { at, weight: at - since[index]! < 24 * HOUR ? 1 / 250 : 1 })
    }
  }
  return { at, posts, events: [...posts.map((post) => ({ at: post, weight: 1 })), ...likes.values()] }
}

it('heat equals the sum of the current weights of posts and likes', async () => {
  await fc.assert(
    fc.asyncProperty(steps(8), async (given) => {
      const thread = await openThread(START)
      const { at, events } = await play(given, thread, START)
      const score = 2 ** ((await heatOf(thread)) - inHalfLives(at))
      const expected = weigh(events, at)
      expect(Math.abs(score - expected)).toBeLessThan(1e-4 * expected)
    }),
    { numRuns: 60 },
  )
})

it('heat stays a number, and never below that of the newest post, even after years', async () => {
  await fc.assert(
    fc.asyncProperty(steps(50_000), async (given) => {
      const thread = await openThread(START)
      const { at, posts, events } = await play(given, thread, START)
      const heat = await heatOf(thread)
      expect(heat).toBeGreaterThanOrEqual(inHalfLives(posts.at(-1)!) - 1e-6)
      // The error is too small for the three decimals of a score.
      expect(Math.abs(2 ** (heat - inHalfLives(at)) - weigh(events, at))).toBeLessThan(
        1e-6 * Math.max(1, weigh(events, at)),
      )
    }),
    { numRuns: 60 },
  )
})

import type { Post } from '@shinobi/contract/posts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { makePost, makePosts } from './post-fixtures.ts'
import { CATCH_UP_MAX, add, hear, lastNumber, learn, needOf, openLog, reload, type PostLog } from './post-log.ts'

const numbers = (log: PostLog) => log.posts.map((post) => post.number)
const at = (postCount: number, changes = 0) => ({ postCount, revision: postCount + changes })
const upTo3 = openLog(0, makePosts(1, 3), at(3))

describe('a window that reaches the end', () => {
  test('appends the next post', () => {
    const log = hear(upTo3, makePost(4), at(4))
    expect(numbers(log)).toEqual([1, 2, 3, 4])
    expect(needOf(log)).toEqual({ kind: 'nothing' })
  })
  test('appends a post once, however often it is announced', () => {
    const log = hear(hear(hear(upTo3, makePost(4), at(4)), makePost(4), at(4)), makePost(2), at(4))
    expect(numbers(log)).toEqual([1, 2, 3, 4])
  })
  test('never shows an id twice, even under another number', () => {
    expect(numbers(hear(upTo3, { ...makePost(3), number: 4 }, at(4)))).toEqual([1, 2, 3])
  })
  test('keeps a post that arrived early until the missing one is there', () => {
    const gap = hear(upTo3, makePost(5), at(5))
    expect(numbers(gap)).toEqual([1, 2, 3])
    expect(needOf(gap)).toEqual({ kind: 'catch-up', after: 3 })
    expect(numbers(hear(gap, makePost(4), at(4)))).toEqual([1, 2, 3, 4, 5])
    expect(numbers(add(gap, makePosts(4, 4)))).toEqual([1, 2, 3, 4, 5])
  })
  test('requests the missing posts when it learns that there are more', () => {
    const log = learn(upTo3, at(6))
    expect(needOf(log)).toEqual({ kind: 'catch-up', after: 3 })
    const half = add(log, makePosts(4, 5))
    expect(needOf(half)).toEqual({ kind: 'catch-up', after: 5 })
    expect(needOf(add(half, makePosts(6, 6)))).toEqual({ kind: 'nothing' })
  })
  test('stops following when it is too far behind, and only counts', () => {
    const log = learn(upTo3, at(4 + CATCH_UP_MAX))
    expect(log.follows).toBe(false)
    expect(log.newest).toBe(4 + CATCH_UP_MAX)
    expect(needOf(log)).toEqual({ kind: 'nothing' })
  })
})

describe('a window in the middle', () => {
  const middle = openLog(50, makePosts(51, 100), at(120))
  test('counts new posts without adding them', () => {
    const log = hear(middle, makePost(121), at(121))
    expect(lastNumber(log)).toBe(100)
    expect(log.newest).toBe(121)
    expect(needOf(log)).toEqual({ kind: 'nothing' })
  })
  test('grows at both ends by adjacent posts, and follows once it reaches the end', () => {
    const older = add(middle, makePosts(1, 50))
    expect(older.start).toBe(0)
    const all = add(older, makePosts(101, 120))
    expect(numbers(all)).toEqual(makePosts(1, 120).map((post) => post.number))
    expect(all.follows).toBe(true)
  })
  test('ignores posts that would leave a gap', () => {
    expect(add(middle, makePosts(1, 49))).toBe(middle)
    expect(add(middle, makePosts(102, 120))).toBe(middle)
    expect(add(middle, [])).toBe(middle)
  })
})

describe('a change within the window', () => {
  test('requests a reload, after which a removed post is gone', () => {
    const log = learn(upTo3, at(3, 1))
    expect(needOf(log)).toEqual({ kind: 'reload', after: 0, through: 3 })
    const read = reload(log, [makePost(1), makePost(2, { deleted: true, content: '' }), makePost(3)], 1)
    expect(read.posts[1]?.deleted).toBe(true)
    expect(needOf(read)).toEqual({ kind: 'nothing' })
  })
  test('requests another reload when it happens during one', () => {
    const log = learn(learn(upTo3, at(3, 1)), at(3, 2))
    expect(needOf(reload(log, makePosts(1, 3), 1)).kind).toBe('reload')
  })
  test('is detected from a post as well; a post announced before the change is fetched, not trusted', () => {
    const log = learn(upTo3, at(3, 1))
    const read = reload(log, makePosts(1, 3), 1)
    expect(needOf(hear(read, makePost(4), at(4, 0)))).toEqual({ kind: 'catch-up', after: 3 })
    expect(needOf(hear(upTo3, makePost(4), at(4, 1))).kind).toBe('reload')
  })
})

describe('any order of events', () => {
  /**
   * The server as one client sees it: posts are committed, announcements may be late, doubled or
   * lost, and reads take time.
   */
  const step = fc.oneof(
    { weight: 6, arbitrary: fc.constant({ kind: 'post' as const }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('remove' as const), pick: fc.nat() }) },
    { weight: 6, arbitrary: fc.record({ kind: fc.constant('deliver' as const), pick: fc.nat(), twice: fc.boolean() }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('lose' as const), pick: fc.nat() }) },
    { weight: 2, arbitrary: fc.constant({ kind: 'disconnect' as const }) },
    { weight: 2, arbitrary: fc.constant({ kind: 'join' as const }) },
    { weight: 4, arbitrary: fc.constant({ kind: 'request' as const }) },
    { weight: 4, arbitrary: fc.record({ kind: fc.constant('answer' as const), pick: fc.nat() }) },
    { weight: 1, arbitrary: fc.constant({ kind: 'older' as const }) },
  )

  test('ends with the list of the server, each post once and in order', () => {
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 120 }),
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 0, max: 5 }),
        (steps, count, skipped) => {
          // prettier-ignore
          const server: Post[] = makePosts(1, count)
          let changes = 0
          const state = () => ({ postCount: server.length, revision: server.length + changes })
          const start = Math.min(skipped, count)
          let log = openLog(start, server.slice(start), state())
          let wire: ((log: PostLog) => PostLog)[] = []
          let answers: ((log: PostLog) => PostLog)[] = []

          const request = () => {
            const need = needOf(log)
            if (need.kind === 'nothing') return
            // Two at a time, so that catching up takes several rounds.
            if (need.kind === 'catch-up') {
              const [page, asOf] = [server.slice(need.after, need.after + 2), log.changes]
              answers.push((now) => add(now, page, asOf))
            } else {
              const [page, asOf] = [server.slice(need.after, need.through), log.changes]
              answers.push((now) => reload(now, page, asOf))
            }
          }
          const take = <T>(list: T[], pick: number): T | undefined => list.splice(pick % Math.max(1, list.length), 1)[0]

          for (const move of steps) {
            if (move.kind === 'post') {
              const post = makePost(server.length + 1)
              server.push(post)
              const told = state()
              wire.push((now) => hear(now, post, told))
            } else if (move.kind === 'remove') {
              const index = move.pick % server.length
              server[index] = makePost(index + 1, { deleted: true, content: '' })
              changes += 1
              const told = state()
              wire.push((now) => learn(now, told))
            } else if (move.kind === 'deliver') {
              const event = take(wire, move.pick)
              if (event !== undefined) log = event(log)
              if (event !== undefined && move.twice) log = event(log)
            } else if (move.kind === 'lose') take(wire, move.pick)
            else if (move.kind === 'disconnect') wire = []
            else if (move.kind === 'join') log = learn(log, state())
            else if (move.kind === 'request') request()
            else if (move.kind === 'older') log = add(log, server.slice(0, log.start))
            else {
              // Answers may overtake each other, and arrive after any number of live events.
              const answer = take(answers, move.pick)
              if (answer !== undefined) log = answer(log)
            }
            expect(numbers(log)).toEqual(log.posts.map((_, index) => log.start + index + 1))
          }

          // At the end all pending messages arrive, the socket joins, and the log fetches until it
          // needs nothing.
          for (const rest of [...wire, ...answers]) log = rest(log)
          answers = []
          log = learn(log, state())
          for (let round = 0; needOf(log).kind !== 'nothing'; round += 1) {
            expect(round).toBeLessThan(200)
            request()
            for (const answer of answers.splice(0)) log = answer(log)
          }
          expect(log.posts).toEqual(server.slice(log.start))
          expect(log.newest).toBe(server.length)
        },
      ),
      { numRuns: 2_000 },
    )
  })
})

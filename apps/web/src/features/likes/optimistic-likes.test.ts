import fc from 'fast-check'
import { expect, test } from 'vitest'
import { OptimisticLikes, type Like } from './optimistic-likes.ts'

const post = { _id: 'p', likes: 3, threadId: 't' }

/** A server whose answers are given by the test, one request at a time. */
function setUp() {
  const requests: { liked: boolean; answer: (likes: number) => void; fail: (error: Error) => void }[] = []
  const shown: Like[] = []
  const settled: [boolean, number | null][] = []
  const problems: boolean[] = []
  const likes = new OptimisticLikes({
    send: (_of, liked) =>
      new Promise((answer, fail) => {
        requests.push({ liked, answer, fail })
      }),
    show: (_of, like) => shown.push(like),
    settle: (_of, liked, likes) => settled.push([liked, likes]),
    onProblem: (_error, _of, liked) => problems.push(liked),
  })
  const press = (now: Like = { liked: false, likes: 3 }) => likes.press(post, now)
  const quietly = () => new Promise((resolve) => setTimeout(resolve))
  return { likes, requests, shown, settled, problems, press, quietly }
}

test('a like shows at once, and is then replaced by the server’s count', async () => {
  const { requests, shown, settled, press, quietly } = setUp()
  expect(press()).toBe(true)
  expect(shown).toEqual([{ liked: true, likes: 4 }])
  requests[0]?.answer(9)
  await quietly()
  expect(settled).toEqual([[true, 9]])
})

test('a like is removed once, and the count never falls below zero', () => {
  const { shown, press } = setUp()
  expect(press({ liked: true, likes: 0 })).toBe(false)
  expect(shown).toEqual([{ liked: false, likes: 0 }])
})

test('a failure restores the earlier state, and is reported', async () => {
  const { requests, settled, problems, press, quietly } = setUp()
  press()
  requests[0]?.fail(new Error('offline'))
  await quietly()
  expect(settled).toEqual([[false, null]])
  expect(problems).toEqual([true])
})

test('of several presses the last one counts, and requests wait for each other', async () => {
  const { requests, shown, settled, press, quietly } = setUp()
  press()
  press()
  press()
  press()
  expect(shown.map(({ likes }) => likes)).toEqual([4, 3, 4, 3])
  expect(requests.map(({ liked }) => liked)).toEqual([true])
  requests[0]?.answer(4)
  await quietly()
  expect(requests.map(({ liked }) => liked)).toEqual([true, false])
  requests[1]?.answer(3)
  await quietly()
  expect(settled).toEqual([[false, 3]])
})

test('presses that return to the pending state send no further request', async () => {
  const { requests, settled, press, quietly } = setUp()
  press()
  press()
  press()
  requests[0]?.answer(4)
  await quietly()
  expect(requests).toHaveLength(1)
  expect(settled).toEqual([[true, 4]])
})

test('after a lost answer the newer press is sent, because the state of the server is unknown', async () => {
  const { requests, settled, problems, press, quietly } = setUp()
  press()
  press()
  requests[0]?.fail(new Error('the answer got lost'))
  await quietly()
  expect(requests.map(({ liked }) => liked)).toEqual([true, false])
  requests[1]?.answer(3)
  await quietly()
  expect(settled).toEqual([[false, 3]])
  expect(problems).toEqual([])
})

test('when a like succeeded and its removal failed, the like stays', async () => {
  const { requests, settled, problems, press, quietly } = setUp()
  press()
  press()
  requests[0]?.answer(4)
  await quietly()
  requests[1]?.fail(new Error('offline'))
  await quietly()
  expect(settled).toEqual([[true, 4]])
  expect(problems).toEqual([false])
})

test('flush sends a changed state at once, and does not repeat the pending request', () => {
  const { likes, requests, press } = setUp()
  press()
  likes.flush()
  expect(requests.map(({ liked }) => liked)).toEqual([true])
  press()
  likes.flush()
  expect(requests.map(({ liked }) => liked)).toEqual([true, false])
})

test('for any order of presses, answers, lost answers and refusals, the screen ends with the server’s state, one request at a time', async () => {
  const step = fc.constantFrom('press' as const, 'answer' as const, 'lose' as const, 'refuse' as const)
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), fc.boolean(), async (steps, liked) => {
      let server = liked
      let screen = liked
      let known = true
      const waiting: { liked: boolean; end: (how: 'answer' | 'lose' | 'refuse') => void }[] = []
      const likes = new OptimisticLikes({
        send: (_of, wanted) =>
          new Promise((resolve, reject) => {
            waiting.push({
              liked: wanted,
              end(how) {
                if (how !== 'refuse') server = wanted
                if (how === 'answer') resolve(server ? 1 : 0)
                else reject(new Error(how))
              },
            })
          }),
        show: (_of, like) => {
          screen = like.liked
        },
        settle: (_of, sure) => {
          screen = sure
        },
        // From here on the liked ids are fetched again.
        onProblem: () => {
          known = false
        },
      })
      for (const kind of [...steps, ...Array.from({ length: 6 }, () => 'answer' as const)]) {
        expect(waiting.length).toBeLessThanOrEqual(1)
        if (kind === 'press') likes.press(post, { liked: screen, likes: 0 })
        else waiting.shift()?.end(kind)
        await new Promise((resolve) => setTimeout(resolve))
        if (!known) screen = server
        known = true
      }
      expect(likes.isPending(post._id)).toBe(false)
      expect(screen).toBe(server)
    }),
  )
})

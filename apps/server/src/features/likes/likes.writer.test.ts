import { pino } from 'pino'
import { expect, test } from 'vitest'
import { ApiError } from '../../lib/api-error.ts'
import type { LikeCount, Wish } from './like-counts.queries.ts'
import { createLikeWriter } from './likes.writer.ts'

const log = pino({ level: 'silent' })
const wish = (userId: string, liked = true): Wish => ({ threadId: 'thread', postId: 'post', userId, liked })
const count = (likes: number): LikeCount => ({
  ...{ threadId: 'thread', postId: 'post', likes, added: 1, removed: 0, categoryId: null },
})

/** A writer whose statements end when the test calls `end`. */
function open() {
  const statements: { readonly wishes: readonly Wish[]; readonly end: (counts: LikeCount[] | Error) => void }[] = []
  const told: number[] = []
  const writer = createLikeWriter({
    write: (wishes) =>
      new Promise((resolve, reject) => {
        const end = (counts: LikeCount[] | Error) => (Array.isArray(counts) ? resolve(counts) : reject(counts))
        statements.push({ wishes, end })
      }),
    log,
    onCommit: (changed) => void told.push(...changed.map(({ likes }) => likes)),
  })
  return { writer, statements, told }
}
const tick = () => new Promise((resolve) => setImmediate(resolve))

test('likes that arrive during a statement wait, and the next statement writes all of them', async () => {
  const { writer, statements, told } = open()
  const first = writer.fulfil(wish('1'))
  await tick()
  const rest = Array.from({ length: 300 }, (_, index) => writer.fulfil(wish(`${index + 2}`)))
  await tick()
  expect(statements.map(({ wishes }) => wishes.length)).toEqual([1])
  statements[0]!.end([count(1)])
  await tick()
  expect(statements.map(({ wishes }) => wishes.length)).toEqual([1, 300])
  statements[1]!.end([count(301)])
  expect([await first, ...new Set(await Promise.all(rest))]).toEqual([1, 301])
  expect(told).toEqual([1, 301])
})

test('wishes of one member for one post are written one per statement, and equal consecutive ones are merged', async () => {
  const { writer, statements } = open()
  const answers = [true, true, false, false, true].map((liked) => writer.fulfil(wish('1', liked)))
  for (const [index, likes] of [1, 0, 1].entries()) {
    await tick()
    expect(statements[index]!.wishes.map(({ liked }) => liked)).toEqual([likes === 1])
    statements[index]!.end([count(likes)])
  }
  expect(await Promise.all(answers)).toEqual([1, 1, 0, 0, 1])
})

test('when a statement fails all its wishes fail, and waiting ones do not', async () => {
  const { writer, statements } = open()
  const failing = Promise.allSettled([writer.fulfil(wish('1')), writer.fulfil(wish('2'))])
  await tick()
  const next = writer.fulfil(wish('3'))
  statements[0]!.end(new Error('the line broke'))
  expect((await failing).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  await tick()
  statements[1]!.end([count(1)])
  expect(await next).toBe(1)
})

test('when the queue is full a wish is refused at once', async () => {
  const { writer, statements } = open()
  void writer.fulfil(wish('first'))
  await tick()
  const waiting = Array.from({ length: 10_000 }, (_, index) => writer.fulfil(wish(`${index}`)))
  const refusal = await writer.fulfil(wish('late')).catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(ApiError)
  expect((refusal as ApiError).code).toBe('unavailable')
  // A wish equal to a waiting one is merged with it, even now.
  waiting.push(writer.fulfil(wish('9999')))
  for (let index = 0; index <= 20; index += 1) {
    statements[index]!.end([count(7)])
    await tick()
  }
  expect(new Set(await Promise.all(waiting))).toEqual(new Set([7]))
})

import { pino } from 'pino'
import { expect, test } from 'vitest'
import { ApiError } from '../../lib/api-error.ts'
import type { LikeCount, LikeChange } from './likes.queries.ts'
import { createLikeWriter } from './likes.writer.ts'

const log = pino({ level: 'silent' })
const change = (userId: string, liked = true): LikeChange => ({ threadId: 'thread', postId: 'post', userId, liked })
const count = (likes: number): LikeCount => ({
  ...{ threadId: 'thread', postId: 'post', likes, added: 1, removed: 0, categoryId: null },
})

/** A writer whose statements end when the test calls `end`. */
function open() {
  const statements: { readonly changes: readonly LikeChange[]; readonly end: (counts: LikeCount[] | Error) => void }[] =
    []
  const told: number[] = []
  const writer = createLikeWriter({
    write: (changes) =>
      new Promise((resolve, reject) => {
        const end = (counts: LikeCount[] | Error) => (Array.isArray(counts) ? resolve(counts) : reject(counts))
        statements.push({ changes, end })
      }),
    log,
    onCommit: (changed) => void told.push(...changed.map(({ likes }) => likes)),
  })
  return { writer, statements, told }
}
const tick = () => new Promise((resolve) => setImmediate(resolve))

test('likes that arrive during a statement wait, and the next statement writes all of them', async () => {
  const { writer, statements, told } = open()
  const first = writer.apply(change('1'))
  await tick()
  const rest = Array.from({ length: 300 }, (_, index) => writer.apply(change(`${index + 2}`)))
  await tick()
  expect(statements.map(({ changes }) => changes.length)).toEqual([1])
  statements[0]!.end([count(1)])
  await tick()
  expect(statements.map(({ changes }) => changes.length)).toEqual([1, 300])
  statements[1]!.end([count(301)])
  expect([await first, ...new Set(await Promise.all(rest))]).toEqual([1, 301])
  expect(told).toEqual([1, 301])
})

test('changes of one member for one post are written one per statement, and equal consecutive ones are merged', async () => {
  const { writer, statements } = open()
  const answers = [true, true, false, false, true].map((liked) => writer.apply(change('1', liked)))
  for (const [index, likes] of [1, 0, 1].entries()) {
    await tick()
    expect(statements[index]!.changes.map(({ liked }) => liked)).toEqual([likes === 1])
    statements[index]!.end([count(likes)])
  }
  expect(await Promise.all(answers)).toEqual([1, 1, 0, 0, 1])
})

test('when a statement fails all its changes fail, and waiting ones do not', async () => {
  const { writer, statements } = open()
  const failing = Promise.allSettled([writer.apply(change('1')), writer.apply(change('2'))])
  await tick()
  const next = writer.apply(change('3'))
  statements[0]!.end(new Error('the line broke'))
  expect((await failing).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  await tick()
  statements[1]!.end([count(1)])
  expect(await next).toBe(1)
})

test('when the queue is full a change is refused at once', async () => {
  const { writer, statements } = open()
  void writer.apply(change('first'))
  await tick()
  const waiting = Array.from({ length: 10_000 }, (_, index) => writer.apply(change(`${index}`)))
  const refusal = await writer.apply(change('late')).catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(ApiError)
  expect((refusal as ApiError).code).toBe('unavailable')
  // A change equal to a waiting one is merged with it, even now.
  waiting.push(writer.apply(change('9999')))
  for (let index = 0; index <= 20; index += 1) {
    statements[index]!.end([count(7)])
    await tick()
  }
  expect(new Set(await Promise.all(waiting))).toEqual(new Set([7]))
})

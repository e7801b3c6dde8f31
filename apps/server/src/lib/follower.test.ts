import { pino } from 'pino'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createFollower } from './follower.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const log = pino({ level: 'silent' })
const away = () => Object.assign(new Error('the connection is gone'), { code: 'ECONNREFUSED' })

test('what comes in close together is done in one go, a moment later', async () => {
  const done: number[][] = []
  const follower = createFollower<number>({
    name: 'test',
    everyMs: 50,
    batch: 10,
    log,
    work: async (items) => void done.push([...items]),
  })
  follower.add([1, 2])
  follower.add([3])
  expect(done).toEqual([])
  await vi.advanceTimersByTimeAsync(50)
  expect(done).toEqual([[1, 2, 3]])
})

test('while the database is away everything waits in its order, and is done when it is back', async () => {
  const done: number[] = []
  let isAway = true
  const follower = createFollower<number>({
    name: 'test',
    everyMs: 50,
    batch: 2,
    log,
    work: async (items) => {
      if (isAway) throw away()
      done.push(...items)
    },
  })
  follower.add([1, 2, 3])
  await vi.advanceTimersByTimeAsync(3_000)
  follower.add([4])
  isAway = false
  await vi.advanceTimersByTimeAsync(1_000)
  expect(done).toEqual([1, 2, 3, 4])
})

test('what can never be done is left out, and holds up nothing behind it', async () => {
  const done: number[] = []
  const follower = createFollower<number>({
    name: 'test',
    everyMs: 50,
    batch: 1,
    log,
    work: async ([item]) => {
      if (item === 2) throw new Error('a bug')
      done.push(item!)
    },
  })
  follower.add([1, 2, 3])
  await follower.settle()
  expect(done).toEqual([1, 3])
})

test('a stop finishes what waits', async () => {
  const done: number[] = []
  const follower = createFollower<number>({
    name: 'test',
    everyMs: 60_000,
    batch: 10,
    log,
    work: async (items) => void done.push(...items),
  })
  follower.add([1])
  await follower.close()
  expect(done).toEqual([1])
})

import { pino } from 'pino'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createBatchQueue } from './batch-queue.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const log = pino({ level: 'silent' })
const away = () => Object.assign(new Error('the connection is gone'), { code: 'ECONNREFUSED' })

test('items added close together are processed in one batch, a moment later', async () => {
  const done: number[][] = []
  const queue = createBatchQueue<number>({
    name: 'test',
    everyMs: 50,
    batch: 10,
    log,
    work: async (items) => void done.push([...items]),
  })
  queue.add([1, 2])
  queue.add([3])
  expect(done).toEqual([])
  await vi.advanceTimersByTimeAsync(50)
  expect(done).toEqual([[1, 2, 3]])
})

test('what comes while a batch runs waits as long as the first items, so that a flood has few batches', async () => {
  const done: number[][] = []
  const queue = createBatchQueue<number>({
    name: 'test',
    everyMs: 50,
    batch: 10,
    log,
    async work(items) {
      done.push([...items])
      if (items[0]! < 20) queue.add([items[0]! + 10])
    },
  })
  queue.add([1])
  await vi.advanceTimersByTimeAsync(50)
  expect(done).toEqual([[1]])
  queue.add([12])
  await vi.advanceTimersByTimeAsync(49)
  expect(done).toEqual([[1]])
  await vi.advanceTimersByTimeAsync(1)
  expect(done).toEqual([[1], [11, 12]])
  await queue.close()
  expect(done).toEqual([[1], [11, 12], [21]])
})

test('after a batch that took long the next one waits, so that batches take no more than their share', async () => {
  const took = [10, 30, 1_000, 0]
  const begun: number[] = []
  const queue = createBatchQueue<number>({
    ...{ name: 'test', everyMs: 50, share: 0.25, batch: 10, log },
    async work() {
      begun.push(performance.now() - start)
      await new Promise((resolve) => void setTimeout(resolve, took[begun.length - 1]))
      if (begun.length < took.length) queue.add([1])
    },
  })
  const start = performance.now()
  queue.add([1])
  await vi.runAllTimersAsync()
  // 50 ms in any case; then 50, three times 30, and five times 50.
  expect(begun).toEqual([50, 110, 230, 1_480])
})

test('while the database is away items wait in order, and are processed when it is back', async () => {
  const done: number[] = []
  let isAway = true
  const queue = createBatchQueue<number>({
    name: 'test',
    everyMs: 50,
    batch: 2,
    log,
    work: async (items) => {
      if (isAway) throw away()
      done.push(...items)
    },
  })
  queue.add([1, 2, 3])
  await vi.advanceTimersByTimeAsync(3_000)
  queue.add([4])
  isAway = false
  await vi.advanceTimersByTimeAsync(1_000)
  expect(done).toEqual([1, 2, 3, 4])
})

test('a batch that can never succeed is dropped, and blocks nothing after it', async () => {
  const done: number[] = []
  const queue = createBatchQueue<number>({
    name: 'test',
    everyMs: 50,
    batch: 1,
    log,
    work: async ([item]) => {
      if (item === 2) throw new Error('a bug')
      done.push(item!)
    },
  })
  queue.add([1, 2, 3])
  await queue.settle()
  expect(done).toEqual([1, 3])
})

test('whoever waits for an item does not wait for those added later', async () => {
  const done: number[] = []
  const queue = createBatchQueue<number>({
    name: 'test',
    everyMs: 60_000,
    batch: 10,
    log,
    work: async (items) => {
      done.push(...items)
      // Without end, as under a flood of posts.
      if (done.length < 1_000) queue.add([done.length + 1])
    },
  })
  queue.add([1])
  await queue.settle()
  expect(done.length).toBeLessThan(1_000)
  await queue.close()
})

test('whoever waits while the database is away is told after one try', async () => {
  const queue = createBatchQueue<number>({
    name: 'test',
    everyMs: 50,
    batch: 10,
    log,
    work: () => Promise.reject(away()),
  })
  queue.add([1])
  await queue.settle()
  expect(queue.waiting()).toBe(1)
  await queue.close()
})

test('a stop finishes waiting items', async () => {
  const done: number[] = []
  const queue = createBatchQueue<number>({
    name: 'test',
    everyMs: 60_000,
    batch: 10,
    log,
    work: async (items) => void done.push(...items),
  })
  queue.add([1])
  await queue.close()
  expect(done).toEqual([1])
})

test('beyond its size the oldest items are left out, also while the database is away', async () => {
  const done: string[] = []
  let isAway = true
  const queue = createBatchQueue<string>({
    name: 'test',
    everyMs: 50,
    batch: 1,
    log,
    sizeOf: (item) => item.length,
    work: async (items) => {
      if (isAway) throw away()
      done.push(...items.map((item) => item.slice(0, 1)))
    },
  })
  queue.add(['a'.repeat(40_000), 'b'.repeat(40_000)])
  await vi.advanceTimersByTimeAsync(50)
  queue.add(['c'.repeat(40_000), 'd'])
  expect(queue.waiting()).toBe(3)
  isAway = false
  await vi.advanceTimersByTimeAsync(1_000)
  queue.add(['e'.repeat(100_000)])
  await queue.settle()
  expect(done).toEqual(['b', 'c', 'd', 'e'])
})

import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { newRecord, type RecordChange, type ThreadRecord } from './record.ts'
import { Visit } from './visit.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const thread = { _id: 'a', title: '忍具', categoryId: 'c' }

function openVisit(before: ThreadRecord = newRecord('a')) {
  const written: ThreadRecord[] = [before]
  const visit = new Visit(thread, async (_threadId, change: RecordChange) => {
    written.push(change(written.at(-1))!)
  })
  return { visit, written, last: () => written.at(-1)! }
}

test('a visit records title, category and time', () => {
  const { visit, last } = openVisit()
  visit.start()
  expect(last()).toMatchObject({ title: '忍具', categoryId: 'c', visitedAt: Date.now(), readThrough: 0 })
})

test('while reading, the position is written at once and then at most once a second', () => {
  const { visit, written, last } = openVisit()
  for (let readThrough = 1; readThrough <= 30; readThrough += 1) visit.note({ readThrough })
  expect(written).toHaveLength(2)
  expect(last().readThrough).toBe(1)
  vi.advanceTimersByTime(1_000)
  expect(written).toHaveLength(3)
  expect(last().readThrough).toBe(30)
  vi.advanceTimersByTime(10_000)
  expect(written).toHaveLength(3)
})

test('scrolling up does not lower the position, in this visit or in the next one', () => {
  const { visit, written } = openVisit({ ...newRecord('a'), readThrough: 480 })
  visit.note({ readThrough: 12 })
  visit.note({ readThrough: 3 })
  vi.advanceTimersByTime(2_000)
  expect(written.map((record) => record.readThrough)).toEqual([480, 480])
})

test('the end of a visit writes what is left', () => {
  const { visit, last } = openVisit()
  visit.note({ readThrough: 1, postCount: 20 })
  visit.note({ readThrough: 9 })
  visit.end()
  expect(last()).toMatchObject({ readThrough: 9, postCount: 20 })
  vi.advanceTimersByTime(5_000)
  expect(last().readThrough).toBe(9)
})

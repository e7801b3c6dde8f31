import { POSITIONS_MAX } from '@shinobi/contract/limits'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { newRecord } from '../reading/record.ts'
import { readRecords, updateRecord } from '../reading/store.ts'
import { look } from './look.ts'
import { changeWatching, readWatching } from './store.ts'

/** The ids of each call for positions. */
const calls: string[][] = []

beforeEach(() => {
  const kept = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  })
  calls.length = 0
  vi.stubGlobal('fetch', async (path: string) => {
    const ids = path.split('?ids=')[1]!.split(',')
    calls.push(ids)
    return Response.json(ids.map((_id) => ({ _id, state: 'removed' })))
  })
})
afterEach(async () => {
  for (const { threadId } of await readRecords()) await updateRecord(threadId, () => null)
  vi.unstubAllGlobals()
})

const write = async (count: number) => {
  for (let index = 0; index < count; index += 1)
    await updateRecord(`own-${index}`, () => ({ ...newRecord(`own-${index}`), ownPosts: [1], updatedAt: 9 + index }))
}
const watch = async (threadId: string) => {
  await updateRecord(threadId, () => ({ ...newRecord(threadId), updatedAt: 1 }))
  changeWatching((before) => ({ ...before, threads: [...before.threads, threadId] }))
}

test('a quiet watched thread is asked for by a visitor who writes in many others', async () => {
  await watch('quiet')
  await write(POSITIONS_MAX + 5)
  await look(1_000)
  expect(calls.flat()).toContain('quiet')
  expect(calls.flat()).toContain(`own-${POSITIONS_MAX + 4}`)
  expect(calls.flat()).toHaveLength(POSITIONS_MAX + 1)
  expect(Math.max(...calls.map((ids) => ids.length))).toBe(POSITIONS_MAX)
  expect(readWatching().lookedAt).toBe(1_000)
})

test('a few watched and own threads are asked for by one call', async () => {
  await watch('quiet')
  await write(2)
  await look(1_000)
  expect(calls).toEqual([['own-0', 'own-1', 'quiet']])
})

test('an open list reads the answers of all threads with alerts in turn, and of those with news first', async () => {
  await write(12)
  const counts = new Map(Array.from({ length: 12 }, (_, index) => [`own-${index}`, 2]))
  const gone = new Map<string, number>()
  const answers: string[] = []
  vi.stubGlobal('fetch', async (path: string) => {
    const [, threadId = ''] = /\/threads\/([^/]+)\/answers$/.exec(path) ?? []
    if (threadId !== '') {
      answers.push(threadId)
      const through = counts.get(threadId)!
      const numbers = Array.from({ length: through - 1 }, (_, index) => index + 2)
      return Response.json({ answers: { 1: numbers.filter((number) => number !== gone.get(threadId)) }, through })
    }
    const lastPostAt = new Date(0).toISOString()
    return Response.json(
      path
        .split('?ids=')[1]!
        .split(',')
        .map((_id) => ({
          ...{ _id, state: 'open', title: _id, category: 'general' },
          postCount: counts.get(_id),
          lastPostAt,
        })),
    )
  })
  await look(100_000, false)
  await look(200_000, false)
  expect(new Set(answers).size).toBe(12)
  expect(readWatching().alerts).toHaveLength(12)

  gone.set('own-0', 2)
  answers.length = 0
  await look(300_000)
  await look(330_000)
  expect(new Set(answers).size).toBe(12)
  expect(readWatching().alerts.map(({ threadId }) => threadId)).not.toContain('own-0')

  counts.set('own-1', 3)
  answers.length = 0
  await look(360_000)
  expect(answers[0]).toBe('own-1')
  expect(answers).toHaveLength(10)
  expect(readWatching().alerts).toHaveLength(12)
})

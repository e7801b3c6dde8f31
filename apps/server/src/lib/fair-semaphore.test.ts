import { expect, test } from 'vitest'
import { ApiError } from './api-error.ts'
import { createFairSemaphore } from './fair-semaphore.ts'

test('as many works as places run at a time, others wait, and a full queue refuses more', async () => {
  const semaphore = createFairSemaphore({ places: 1, waitingMax: 1 })
  const first = Promise.withResolvers<string>()
  const started: string[] = []
  const take = (name: string, work: () => Promise<string>) =>
    semaphore(() => {
      started.push(name)
      return work()
    })
  const running = take('first', () => first.promise)
  const waiting = take('second', async () => 'second')
  await expect(take('third', async () => 'third')).rejects.toThrow(ApiError)
  expect(started).toEqual(['first'])
  first.resolve('first')
  expect(await Promise.all([running, waiting])).toEqual(['first', 'second'])
  expect(await take('fourth', async () => 'fourth')).toBe('fourth')
})

test("works of one sender wait behind each other but not before those of others, and only that sender's part of the queue is full", async () => {
  const semaphore = createFairSemaphore({ places: 1, waitingMaxOfOne: 3 })
  const first = Promise.withResolvers<void>()
  const ended: string[] = []
  const take = (asker: string, name: string) => semaphore(async () => void ended.push(name), asker)
  const works = [
    semaphore(() => first.promise, 'flood'),
    ...['1', '2', '3'].map((name) => take('flood', `flood ${name}`)),
  ]
  await expect(take('flood', 'flood 4')).rejects.toMatchObject({ code: 'too_many_requests' })
  works.push(take('reader', 'reader'), take('other', 'other'))
  first.resolve()
  await Promise.all(works)
  expect(ended).toEqual(['flood 1', 'reader', 'other', 'flood 2', 'flood 3'])
})

test('one sender gets only a part of the places, and the rest are for others', async () => {
  const semaphore = createFairSemaphore({ places: 3, placesOfOne: 2 })
  const gate = Promise.withResolvers<void>()
  const begun: string[] = []
  const take = (asker: string, name: string, until: Promise<void> = gate.promise) =>
    semaphore(async () => {
      begun.push(name)
      await until
    }, asker)
  const slow = ['1', '2', '3', '4'].map((name) => take('slow', `slow ${name}`))
  const other = take('other', 'other', Promise.resolve())
  await other
  expect(begun).toEqual(['slow 1', 'slow 2', 'other'])
  gate.resolve()
  await Promise.all(slow)
  expect(begun).toEqual(['slow 1', 'slow 2', 'other', 'slow 3', 'slow 4'])
})

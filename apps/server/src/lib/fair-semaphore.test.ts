import { expect, test } from 'vitest'
import { ApiError } from './api-error.ts'
import { createFairSemaphore, RETRY_AFTER_S } from './fair-semaphore.ts'

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

test('a full queue of few senders takes calls of others until all have as many, and calls that give way are never made', async () => {
  const semaphore = createFairSemaphore({ places: 1, waitingMax: 6, waitingMaxOfOne: 3 })
  const gate = Promise.withResolvers<void>()
  const made: string[] = []
  const outcomes: string[] = []
  const take = (asker: string, number: number) => {
    const name = `${asker} ${number}`
    return semaphore(async () => void made.push(name), asker).catch((error: unknown) => {
      outcomes.push(`${name}: ${(error as ApiError).code}`)
    })
  }
  const running = semaphore(() => gate.promise, 'running')
  const calls = ['flood', 'storm'].flatMap((asker) => [1, 2, 3].map((number) => take(asker, number)))
  for (const number of [1, 2, 3]) calls.push(take('reader', number))
  for (const asker of ['flood', 'storm']) calls.push(take(asker, 4))
  gate.resolve()
  await Promise.all([running, ...calls])
  expect(outcomes.toSorted()).toEqual([
    'flood 3: unavailable',
    'flood 4: unavailable',
    'reader 3: unavailable',
    'storm 3: unavailable',
    'storm 4: unavailable',
  ])
  expect(made).toEqual(['flood 1', 'storm 1', 'reader 1', 'flood 2', 'storm 2', 'reader 2'])
})

test('a queue from which calls were dropped takes as many as before', async () => {
  const semaphore = createFairSemaphore({ places: 1, waitingMax: 2 })
  for (let round = 0; round < 5; round += 1) {
    const gate = Promise.withResolvers<void>()
    const running = semaphore(() => gate.promise, 'running')
    const [kept, dropped] = [semaphore(async () => 'kept', 'flood'), semaphore(async () => 'dropped', 'flood')]
    const newcomer = semaphore(async () => 'newcomer', 'reader')
    await expect(dropped).rejects.toMatchObject({ code: 'unavailable', retryAfter: RETRY_AFTER_S })
    await expect(semaphore(async () => 'late', 'other')).rejects.toMatchObject({ code: 'unavailable' })
    gate.resolve()
    expect(await Promise.all([running, kept, newcomer])).toEqual([undefined, 'kept', 'newcomer'])
  }
})

test('a sender holds too many places while another one waits that would have fewer with one more', async () => {
  const semaphore = createFairSemaphore({ places: 4, placesOfOne: 3 })
  const gates = Array.from({ length: 6 }, () => Promise.withResolvers<void>())
  const works = ['slow', 'slow', 'slow', 'other'].map((asker, index) => semaphore(() => gates[index]!.promise, asker))
  expect(semaphore.holdsTooMany('slow')).toBe(false)
  works.push(semaphore(() => gates[4]!.promise, 'slow'))
  expect(semaphore.holdsTooMany('slow')).toBe(false)
  works.push(semaphore(() => gates[5]!.promise, 'third'))
  expect(['slow', 'other', 'third'].map(semaphore.holdsTooMany)).toEqual([true, false, false])
  for (const gate of gates) gate.resolve()
  await Promise.all(works)
  expect(semaphore.holdsTooMany('slow')).toBe(false)
})

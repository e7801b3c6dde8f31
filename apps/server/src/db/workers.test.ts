import { describe, expect, it, vi } from 'vitest'
import { pino } from 'pino'
import { isConnectionLost, WorkerAwayError } from '../lib/api-error.ts'
import { reachOf } from './statement-reach.ts'
import { createWorkers, type Cluster } from './workers.ts'

const ON_FIRST = '01900000-0000-7000-8000-000000000001'
const ON_SECOND = '01900000-0000-7000-8000-000000000002'
const READ_THREAD = 'select id from threads where id = $1'
const READ_LIST = 'select id from threads order by id limit $1'

/** A cluster of two workers; `away` are those that do not answer. */
async function followTwo() {
  const state = { away: new Set<number>() }
  const cluster: Cluster = {
    findAway: async () => new Set(state.away),
    workerOf: async (threadId) => (threadId === ON_FIRST ? 1 : 2),
    reachOf,
  }
  const clock = { now: 0 }
  const workers = createWorkers(() => clock.now)
  const checks = workers.follow(cluster, pino({ level: 'silent' }))
  const answer = (text: string, values: readonly unknown[]) => workers.run(text, values, async () => 'rows')
  return { state, clock, workers, checks, answer }
}

it('statements about threads of a worker that is away are refused without being sent, and all others are sent', async () => {
  const { state, workers, checks, answer } = await followTwo()
  state.away.add(1)
  await checks.poll()
  let isSent = false
  const sent = workers.run(READ_THREAD, [ON_FIRST], async () => {
    isSent = true
  })
  await expect(sent).rejects.toThrow(WorkerAwayError)
  expect(isSent).toBe(false)
  await expect(answer(READ_LIST, [50])).rejects.toThrow(WorkerAwayError)
  expect(await answer(READ_THREAD, [ON_SECOND])).toBe('rows')
  expect(await answer('select * from settings', [])).toBe('rows')
  expect(await answer('commit', [])).toBe('rows')
  await checks.close()
})

it('a worker that is back is used again, and both changes are announced once', async () => {
  const { state, workers, checks, answer } = await followTwo()
  const told: number[] = []
  workers.onChange(() => told.push(workers.away))
  state.away.add(2)
  await checks.poll()
  await checks.poll()
  state.away.clear()
  await checks.poll()
  expect(await answer(READ_LIST, [50])).toBe('rows')
  expect(told).toEqual([1, 0])
  await checks.close()
})

it('statements that wait for a worker when it is found away are given up, those of others go on', async () => {
  const { state, clock, workers, checks } = await followTwo()
  const { promise: never } = Promise.withResolvers<string>()
  const { promise: later, resolve } = Promise.withResolvers<string>()
  const stuck = [
    workers.run(READ_THREAD, [ON_FIRST], () => never),
    workers.run(READ_LIST, [50], () => never),
    workers.run('commit', [], () => never),
  ].map((waiting) => waiting.catch((error: unknown) => isConnectionLost(error)))
  clock.now += 2_000
  const healthy = [
    workers.run('commit', [], () => later),
    workers.run(READ_THREAD, [ON_SECOND], () => later),
    workers.run('select * from settings', [], () => later),
  ]
  state.away.add(1)
  await checks.poll()
  expect(await Promise.all(stuck)).toEqual([true, true, true])
  resolve('rows')
  expect(await Promise.all(healthy)).toEqual(['rows', 'rows', 'rows'])
  await checks.close()
})

describe('the workers are checked', () => {
  /** A followed cluster, and how often it was asked since. */
  async function followWatched() {
    vi.useFakeTimers()
    const findAway = vi.fn(async () => new Set<number>())
    const workers = createWorkers()
    const checks = workers.follow({ findAway, workerOf: async () => 1, reachOf }, pino({ level: 'silent' }))
    await checks.poll()
    const asked = async (milliseconds: number): Promise<number> => {
      const before = findAway.mock.calls.length
      await vi.advanceTimersByTimeAsync(milliseconds)
      return findAway.mock.calls.length - before
    }
    const close = async (): Promise<void> => {
      await checks.close()
      vi.useRealTimers()
    }
    return { findAway, workers, asked, close }
  }

  it('every ten seconds while statements are answered', async () => {
    const { workers, asked, close } = await followWatched()
    await workers.run(READ_THREAD, [ON_FIRST], async () => 'rows')
    expect(await asked(30_000)).toBe(3)
    await close()
  })

  it('each second while a statement waits, from the time that is unusual', async () => {
    const { workers, asked, close } = await followWatched()
    await asked(2_000)
    const { promise, resolve } = Promise.withResolvers<string>()
    const waiting = workers.run(READ_THREAD, [ON_FIRST], () => promise)
    expect(await asked(400)).toBe(0)
    expect(await asked(4_000)).toBe(4)
    resolve('rows')
    await waiting
    expect(await asked(5_000)).toBe(0)
    await close()
  })

  it('within a second after a statement has lost its connection, but not after one that is refused', async () => {
    const { workers, asked, close } = await followWatched()
    await asked(2_000)
    const fail = async (error: Error): Promise<void> => {
      const failing = async (): Promise<never> => {
        throw error
      }
      await expect(workers.run(READ_THREAD, [ON_FIRST], failing)).rejects.toBe(error)
    }
    await fail(Object.assign(new Error('duplicate key'), { code: '23505' }))
    expect(await asked(1_000)).toBe(0)
    await fail(Object.assign(new Error('the connection to the worker is gone'), { code: '08006' }))
    expect(await asked(1_000)).toBe(1)
    expect(await asked(5_000)).toBe(0)
    await close()
  })

  it('each second while one is away', async () => {
    const { findAway, asked, close } = await followWatched()
    findAway.mockResolvedValue(new Set([1]))
    expect(await asked(10_000)).toBe(1)
    expect(await asked(5_000)).toBe(5)
    await close()
  })
})

it('a coordinator that cannot be asked changes nothing', async () => {
  const workers = createWorkers()
  const cluster: Cluster = {
    findAway: () => Promise.reject(new Error('Connection terminated')),
    workerOf: async () => 1,
    reachOf,
  }
  const checks = workers.follow(cluster, pino({ level: 'silent' }))
  await checks.poll()
  expect(workers.away).toBe(0)
  await checks.close()
})

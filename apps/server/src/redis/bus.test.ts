import { Redis } from 'ioredis'
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { startRedis, type RedisServer } from '../testing/outside/redis-server.ts'
import { refuse } from '../lib/api-error.ts'
import { createKeyLimits } from '../lib/key-limit.ts'
import { openBus } from './bus.ts'

const soon = { timeout: 60_000, interval: 20 }

let redis: RedisServer
beforeEach(async () => {
  redis = await startRedis()
})
afterEach(() => redis.close())

const open = () => openBus({ url: redis.url, secret: 'of all servers', log: { info() {}, warn() {}, debug() {} } })

it('a server that was cut off for so long that it counted as stopped is heard again without a gap', async () => {
  const bus = await open()
  const other = new Redis(redis.url)
  let passed = 0
  const now = performance.now.bind(performance)
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + passed)
  onTestFinished(async () => {
    clock.mockRestore()
    other.disconnect()
    await bus.close()
  })
  const beat = (number: number) =>
    other.publish(`${bus.prefix}link`, JSON.stringify(['the other', 'beat', performance.now(), number]))
  const servers = (count: number) =>
    vi.waitUntil(() => bus.stats().servers === count && bus.stats().state === 'whole', soon)
  await beat(1)
  await servers(2)

  passed += 91_000
  await servers(1)
  const states: boolean[] = []
  bus.watch((isWhole) => states.push(isWhole))
  // It has sent others meanwhile, which did not arrive.
  await beat(190)
  await servers(2)
  expect(states).toEqual([true, false, true])
  await beat(191)
  expect(states).toEqual([true, false, true])
})

it('limits by address are shared, and Redis learns no address', async () => {
  const buses = [await open(), await open()]
  onTestFinished(() => Promise.all(buses.map((bus) => bus.close())).then(() => {}))
  await vi.waitUntil(() => buses.every((bus) => bus.isThere()), soon)
  const [east, west] = buses.map((bus) =>
    createKeyLimits(bus)({
      name: 'searches',
      points: 1,
      seconds: 60,
      refusal: () => refuse('spam', 'too_many_requests'),
    }),
  )
  await east!.take('203.0.113.7')
  await expect(west!.take('203.0.113.7')).rejects.toMatchObject({ code: 'spam' })
  await west!.take('203.0.113.8')
  const keys = await buses[0]!.redis.keys(`${buses[0]!.prefix}searches*`)
  expect(keys).toHaveLength(2)
  expect(keys.join()).not.toContain('203.0.113')
  await east!.giveBack('203.0.113.7')
  await west!.take('203.0.113.7')
})

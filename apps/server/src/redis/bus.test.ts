import { Redis } from 'ioredis'
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { startRedis, type RedisServer } from '../testing/outside/redis-server.ts'
import { openBus } from './bus.ts'

const soon = { timeout: 60_000, interval: 20 }

let redis: RedisServer
beforeEach(async () => {
  redis = await startRedis()
})
afterEach(() => redis.close())

it('a server that was cut off for so long that it counted as stopped is heard again without a gap', async () => {
  const bus = await openBus({ url: redis.url, secret: 'of both', log: { info() {}, warn() {}, debug() {} } })
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

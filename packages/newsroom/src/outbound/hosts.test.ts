import { expect, it } from 'vitest'
import { problemOf } from '../testing/news-problem.ts'
import { createHosts, type Hosts } from './hosts.ts'

/** Hosts with a clock that only waiting advances. */
function withClock(delayMs: number): { hosts: Hosts; clock: { now: number }; waits: number[] } {
  const clock = { now: 1_000_000 }
  const waits: number[] = []
  const wait = async (ms: number): Promise<void> => {
    waits.push(ms)
    clock.now += ms
  }
  return { hosts: createHosts({ delayMs, now: () => clock.now, wait }), clock, waits }
}

it('requests to one host run one at a time, in the order they came, with the delay between the end of one and the start of the next', async () => {
  const { hosts, clock, waits } = withClock(2_000)
  const log: string[] = []
  const work = (name: string, takesMs: number) => async (): Promise<void> => {
    log.push(`${name} begins at ${clock.now - 1_000_000}`)
    await Promise.resolve()
    clock.now += takesMs
    log.push(`${name} ends`)
  }
  await Promise.all([
    hosts.turn('a.example', 0, work('first', 300)),
    hosts.turn('a.example', 0, work('second', 5_000)),
    hosts.turn('a.example', 7_000, work('third', 0)),
  ])
  const order = [
    ...['first begins at 0', 'first ends', 'second begins at 2300', 'second ends', 'third begins at 14300'],
    'third ends',
  ]
  expect(log).toEqual(order)
  expect(waits).toEqual([2_000, 7_000])
})

it('no request waits for a host whose delay has passed, or for another host', async () => {
  const { hosts, clock, waits } = withClock(2_000)
  const slow = Promise.withResolvers<string>()
  const first = hosts.turn('a.example', 0, () => slow.promise)
  expect(await hosts.turn('b.example', 0, async () => 'b')).toBe('b')
  slow.resolve('a')
  expect(await first).toBe('a')
  clock.now += 1_999
  await hosts.turn('a.example', 0, async () => {})
  clock.now += 2_000
  await hosts.turn('a.example', 0, async () => {})
  expect(waits).toEqual([1])
})

it('a clock that is set back does not make a request wait longer than the delay', async () => {
  const { hosts, clock, waits } = withClock(2_000)
  await hosts.turn('a.example', 0, async () => {})
  clock.now -= 3_600_000
  await hosts.turn('a.example', 0, async () => {})
  expect(waits).toEqual([2_000])
})

it('work that fails does not block the queue', async () => {
  const { hosts } = withClock(0)
  const failing = hosts.turn('a.example', 0, () => Promise.reject(new Error('broken')))
  const next = hosts.turn('a.example', 0, async () => 'next')
  await expect(failing).rejects.toThrow('broken')
  expect(await next).toBe('next')
})

it('closing ends a wait of an hour at once, and all later requests', async () => {
  const hosts = createHosts({ delayMs: 3_600_000, now: () => 0 })
  const asked: string[] = []
  await hosts.turn('a.example', 0, async () => asked.push('first'))
  const waiting = ['second', 'third'].map((name) =>
    problemOf(() => hosts.turn('a.example', 0, async () => asked.push(name))),
  )
  hosts.close()
  expect(await Promise.all(waiting)).toEqual(['unreachable', 'unreachable'])
  expect(await problemOf(() => hosts.turn('b.example', 0, async () => asked.push('fourth')))).toBe('unreachable')
  expect(asked).toEqual(['first'])
})

it('thousands of idle hosts are forgotten, but not one with a request or a pause', async () => {
  const { hosts, clock, waits } = withClock(2_000)
  const under = Promise.withResolvers<void>()
  const asking = hosts.turn('busy.example', 0, () => under.promise)
  hosts.leaveAlone('alone.example', 3_600_000)
  for (let index = 0; index < 3_000; index += 1) {
    await hosts.turn(`${index}.example`, 0, async () => {})
    clock.now += 2_000 / 1_500
  }
  expect(await problemOf(() => hosts.turn('alone.example', 0, async () => {}))).toBe('http_error')
  let isAsked = false
  const second = hosts.turn('busy.example', 0, async () => (isAsked = true))
  await hosts.turn('0.example', 0, async () => {})
  expect(isAsked).toBe(false)
  under.resolve()
  await Promise.all([asking, second])
  expect(waits).toEqual([2_000])
})

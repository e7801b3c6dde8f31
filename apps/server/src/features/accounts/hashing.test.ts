import { beforeEach, expect, it } from 'vitest'
import { createHashing } from './hashing.ts'

const clock = { now: 0 }
let pauses: number[] = []
let hashing: ReturnType<typeof createHashing>
beforeEach(() => {
  clock.now = 10_000_000
  pauses = []
  hashing = createHashing(
    () => clock.now,
    async (milliseconds) => {
      pauses.push(milliseconds)
      clock.now += milliseconds
    },
  )
})

/** Makes a hash of so many milliseconds. */
const take = (address: string, milliseconds = 50, of = hashing): Promise<void> =>
  of(address, (inTurn) => inTurn(async () => void (clock.now += milliseconds)))

/** Makes hashes of 50 milliseconds, each from another address of one IPv6 /48. */
async function hash(count: number, network = 7): Promise<void> {
  for (let host = 0; host < count; host += 1) {
    await take(`2001:db8:${network}:${host.toString(16)}::1`)
  }
}

it('forty hashes of a source follow each other, and further ones take a quarter of the time', async () => {
  await hash(41)
  expect(pauses).toEqual([])
  const start = clock.now
  await hash(20)
  expect(clock.now - start).toBe(20 * 200)
  pauses = []
  await hash(1, 8)
  expect(pauses).toEqual([])
})

it('a source that has paused has its forty again, and no more after a whole day', async () => {
  await hash(60)
  pauses = []
  clock.now += 24 * 3_600_000
  await hash(41)
  expect(pauses).toEqual([])
  await hash(1)
  expect(pauses).toEqual([150])
})

it('a hash that fails counts as well', async () => {
  const fail = async (): Promise<never> => {
    clock.now += 50
    throw new Error('out of memory')
  }
  for (let count = 0; count < 41; count += 1) {
    await expect(hashing('2001:db8:7::1', (inTurn) => inTurn(fail))).rejects.toThrow('out of memory')
  }
  await hash(1)
  expect(pauses).toEqual([150])
})

it('hashes on a busy machine count as a tenth of a second each', async () => {
  for (let count = 0; count < 20; count += 1) await take('198.51.100.7', 200)
  expect(pauses).toEqual([])
  for (let count = 0; count < 20; count += 1) await take('198.51.100.7', 200)
  expect(Math.max(...pauses)).toBe(200)
})

it('sources that wait for their share hold up no other', async () => {
  const slow = createHashing(
    () => clock.now,
    () => new Promise(() => {}),
  )
  let waiting = 0
  // Four, as there are two turns.
  for (const address of ['198.51.100.1', '198.51.100.2', '198.51.100.3', '198.51.100.4']) {
    for (let count = 0; count < 41; count += 1) await take(address, 50, slow)
    waiting += 1
    void take(address, 50, slow).then(() => (waiting -= 1))
  }
  await take('198.51.100.8', 50, slow)
  expect(waiting).toBe(4)
})

it('a refused hash looks up nothing', async () => {
  const busy = Promise.withResolvers<void>()
  const calls = Array.from({ length: 21 }, () => hashing('198.51.100.7', () => busy.promise))
  let lookedUp = 0
  const refused = hashing('198.51.100.7', async () => void (lookedUp += 1))
  await expect(refused).rejects.toMatchObject({ code: 'too_many_requests' })
  busy.resolve()
  await Promise.all(calls)
  expect(lookedUp).toBe(0)
})

it('what the operator of the machine does waits for no share', async () => {
  for (let count = 0; count < 100; count += 1) await take('127.0.0.1')
  expect(pauses).toEqual([])
})

import { createHash, randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import type { Visitor } from '../../http/visitor.ts'
import type { Bus } from '../../redis/bus.ts'
import { createCooldowns, type Cooldowns, type Gaps } from './cooldowns.ts'

const GAPS = { own: 30, shield: 0, hasLevel: false }
const REGULAR = { ...GAPS, hasLevel: true }

/** Cooldowns of two servers, which hear of each other's writers at once, and what they send. */
function openTwo() {
  const sent: string[] = []
  const listeners: ((message: never) => void)[] = []
  const busOf = (own: number): Pick<Bus, 'publish' | 'subscribe' | 'hide'> => ({
    publish(_topic, message) {
      sent.push(JSON.stringify(message))
      listeners[1 - own]!(message as never)
    },
    hide: (text) => createHash('sha256').update(text).digest('base64url'),
    subscribe: (_topic, listener) => void (listeners[own] = listener as (message: never) => void),
  })
  return { sent, servers: [createCooldowns(() => 0, busOf(0)), createCooldowns(() => 0, busOf(1))] as const }
}

const newcomer = (): Visitor => ({
  member: null,
  visitorId: randomUUID(),
  ...{ addressHash: 'hash', networkHash: null, origin: { address: '203.0.113.7', agent: '' } },
})

it('a newcomer whose only text came to nothing counts by address, also on the other server', () => {
  const [east, west] = openTwo().servers
  const visitor = newcomer()
  const takeBack = east.start(visitor, 'thread', GAPS)
  takeBack()
  for (let others = 0; others < 3; others += 1) west.start(newcomer(), 'thread', GAPS)
  for (const server of [east, west]) {
    expect(() => server.check(visitor, 'thread', GAPS)).toThrow(expect.objectContaining({ code: 'too_many_requests' }))
  }
})

it('the address and the id of a newcomer stay on their server', () => {
  const { sent, servers } = openTwo()
  const visitor = newcomer()
  servers[0].start(visitor, 'post', GAPS)
  expect(sent).toHaveLength(1)
  expect(sent[0]).not.toContain('203.0.113')
  expect(sent[0]).not.toContain(visitor.visitorId)
})

/** How many of so many visitors of one address may write at once. */
function countWriters(cooldowns: Cooldowns, visitors: readonly Visitor[], gaps: Gaps): number {
  let written = 0
  for (const visitor of visitors) {
    try {
      cooldowns.check(visitor, 'post', gaps)
    } catch {
      continue
    }
    cooldowns.start(visitor, 'post', gaps)
    written += 1
  }
  return written
}

it('cookies that were collected in an hour write ten at once from one address, whatever their number', () => {
  let at = 0
  const cooldowns = createCooldowns(() => at, null)
  const collected = Array.from({ length: 60 }, newcomer)
  for (const visitor of collected) {
    expect(countWriters(cooldowns, [visitor], GAPS)).toBe(1)
    at += 30_000
  }
  expect(countWriters(cooldowns, collected, GAPS)).toBe(10)
  at += 29_999
  expect(countWriters(cooldowns, collected, GAPS)).toBe(0)
  at += 1
  expect(countWriters(cooldowns, collected, GAPS)).toBe(10)
})

it('thirty writers of a school with levels write at once, beside newcomers and writers without one', () => {
  let at = 0
  const cooldowns = createCooldowns(() => at, null)
  const school = Array.from({ length: 40 }, newcomer)
  for (const visitor of school) cooldowns.start(visitor, 'post', { ...REGULAR, own: 0 })
  at += 3_600_000
  expect(countWriters(cooldowns, school.slice(30), GAPS)).toBe(10)
  expect(countWriters(cooldowns, Array.from({ length: 6 }, newcomer), GAPS)).toBe(3)
  expect(countWriters(cooldowns, school.slice(0, 30), REGULAR)).toBe(30)
  expect(countWriters(cooldowns, school.slice(30), REGULAR)).toBe(0)
  // Their threads have a cooldown of their own.
  expect(() => cooldowns.check(school[31]!, 'thread', REGULAR)).not.toThrow()
})

it('accounts of one address count like cookies, and those at loopback do not', () => {
  const member = (address: string): Visitor => ({
    ...newcomer(),
    member: { id: randomUUID() } as Visitor['member'],
    origin: { address, agent: '' },
  })
  const membersAt = (address: string) => Array.from({ length: 40 }, () => member(address))
  expect(
    countWriters(
      createCooldowns(() => 0, null),
      membersAt('203.0.113.7'),
      GAPS,
    ),
  ).toBe(10)
  expect(
    countWriters(
      createCooldowns(() => 0, null),
      membersAt('127.0.0.1'),
      GAPS,
    ),
  ).toBe(40)
})

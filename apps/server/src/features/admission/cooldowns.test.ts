import { createHash, randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import type { Visitor } from '../../http/visitor.ts'
import type { Bus } from '../../redis/bus.ts'
import { createCooldowns } from './cooldowns.ts'

const GAPS = { own: 30, shield: 0 }

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

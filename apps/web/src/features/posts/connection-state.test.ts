import { expect, test } from 'vitest'
import { OFF, nextState, type ConnectionState, type ConnectionEvent } from './connection-state.ts'

const after = (...events: ConnectionEvent[]): ConnectionState['kind'] =>
  events.reduce<ConnectionState>(nextState, OFF).kind

test('a connection that joins is live, and one that is lost reconnects', () => {
  expect(after('start')).toBe('connecting')
  expect(after('start', 'joined')).toBe('live')
  expect(after('start', 'joined', 'lost')).toBe('reconnecting')
  expect(after('start', 'joined', 'lost', 'joined')).toBe('live')
})
test('a connection that stays away is replaced by polling until it joins', () => {
  expect(after('start', 'late')).toBe('polling')
  expect(after('start', 'joined', 'lost', 'late', 'lost')).toBe('polling')
  expect(after('start', 'late', 'joined')).toBe('live')
})
test('a live connection ignores the poll timeout', () => {
  expect(after('start', 'joined', 'late')).toBe('live')
})
test('events after leaving change nothing', () => {
  expect(after('start', 'joined', 'stop', 'lost', 'joined', 'late')).toBe('off')
  expect(after('start', 'stop', 'start')).toBe('connecting')
})

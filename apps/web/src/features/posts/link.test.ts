import { expect, test } from 'vitest'
import { OFF, nextLink, type Link, type LinkEvent } from './link.ts'

const after = (...events: LinkEvent[]): Link['kind'] => events.reduce<Link>(nextLink, OFF).kind

test('a line that joins is live, one that breaks reconnects', () => {
  expect(after('start')).toBe('connecting')
  expect(after('start', 'joined')).toBe('live')
  expect(after('start', 'joined', 'lost')).toBe('reconnecting')
  expect(after('start', 'joined', 'lost', 'joined')).toBe('live')
})
test('a line that stays away is replaced by polling until it joins', () => {
  expect(after('start', 'late')).toBe('polling')
  expect(after('start', 'joined', 'lost', 'late', 'lost')).toBe('polling')
  expect(after('start', 'late', 'joined')).toBe('live')
})
test('a live line is never late', () => {
  expect(after('start', 'joined', 'late')).toBe('live')
})
test('what comes after leaving changes nothing', () => {
  expect(after('start', 'joined', 'stop', 'lost', 'joined', 'late')).toBe('off')
  expect(after('start', 'stop', 'start')).toBe('connecting')
})

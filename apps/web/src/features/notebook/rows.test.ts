import type { ThreadPosition } from '@shinobi/contract/threads'
import { expect, test } from 'vitest'
import { newRecord } from '../reading/record.ts'
import type { ThreadRecord } from '../reading/store.ts'
import { keepOrder, nextUnread, readTabName, rowsOf, unreadIn } from './rows.ts'

const AT = Date.parse('2026-11-23T12:00:00Z')
const record = (threadId: string, fields: Partial<ThreadRecord>): ThreadRecord => ({
  ...newRecord(threadId),
  ...{ title: threadId, favouriteAt: 1, visitedAt: 1, ...fields },
})
const position = (threadId: string, postCount: number, minutes = 0): ThreadPosition => ({
  ...{ _id: threadId, state: 'open', title: `新しい${threadId}`, categoryId: 'c', postCount },
  lastPostAt: new Date(AT + minutes * 60_000).toISOString(),
})
const told = (...positions: ThreadPosition[]) => new Map(positions.map((one) => [one._id, one]))
const ids = (rows: readonly { threadId: string }[]) => rows.map(({ threadId }) => threadId)

const READ = record('read', { readThrough: 9, postCount: 9, lastPostAt: AT + 3 })
const OLD = record('old', { readThrough: 2, postCount: 4, lastPostAt: AT + 1 })
const NEW = record('new', { readThrough: 2, postCount: 3, lastPostAt: AT + 2 })

test('unread threads come first, then those with the newest posts', () => {
  const rows = rowsOf([READ, OLD, NEW], told(), 'favourites')
  expect(ids(rows)).toEqual(['new', 'old', 'read'])
  expect(unreadIn(rows)).toBe(3)
})

test('what the server told counts, unless the browser has seen more', () => {
  const rows = rowsOf([READ, OLD, NEW], told(position('read', 12, 1), position('old', 3)), 'favourites')
  expect(rows.map(({ threadId, title, unread }) => [threadId, title, unread])).toEqual([
    ['read', '新しいread', 3],
    ['new', 'new', 1],
    ['old', '新しいold', 2],
  ])
})

test('a removed thread says so, and has nothing unread', () => {
  const [row] = rowsOf([OLD], told({ _id: 'old', state: 'removed' }), 'favourites')
  expect(row).toMatchObject({ title: 'old', isRemoved: true, unread: 0 })
})

test('a thread that was removed when last asked for has nothing unread until it is restored', () => {
  const gone = record('gone', { readThrough: 2, postCount: 4, isGone: true })
  const unread = (...positions: ThreadPosition[]) => unreadIn(rowsOf([gone], told(...positions), 'favourites'))
  expect(unread()).toBe(0)
  expect(unread(position('gone', 4))).toBe(2)
  expect(nextUnread([gone], told(), null)).toBeNull()
})

test('each list has its own threads', () => {
  const records = [
    record('favourite', { visitedAt: null }),
    record('visited', { favouriteAt: null }),
    record('opened', { favouriteAt: null, visitedAt: null, isOwn: true }),
    record('answered', { favouriteAt: null, visitedAt: null, ownPosts: [3, 8] }),
  ]
  const lists = (['favourites', 'history', 'threads', 'posts'] as const).map((list) => rowsOf(records, told(), list))
  expect(lists.map(ids)).toEqual([['favourite'], ['visited'], ['opened'], ['answered']])
  expect(lists[3]![0]!.ownPosts).toBe(2)
  expect(readTabName(new URLSearchParams('list=posts'))).toBe('posts')
  expect(readTabName(new URLSearchParams('list=alerts'))).toBe('alerts')
  expect(readTabName(new URLSearchParams('list=all'))).toBe('favourites')
})

test('rows on screen keep their places, and a new one comes first', () => {
  const rows = rowsOf([READ, OLD, NEW], told(), 'favourites')
  expect(ids(keepOrder(rows, ['read', 'old']))).toEqual(['new', 'read', 'old'])
})

test('the next unread leads through all favourites and around, past threads that stay unread', () => {
  const records = [READ, OLD, NEW, record('other', { favouriteAt: null, postCount: 5 })]
  const next = (current: string | null) => nextUnread(records, told(), current)?.threadId
  expect(next(null)).toBe('new')
  expect(next('new')).toBe('old')
  expect(next('old')).toBe('new')
  expect(next('read')).toBe('new')
  expect(next('other')).toBe('new')
  expect(nextUnread([READ, NEW], told(), 'new')).toBeNull()
})

import type { ThreadItem } from '@shinobi/contract/threads'
import { expect, test } from 'vitest'
import { newerThreads, withCounts, withNewer, type ListData } from './live-rows.ts'

const thread = (_id: string, fields: Partial<ThreadItem> = {}): ThreadItem =>
  ({ _id, postCount: 1, likes: 0, lastPostAt: '', locked: false, pinned: null, ...fields }) as ThreadItem
const pageOf = (...items: ThreadItem[]) => ({ items, next: '/api/threads?cursor=n', prev: null })
const listOf = (...pages: ThreadItem[][]): ListData => ({
  pages: pages.map((items) => pageOf(...items)),
  pageParams: pages.map(() => null),
})
const idsOf = (data: ListData) => data.pages.map(({ items }) => items.map(({ _id }) => _id))

test('counts change in their rows, whose order and other rows stay as they are', () => {
  const data = listOf([thread('3'), thread('2')], [thread('1')])
  const after = withCounts(data, pageOf(thread('2', { postCount: 5, likes: 2, locked: true }), thread('3')))
  expect(idsOf(after)).toEqual([['3', '2'], ['1']])
  expect(after.pages[0]!.items[1]).toMatchObject({ postCount: 5, likes: 2, locked: true })
  expect(after.pages[0]!.items[0]).toBe(data.pages[0]!.items[0])
  expect(withCounts(data, pageOf(thread('3')))).toBe(data)
})

test('a row says that its thread was closed meanwhile', () => {
  const closedAt = '2026-11-20T00:00:00Z'
  const after = withCounts(listOf([thread('1', { closedAt: null })]), pageOf(thread('1', { closedAt })))
  expect(after.pages[0]!.items[0]).toMatchObject({ closedAt })
})

test('a count never falls behind an own post that the answer does not contain yet', () => {
  const data = listOf([thread('1', { postCount: 3 })])
  expect(withCounts(data, pageOf(thread('1', { postCount: 2, likes: 1 })))).toBe(data)
})

test('only threads newer than all shown are new, not those that a removed one lets move up', () => {
  const data = listOf([thread('5'), thread('4')])
  expect(newerThreads(data, pageOf(thread('7'), thread('6'), thread('5'), thread('3'))).map(({ _id }) => _id)).toEqual([
    '7',
    '6',
  ])
})

test('new threads come below those that are pinned', () => {
  const pinned = thread('1', { pinned: 'board' })
  const here = thread('4', { pinned: 'category' })
  const data = listOf([pinned, here, thread('3')], [thread('2')])
  const fresh = pageOf(pinned, thread('5'), here, thread('3'))
  expect(idsOf(withNewer(data, fresh, null))).toEqual([['1', '5', '4', '3'], ['2']])
  expect(idsOf(withNewer(data, pageOf(pinned, here, thread('5'), thread('3')), 'general'))[0]).toEqual([
    ...['1', '4', '5', '3'],
  ])
})

test('when more threads are new than a page has, it replaces the list', () => {
  const data = listOf([thread('2')], [thread('1')])
  expect(idsOf(withNewer(data, pageOf(thread('9'), thread('8')), null))).toEqual([['9', '8']])
})

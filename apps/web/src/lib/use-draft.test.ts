import { beforeEach, expect, test } from 'vitest'
import { readDraft, removeDraft, writeDraft } from './use-draft.ts'

const EMPTY = { title: '', content: '' }
const NOW = 1_800_000_000_000
const items = new Map<string, string>()
const storage = {
  getItem: (key: string) => items.get(key) ?? null,
  setItem: (key: string, value: string) => void items.set(key, value),
  removeItem: (key: string) => void items.delete(key),
}

beforeEach(() => items.clear())

test('a draft is read back as it was written, until it is removed', () => {
  const draft = { title: '草', content: '　 AA\n' }
  writeDraft(storage, 'thread', draft, NOW)
  expect(readDraft(storage, 'thread', EMPTY, NOW + 1_000)).toEqual(draft)
  removeDraft(storage, 'thread')
  expect(readDraft(storage, 'thread', EMPTY, NOW)).toBeNull()
})

test('a field that the stored draft does not know yet is empty, and one that is gone is dropped', () => {
  writeDraft(storage, 'thread', { title: 'あ', tripcode: 'x' }, NOW)
  expect(readDraft(storage, 'thread', EMPTY, NOW)).toEqual({ title: 'あ', content: '' })
})

test('corrupt and month-old drafts are forgotten', () => {
  storage.setItem('draft:thread', '{"at":')
  expect(readDraft(storage, 'thread', EMPTY, NOW)).toBeNull()
  writeDraft(storage, 'thread', EMPTY, NOW - 31 * 24 * 3_600_000)
  expect(readDraft(storage, 'thread', EMPTY, NOW)).toBeNull()
  expect(items.size).toBe(0)
})

test('storage that refuses is no reason to fail', () => {
  const refuse = () => {
    throw new DOMException('denied', 'SecurityError')
  }
  const closed = { getItem: refuse, setItem: refuse, removeItem: refuse }
  writeDraft(closed, 'thread', EMPTY, NOW)
  expect(readDraft(closed, 'thread', EMPTY, NOW)).toBeNull()
})

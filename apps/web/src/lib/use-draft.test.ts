import { beforeEach, expect, test, vi } from 'vitest'
import {
  addEarly,
  changeDraft,
  isReplaced,
  isTaken,
  readDraft,
  removeDraft,
  removeOwnDraft,
  writeDraft,
} from './use-draft.ts'

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

test('a form that is not on the screen gets a text into its draft, after what is there', () => {
  vi.stubGlobal('localStorage', storage)
  const add = (text: string) =>
    changeDraft('thread', EMPTY, ({ content }) => ({ title: '題', content: content + text }))
  add('一')
  add('二')
  expect(readDraft(storage, 'thread', EMPTY, Date.now())).toEqual({ title: '題', content: '一二' })
  vi.unstubAllGlobals()
})

test('a field missing in the stored draft is empty, and an unknown stored field is dropped', () => {
  writeDraft(storage, 'thread', { title: 'あ', tripcode: 'x' }, NOW)
  expect(readDraft(storage, 'thread', EMPTY, NOW)).toEqual({ title: 'あ', content: '' })
})

test('a draft that another tab has stored since is not removed with the one that was sent', () => {
  const own = { title: '', content: '一枚目' }
  writeDraft(storage, 'thread', own, NOW)
  writeDraft(storage, 'thread', { title: '', content: '二枚目' }, NOW)
  removeOwnDraft(storage, 'thread', own, NOW)
  expect(readDraft(storage, 'thread', EMPTY, NOW)).toEqual({ title: '', content: '二枚目' })
  removeOwnDraft(storage, 'thread', { title: '', content: '二枚目' }, NOW)
  expect(items.size).toBe(0)
})

test('a tab that adds to a text or sends it does not replace it; one with another text does', () => {
  const own = { content: '一枚目', underWay: '' }
  expect(isReplaced(own, { content: '一枚目の続き', underWay: '' })).toBe(false)
  expect(isReplaced(own, { content: '一枚目', underWay: '一枚目' })).toBe(false)
  expect(isReplaced(own, { content: '二枚目', underWay: '' })).toBe(true)
  expect(isReplaced(own, { content: '', underWay: '' })).toBe(true)
})

test('a text that another tab sends is taken here too, however long its answer takes', () => {
  const shown = { content: '一枚目', underWay: '' }
  expect(isTaken(shown, { content: '一枚目', underWay: '' })).toBe(true)
  expect(isTaken(shown, { content: '一枚目', underWay: '一枚目' })).toBe(true)
  expect(isTaken(shown, { content: '一枚目の続き', underWay: '一枚目の続き' })).toBe(false)
  expect(isTaken(shown, { content: '二枚目', underWay: '' })).toBe(false)
})

test('corrupt and month-old drafts are removed', () => {
  storage.setItem('draft:thread', '{"at":')
  expect(readDraft(storage, 'thread', EMPTY, NOW)).toBeNull()
  writeDraft(storage, 'thread', EMPTY, NOW - 31 * 24 * 3_600_000)
  expect(readDraft(storage, 'thread', EMPTY, NOW)).toBeNull()
  expect(items.size).toBe(0)
})

test('forbidden storage causes no error', () => {
  const refuse = () => {
    throw new DOMException('denied', 'SecurityError')
  }
  const closed = { getItem: refuse, setItem: refuse, removeItem: refuse }
  writeDraft(closed, 'thread', EMPTY, NOW)
  expect(readDraft(closed, 'thread', EMPTY, NOW)).toBeNull()
})

test('text typed before hydration is merged into the draft, and no text of either is lost', () => {
  const draft = { title: '昨日の題', content: '昨日の文' }
  const typed = { title: { text: '今日の題', multiline: false }, content: { text: '今日の文', multiline: true } }
  expect(addEarly(EMPTY, EMPTY, typed)).toEqual({
    value: { title: '今日の題', content: '今日の文' },
    early: { title: '今日の題', content: '今日の文' },
    mixed: false,
  })
  const both = addEarly(draft, EMPTY, typed)
  expect(both).toMatchObject({ value: { title: '今日の題', content: '昨日の文\n今日の文' }, mixed: true })
  expect(addEarly(both.value, EMPTY, typed)).toMatchObject({ value: both.value, mixed: false })
})

test('what a form contains at first is replaced by what its writer made of it before hydration', () => {
  const preset = { title: '雑談 ★2', content: '前スレ https://example.jp/\n\n' }
  const edited = { content: { text: '前スレ https://example.jp/\n\n続きです', multiline: true } }
  expect(addEarly(preset, preset, edited)).toMatchObject({
    value: { title: '雑談 ★2', content: '前スレ https://example.jp/\n\n続きです' },
    mixed: false,
  })
})

test('unknown fields and unchanged forms leave the draft as it is', () => {
  const draft = { title: '', content: '文' }
  expect(addEarly(draft, EMPTY, { q: { text: '検索', multiline: false } })).toEqual({
    value: draft,
    early: {},
    mixed: false,
  })
  expect(addEarly(draft, EMPTY, {}).value).toBe(draft)
})

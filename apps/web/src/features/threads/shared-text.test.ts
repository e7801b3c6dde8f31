import { POST, TITLE } from '@shinobi/contract/limits'
import { countBytes, countGraphemes } from '@shinobi/contract/text'
import { expect, test } from 'vitest'
import { addShared, readShared } from './shared-text.ts'

const share = (fields: Record<string, string>) => readShared(new URLSearchParams(fields))

test('title, text and address of a shared page become title and content', () => {
  expect(share({ title: '霧の朝', text: 'きれいだ', url: 'https://example.jp/a' })).toEqual({
    title: '霧の朝',
    content: 'きれいだ\nhttps://example.jp/a',
  })
  expect(share({ text: '見て https://example.jp/a', url: 'https://example.jp/a' })?.content).toBe(
    '見て https://example.jp/a',
  )
  expect(share({ title: ' ', text: '\n', category: 'rant' })).toBeNull()
})

test.each(['あ', '👨‍👩‍👧', 'か\u3099', '<b>', '\u202e', 'a\u0301\u0301\u0301\u0301'])(
  'a shared text of 50,000 times %j fits the limits',
  (part) => {
    const shared = share({ title: part.repeat(50_000), text: part.repeat(50_000), url: part.repeat(50_000) })
    const { title, content } = shared ?? { title: '', content: '' }
    expect(countGraphemes(title)).toBeLessThanOrEqual(TITLE.max)
    expect(countBytes(title)).toBeLessThanOrEqual(TITLE.maxBytes)
    expect(countGraphemes(content)).toBeLessThanOrEqual(POST.max)
    expect(countBytes(content)).toBeLessThanOrEqual(POST.maxBytes)
    expect([title.isWellFormed(), content.isWellFormed()]).toEqual([true, true])
  },
)

test('what is shared is added to a draft once, and replaces nothing', () => {
  const shared = { title: '霧の朝', content: 'https://example.jp/a' }
  expect(addShared({ title: '', content: '' }, shared)).toEqual(shared)
  const added = addShared({ title: '月の夜', content: '書きかけ' }, shared)
  expect(added).toEqual({ title: '月の夜', content: '書きかけ\n霧の朝\nhttps://example.jp/a' })
  expect(addShared(added, shared)).toEqual(added)
})

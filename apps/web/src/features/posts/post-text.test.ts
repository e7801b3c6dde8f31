import { expect, test } from 'vitest'
import { shorten } from './post-text.tsx'

test('an address of at most sixty letters is shown whole', () => {
  const longest = `https://example.jp/${'a'.repeat(41)}`
  expect(longest).toHaveLength(60)
  for (const address of ['https://example.jp/', longest, `${longest.slice(0, -1)}𠮷`])
    expect(shorten(address)).toBe(address)
})

test('of a longer address the beginning and the end are shown, in sixty letters', () => {
  const shown = shorten(`https://example.jp/${'a'.repeat(41)}b`)
  expect(shown).toBe('https://example.jp/aaaaaaaaaaaaaaaaaaaa…aaaaaaaaaaaaaaaaaaab')
  expect(shown).toHaveLength(60)
  expect(shorten(`https://example.jp/2026/11/30/${'long-'.repeat(300)}title.html?page=2`)).toBe(
    'https://example.jp/2026/11/30/long-long…ng-title.html?page=2',
  )
})

test('no letter of two code units is cut in half', () => {
  const shown = shorten(`https://example.jp/${'𠮷'.repeat(50)}`)
  expect(shown).toBe(`https://example.jp/${'𠮷'.repeat(20)}…${'𠮷'.repeat(20)}`)
  expect(shorten(`a${'😀'.repeat(60)}`)).toBe(`a${'😀'.repeat(38)}…${'😀'.repeat(20)}`)
})

import { expect, it } from 'vitest'
import { plainLine } from './plain-text.ts'

it.each([
  ['図書館<!-- 速報 > 訂正 -->、夜も<b class="x">開館</b>へ', '図書館、夜も開館へ'],
  ['図書館<!-->、夜も<!---->開館へ', '図書館、夜も開館へ'],
  ['a < b and <3', 'a < b and <3'],
  ['図書館&amp;公園 &#x958b;&#39208;', '図書館&公園 開館'],
  ['図書館<!-- 速報', '図書館<!-- 速報'],
])('%j is shown as %j', (markup, shown) => {
  expect(plainLine(markup, 300)).toBe(shown)
})

it('a title full of unclosed comments is cut to length like any other', () => {
  expect(plainLine('<!--'.repeat(1_000_000), 8)).toBe('<!--<!-…')
})

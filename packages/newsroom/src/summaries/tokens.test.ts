import { expect, test } from 'vitest'
import { believeTokens, tokensOf } from './tokens.ts'

test('Japanese is estimated at no more than about a token a character, English at half of it', () => {
  expect(tokensOf('港町市は開館時間を延ばす')).toBe(15)
  expect(tokensOf('The city keeps its library open.')).toBe(20)
})

test.each<[string, number | null, number]>([
  ['as tokenizers for Japanese count', 450, 450],
  ['more than expected', 9_000, 9_000],
  ['nothing', null, 1_000],
  ['one token, which would make the budget endless', 1, 1_000],
  ['two milliards, which would use it up for a day', 2_000_000_000, 1_000],
  ['more than a column holds', 1e12, 1_000],
  ['half a token', 1_000.5, 1_000],
  ['no number', Number.NaN, 1_000],
  ['less than nothing', -5, 1_000],
])('an endpoint that reports %s is believed within plausible bounds', (_, told, counted) => {
  expect(believeTokens(told, 1_000)).toBe(counted)
})

test('an answer may have cost more than its text, because thoughts are not part of it', () => {
  expect(believeTokens(4_800, 300, 4_800)).toBe(4_800)
  expect(believeTokens(480_000, 300, 4_800)).toBe(300)
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readPassages } from './passages.ts'
import { measureQuotes, quotesMaxOf } from './quotes.ts'

const findPassage = (text: string, quote: string) => readPassages(text).spell(quote)

const TEXT = '政府は２０２６年度の予算案を決めた。\n総額はﾋﾞｯｸﾞﾃﾞｰﾀ関連を含め、Ａ　Ｂ 合わせて約3兆円。'

test.each([
  ['a quote that stands there', '予算案を決めた', '予算案を決めた'],
  ['other widths', '2026年度の予算案', '２０２６年度の予算案'],
  ['half-width letters with their marks', 'ビッグデータ関連', 'ﾋﾞｯｸﾞﾃﾞｰﾀ関連'],
  ['other spaces', 'ＡＢ合わせて 約３兆円', 'Ａ　Ｂ 合わせて約3兆円'],
  ['a quote over the end of a paragraph', '決めた。総額は', '決めた。\n総額は'],
  ['brackets of the model', '「予算案を決めた」', '予算案を決めた'],
])('a passage is found as it stands in the article: %s', (_, quote, passage) => {
  expect(findPassage(TEXT, quote)).toBe(passage)
})

test.each(['', '　', '「」', '予算案を決めました', '約4兆円'])(
  '«%s» is not found as a passage of the article',
  (quote) => {
    expect(findPassage(TEXT, quote)).toBeNull()
  },
)

test('every passage found is part of the article, and folds to the quote', () => {
  const letter = fc.constantFrom(
    ...['あ', 'か', 'が', 'か\u3099', 'ｶ', 'ｶﾞ', '１', '㌔', 'ﬁ', ' ', '\n', '　', '𠮷', 'e\u0301'],
  )
  const fold = (text: string) => text.normalize('NFKC').replaceAll(/\s+/gu, '')
  const texts = fc.array(letter, { minLength: 1, maxLength: 30 }).map((letters) => letters.join('').normalize('NFC'))
  fc.assert(
    fc.property(texts, fc.nat(29), fc.integer({ min: 1, max: 10 }), (text, from, length) => {
      const letters = text.match(/[\s\S][\u0300-\u036f\u3099\u309a\uff9e\uff9f]*/gu) ?? []
      const quote = fold(letters.slice(from, from + length).join(''))
      fc.pre(quote !== '')
      const passage = findPassage(text, quote)
      expect(passage).not.toBeNull()
      expect(text).toContain(passage)
      // A character that folds to several is taken as a whole.
      expect(fold(passage!)).toContain(quote)
    }),
  )
})

test.each([
  [0, 240],
  [300, 240],
  [1_000, 350],
  [20_000, 600],
])('of an article of %i characters, all quotes together may have %i', (length, most) => {
  expect(quotesMaxOf('あ'.repeat(length))).toBe(most)
})

test('a passage that is quoted twice, or stands in a longer quote, is counted once', () => {
  expect(measureQuotes(['一二三四五 六七', '一二三四五六七', '三四五', '八九'])).toBe(9)
})

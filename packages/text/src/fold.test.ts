import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { foldForSearch } from './fold.ts'

/** Strings of any code units, lone surrogates included, as a hostile client may send them. */
const anyUnits = fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units))
const japanese = fc.string({
  unit: fc.constantFrom(...'タヒ死ねガがﾀﾋﾞﾟヴゔー～〜~゛゜aＡ①㈱ \u3000\u3099\u200b\ufe0fΣ'),
  maxLength: 20,
})

describe('foldForSearch', () => {
  it.each([
    ['テスト', 'ﾃｽﾄ', 'てすと'],
    ['パニック', 'ﾊﾟﾆｯｸ', 'ぱにっく'],
    ['イヴァンカ', 'ｲｳﾞｧﾝｶ', 'いゔぁんか'],
    ['ヴ', 'ゔ', 'う\u3099', 'ｳﾞ'],
    ['AI', 'ＡＩ', 'ai', 'ａｉ', 'A\u200bI'],
    ['ABC123', 'ＡＢＣ１２３', 'abc123'],
    ['首相', '首\u200b相', '首相\ufe0f', '\u202e首相\u202c'],
    ['草', '草\u{e0100}', '\ufeff草'],
    ['しゅいろ', 'シュイロ', 'ｼｭｲﾛ'],
    ['が', 'か\u3099', 'か゛', 'ｶﾞ', 'ガ'],
    ['㈱', '(株)', '（株）'],
    ['㌔', 'キロ', 'きろ'],
    ['A〜B', 'A～B', 'a~b'],
    ['e-mail', 'e‐mail', 'E−mail'],
    ['首相　辞任', '首相 辞任', '首相 \n 辞任'],
    ['ヷ', 'わ\u3099', 'わ'],
    ['ΟΔΟΣ', 'οδος'],
  ])('makes no difference between %s and its other spellings', (text, ...others) => {
    for (const other of others) expect(foldForSearch(other)).toBe(foldForSearch(text))
  })

  it('finds a word within a longer one, as a reader would', () => {
    expect(foldForSearch('しゅいろさんのスレ')).toContain(foldForSearch('しゅいろ'))
    expect(foldForSearch('新しいＡＩの話')).toContain(foldForSearch('AI'))
  })

  it.each([
    ['びょういん', 'びよういん'],
    ['おばさん', 'おばーさん'],
    ['は', 'ば'],
    ['草', '笑'],
  ])('keeps %s and %s apart', (one, other) => {
    expect(foldForSearch(one)).not.toBe(foldForSearch(other))
  })

  it('drops voicing marks that follow no kana', () => {
    expect(foldForSearch('あ゛あ゛')).toBe('ああ')
    expect(foldForSearch('゛')).toBe('')
  })

  it('folds a folded text to itself and never throws', () => {
    for (const texts of [anyUnits, japanese, fc.string({ unit: 'binary' })]) {
      fc.assert(
        fc.property(texts, (text) => {
          const folded = foldForSearch(text)
          expect(folded.isWellFormed()).toBe(true)
          expect(foldForSearch(folded)).toBe(folded)
        }),
      )
    }
  })

  it('folds a piece of text to the same copy whatever surrounds it', () => {
    fc.assert(
      fc.property(japanese, japanese, (a, b) => {
        expect(foldForSearch(`${a} ${b}`)).toBe(`${foldForSearch(a)} ${foldForSearch(b)}`.replace(/\s+/g, ' ').trim())
      }),
    )
  })
})

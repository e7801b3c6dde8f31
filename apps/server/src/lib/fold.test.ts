import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { foldForSearch, foldName } from './fold.ts'

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

  it('leaves out voicing marks that voice nothing', () => {
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

  it('does not depend on what stands around a piece of text', () => {
    fc.assert(
      fc.property(japanese, japanese, (a, b) => {
        expect(foldForSearch(`${a} ${b}`)).toBe(`${foldForSearch(a)} ${foldForSearch(b)}`.replace(/\s+/g, ' ').trim())
      }),
    )
  })
})

describe('foldName', () => {
  it.each([
    ['忍者', '忍 者', '忍\u200b者', '忍　者'],
    ['シノビ', 'しのび', 'ｼﾉﾋﾞ'],
    ['admin', 'ＡＤＭＩＮ', 'аdmin', 'ádmin', 'Admin\u200d'],
    ['名無し', '名無シ'],
    ['カエデ', '力エデ', 'カ工デ'],
    ['ロニータ', '口ニータ', 'ロ二ータ', 'ロニ一タ', 'ロニ―タ', 'ロニ－夕'],
    ['オトハチノ', '才トハチノ', 'オ卜ハチノ', 'オト八チノ', 'オトハ千ノ', 'オトハチ丿'],
    ['管理人', '菅理人', '管理入'],
    ['髙崎', '高﨑'],
    ['忍〜', '忍～', '忍~'],
    ['影・楓', '影·楓', '影•楓', '影･楓'],
    ['hello1', 'heII0l', 'HELLO1', 'he|lol'],
    ['arnold', 'amold'],
    ['wolf', 'vvolf'],
    ['admin', 'ᴀᴅᴍɪɴ', '🅰🅳🅼🅸🅽', '🅐🅓🅜🅘🅝', 'ⓐⓓⓜⓘⓝ', '🇦🇩🇲🇮🇳', 'a\u0336d\u0336min'],
  ])('takes %s and its imitations for one name', (name, ...others) => {
    for (const other of others) expect(foldName(other)).toBe(foldName(name))
  })

  it('keeps different names apart', () => {
    const names = [
      '忍者',
      '忍術',
      'しのび',
      'しのひ',
      'admin',
      'admin1',
      'ゆう',
      'ゆー',
      'わ',
      'わあ',
      'しょう',
      'しよう',
    ]
    expect(new Set(names.map(foldName)).size).toBe(names.length)
  })

  it('folds a folded name to itself, and no name to nothing', () => {
    const twins = fc.string({ unit: fc.constantFrom(...'rnmvw1lI|0oO力カ一ー-〜🅰🇯ᴀ \u0336'), maxLength: 20 })
    for (const texts of [anyUnits, japanese, twins]) {
      fc.assert(
        fc.property(texts, (name) => {
          const folded = foldName(name)
          expect(foldName(folded)).toBe(folded)
          if (name !== '') expect(folded).not.toBe('')
        }),
      )
    }
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { foldName } from './fold.ts'

/** Strings of any code units, lone surrogates included, as a hostile client may send them. */
const anyUnits = fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units))
const japanese = fc.string({
  unit: fc.constantFrom(...'タヒ死ねガがﾀﾋﾞﾟヴゔー～〜~゛゜aＡ①㈱ \u3000\u3099\u200b\ufe0fΣ'),
  maxLength: 20,
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
  ])('folds %s and its imitations to one name', (name, ...others) => {
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

  it('folds a folded name to itself, and no name to an empty one', () => {
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

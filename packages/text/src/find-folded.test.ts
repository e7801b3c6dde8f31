import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createExcerptBudget, excerptAround } from './find-folded.ts'
import { foldForSearch } from './fold.ts'

const find = (text: string, ...words: string[]) => excerptAround(text, words.map(foldForSearch), 120)
const lengthOf = (text: string) => [...new Intl.Segmenter('ja').segment(text)].length

describe('excerptAround', () => {
  it.each([
    ['ﾃｽﾄ勢です', 'テスト', ['', 'ﾃｽﾄ', '勢です']],
    ['これはパニックだ', 'ﾊﾟﾆｯｸ', ['これは', 'パニック', 'だ']],
    ['これはﾊﾟﾆｯｸだ', 'ぱにっく', ['これは', 'ﾊﾟﾆｯｸ', 'だ']],
    ['新しいＡＩの話', 'ai', ['新しい', 'ＡＩ', 'の話']],
    ['か゛くせい', 'がく', ['', 'か゛く', 'せい']],
    ['一㌔先', 'キロ', ['一', '㌔', '先']],
    ['一㌔先', 'ロ', ['一', '㌔', '先']],
    ['首\u200b相が', '首相', ['', '首\u200b相', 'が']],
    ['見よ\n\n　首相　が', '首相 が', ['見よ ', '首相 が', '']],
    ['👨‍👩‍👧と草と👨‍👩‍👧', '草', ['👨‍👩‍👧と', '草', 'と👨‍👩‍👧']],
    ['ヴァイオリン', 'ゔぁ', ['', 'ヴァ', 'イオリン']],
    ['草草草', '草', ['', '草草草', '']],
    ['と(´・ω・`)だ', '（´・ω・｀）', ['と', '(´・ω・`)', 'だ']],
    ['（￣ー￣）にやり', '(￣ー￣)', ['', '（￣ー￣）', 'にやり']],
    ['´・ω・だ', '´・ω', ['', '´・ω', '・だ']],
  ])('marks in %s for %s what was typed', (text, word, parts) => {
    expect(find(text, word)).toEqual(parts)
  })

  it('marks overlapping words once', () => {
    expect(find('京都でラーメン', '京都で', '都でラ')).toEqual(['', '京都でラ', 'ーメン'])
  })

  it('shows the place where most of the words stand together', () => {
    const parts = find(`ラーメンの話。${'あ'.repeat(300)}京都でラーメンを食べた`, 'ラーメン', '京都')
    expect(parts.filter((_, index) => index % 2 === 1)).toEqual(['京都', 'ラーメン'])
  })

  it('has at most 120 characters, and shows where text is left out', () => {
    const parts = find(`${'前'.repeat(500)}忍者${'後'.repeat(500)}`, '忍者')
    expect(parts[1]).toBe('忍者')
    expect(lengthOf(parts.join(''))).toBe(120)
    expect(parts[0]).toMatch(/^…前+$/u)
    expect(parts[2]).toMatch(/^後+…$/u)
  })

  it('reads a text as far as the excerpt needs it', () => {
    const budget = createExcerptBudget()
    const before = budget.pieces
    const text = `${'👨‍👩‍👧'.repeat(20)}影と忍者${'👨‍👩‍👧'.repeat(2_400)}影`
    expect(excerptAround(text, ['忍者', '影'], 120, budget).filter((_, index) => index % 2 === 1)).toEqual([
      '影',
      '忍者',
    ])
    expect(before - budget.pieces).toBeLessThan(600)
    // Without one of the words, a better place could be at the end.
    excerptAround(text, ['忍者', '鷹'], 120, budget)
    expect(before - budget.pieces).toBeGreaterThan(7_200)
  })

  it('shows the beginning of further texts of an answer once its budget is used up', () => {
    const budget = { pieces: 10_000 }
    const text = `${'👨‍👩‍👧'.repeat(2_400)}忍者`
    const parts = Array.from({ length: 100 }, () => excerptAround(text, ['忍者'], 120, budget))
    expect(parts.map(({ length }) => length)).toEqual([3, ...Array.from({ length: 99 }, () => 1)])
    expect(parts.at(-1)![0]).toMatch(/^(👨‍👩‍👧)+/u)
    expect(budget.pieces).toBeGreaterThan(-12_000)
    expect(excerptAround('影と忍者', ['忍者'], 120, budget)).toEqual(['影と', '忍者', ''])
  })

  it('shows the beginning when the words are not found', () => {
    expect(find('  静かな夜\nでした  ', '無')).toEqual(['静かな夜 でした'])
    expect(find('', '無')).toEqual([''])
  })

  it('marks every run of characters that the search finds', () => {
    const parts = [...'忍ガがﾀﾞﾊﾟヴヷか゛aＡΣς①㈱㌔﷽´¨￣゜∀д(（)･・〜- 　\n\u200b𠮷', '👨‍👩‍👧', '❤️', 'é']
    const texts = fc.array(fc.constantFrom(...parts), { minLength: 1, maxLength: 20 })
    fc.assert(
      fc.property(texts, fc.nat(19), fc.nat(19), (units, from, length) => {
        const text = units.join('')
        const graphemes = Array.from(new Intl.Segmenter('ja').segment(text), ({ segment }) => segment)
        const word = foldForSearch(graphemes.slice(from, from + length).join(''))
        fc.pre(word !== '' && foldForSearch(text).includes(word))
        expect(excerptAround(text, [word], 1_000).length).toBeGreaterThan(1)
      }),
    )
  })

  it('never throws, never exceeds its length in pieces, and marks only what folds to a word', () => {
    const units = fc.array(fc.integer({ min: 0, max: 0xffff })).map((codes) => String.fromCharCode(...codes))
    const japanese = fc.string({ unit: fc.constantFrom(...'忍者ガがﾀﾋﾞﾟヴ゛゜aＡ①㈱ \n\u3000\u3099\u200b\ufe0f') })
    for (const texts of [units, japanese, fc.string({ unit: 'binary' })]) {
      fc.assert(
        fc.property(texts, japanese, (text, word) => {
          const folded = foldForSearch(word)
          const parts = excerptAround(text, [folded], 120)
          expect(parts.length % 2).toBe(1)
          expect(parts.join('').length).toBeLessThanOrEqual(text.length + 2)
        }),
      )
    }
    fc.assert(
      fc.property(japanese, japanese, (before, word) => {
        const folded = foldForSearch(word)
        fc.pre(folded !== '' && !/^(?:\p{M}|゛|゜|ﾞ|ﾟ|\ufe0f|\u200b)/u.test(word))
        const parts = excerptAround(`${before} ${word} 了`, [folded], 1_000)
        expect(parts.filter((_, index) => index % 2 === 1).some((hit) => foldForSearch(hit).includes(folded))).toBe(
          true,
        )
      }),
    )
  })
})

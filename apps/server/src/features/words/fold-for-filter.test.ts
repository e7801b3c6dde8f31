import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { foldForFilter } from './fold-for-filter.ts'

const fold = (raw: string): string => foldForFilter(raw).text
/** The raw text of the first occurrence of `part` in the folded text. */
const rawOf = (raw: string, part: string): string => {
  const { text, offsets, ends } = foldForFilter(raw)
  const at = text.indexOf(part)
  return raw.slice(offsets[at], ends[at + part.length - 1])
}

const anyUnits = fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units))
/** Characters that any rule of the fold matches, so that rules interact. */
const tricky = fc.string({
  unit: fc.constantFrom(
    ...'タヒネ申力口二ね死しばかaBs1470@$ -ーー~。、\n・゛\u3099\u200bがﾀﾋﾞ(㈱)é㍍ゃッ一 x市2.!Ι🔥🅰🇯',
  ),
  maxLength: 16,
})

describe('foldForFilter', () => {
  it.each([
    ['ﾊﾞｶ', 'ばか'],
    ['は゛か', 'ばか'],
    ['バ\u200bカ', 'ばか'],
    ['バッカ', 'ばつか'],
    ['ば〜か', 'ばーか'],
    ['ばーーーか', 'ばーか'],
    ['死 ね', '死ね'],
    ['死　ね', '死ね'],
    ['死・ね', '死ね'],
    ['死🔥ね', '死ね'],
    ['死-ね', '死ね'],
    ['死。ね', '死ね'],
    ['死\nね', '死ね'],
    ['タヒね', '死ね'],
    ['ﾀﾋね', '死ね'],
    ['タ ヒ ね', '死ね'],
    ['ネ申', '神'],
    ['バ力', 'ばか'],
    ['f u c k', 'fuck'],
    ['f.u.c.k', 'fuck'],
    ['sh1t', 'shit'],
    ['p@ss', 'pass'],
    ['аss', 'ass'],
    ['ＡＳＳ', 'ass'],
    ['🅵🆄🅲🅺', 'fuck'],
    ['🅕🅤🅒🅚', 'fuck'],
    ['🇫🇺🇨🇰', 'fuck'],
    ['🅰️ 🅱️', 'ab'],
    ['🔥', ''],
  ])('folds %s to %s', (raw, folded) => {
    expect(fold(raw)).toBe(folded)
  })

  it.each([
    ['タヒチに行く', 'たひちに行く'],
    ['痛いたひと', '痛いたひと'],
    ['必死。ねむい', '必死。ねむい'],
    ['必死、ねむい', '必死。ねむい'],
    ['スーパー工場', 'すーぱー工場'],
    ['全力スイング', '全力すいんぐ'],
    ['5ch と mp3', '5ch と mp3'],
    ['my class', 'my class'],
  ])('keeps the words of %s', (raw, folded) => {
    expect(fold(raw)).toBe(folded)
  })

  it('maps the folded text back to the raw text', () => {
    expect(rawOf('おまえﾀﾋね！', '死')).toBe('ﾀﾋ')
    expect(rawOf('おまえ死 ・ ね！', '死ね')).toBe('死 ・ ね')
    expect(rawOf('㈱です', '株')).toBe('㈱')
    expect(rawOf('草🆄🅲生', 'uc')).toBe('🆄🅲')
    expect(rawOf('ばーーーか', 'ばーか')).toBe('ばーーーか')
    expect(rawOf('ｶﾞｷ', 'が')).toBe('ｶﾞ')
  })

  it('returns offsets that never decrease and stay within the text', () => {
    for (const texts of [anyUnits, tricky, fc.string({ unit: 'binary' })]) {
      fc.assert(
        fc.property(texts, (raw) => {
          const { text, offsets, ends } = foldForFilter(raw)
          expect(text.isWellFormed()).toBe(true)
          expect([offsets.length, ends.length]).toEqual([text.length, text.length])
          for (let i = 0; i < text.length; i += 1) {
            expect(offsets[i]).toBeGreaterThanOrEqual(offsets[i - 1] ?? 0)
            expect(ends[i]).toBeGreaterThan(offsets[i]!)
            expect(ends[i]).toBeGreaterThanOrEqual(ends[i - 1] ?? 0)
            expect(ends[i]).toBeLessThanOrEqual(raw.length)
          }
        }),
      )
    }
  })

  it('does not change a folded text', () => {
    for (const texts of [anyUnits, tricky, fc.string({ unit: 'grapheme' })]) {
      fc.assert(
        fc.property(texts, (raw) => {
          expect(fold(fold(raw))).toBe(fold(raw))
        }),
        { numRuns: 500 },
      )
    }
  })
})

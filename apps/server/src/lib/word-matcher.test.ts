import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { foldForFilter } from './fold-for-filter.ts'
import { createWordMatcher, type WordMatch, type WordRule } from './word-matcher.ts'

/** The same by trying every word at every place. */
function findAllNaively(rules: readonly WordRule[], raw: string): WordMatch[] {
  const { text, offsets, ends } = foldForFilter(raw)
  const placesOf = (word: string): [number, number][] => {
    const folded = foldForFilter(word).text
    const places: [number, number][] = []
    if (folded === '') return places
    for (let at = text.indexOf(folded); at >= 0; at = text.indexOf(folded, at + 1))
      places.push([at, at + folded.length])
    return places
  }
  return rules
    .flatMap(({ word, allow = [] }, rule) => {
      const safe = allow.flatMap(placesOf)
      return placesOf(word)
        .filter(([start, end]) => !safe.some(([from, to]) => from <= start && end <= to))
        .map(([start, end]) => ({ rule, word, start, end }))
    })
    .toSorted((a, b) => a.start - b.start || b.end - a.end || a.rule - b.rule)
    .map(({ word, start, end }) => ({ word, start: offsets[start]!, end: ends[end - 1]! }))
}

describe('createWordMatcher', () => {
  const matcher = createWordMatcher([{ word: '死ね' }, { word: 'バカ' }, { word: 'spam' }])

  it.each([
    ['死ね', '死ね'],
    ['おまえは死ねよ', '死ね'],
    ['死 ね', '死 ね'],
    ['死　ね', '死　ね'],
    ['死・ね', '死・ね'],
    ['死\u200bね', '死\u200bね'],
    ['死★☆ね', '死★☆ね'],
    ['タヒね', 'タヒね'],
    ['ﾀﾋね', 'ﾀﾋね'],
    ['ﾊﾞｶ', 'ﾊﾞｶ'],
    ['ばか', 'ばか'],
    ['は゛か', 'は゛か'],
    ['バ力', 'バ力'],
    ['ＳＰＡＭ', 'ＳＰＡＭ'],
    ['s p a m', 's p a m'],
    ['sраm', 'sраm'],
    ['sp4m', 'sp4m'],
  ])('finds a banned word in %j', (raw, found) => {
    const match = matcher.find(raw)
    expect(match).not.toBeNull()
    expect(raw.slice(match!.start, match!.end)).toBe(found)
  })

  it.each(['', '草', '必死。ねむい', '死の谷', 'タヒチ', '馬と鹿', 'はか', 'a'.repeat(4_000), '\ud800'])(
    'finds nothing in %j',
    (raw) => {
      expect(matcher.find(raw)).toBeNull()
      expect(matcher.findAll(raw)).toEqual([])
    },
  )

  it('does not fire inside an allowed longer word, but does beside it', () => {
    const allowing = createWordMatcher([
      { word: 'ass', allow: ['class', 'pass'] },
      { word: 'ころす', allow: ['こころする'] },
    ])
    expect(allowing.find('first CLASS, boarding pass')).toBeNull()
    expect(allowing.find('こころする')).toBeNull()
    expect(allowing.findAll('class ass')).toEqual([{ word: 'ass', start: 6, end: 9 }])
  })

  it('lets a word be allowed by one rule and banned by another', () => {
    const both = createWordMatcher([{ word: 'か', allow: ['かさ'] }, { word: 'かさ' }])
    expect(both.findAll('かさ')).toEqual([{ word: 'かさ', start: 0, end: 2 }])
  })

  it('reports overlapping words in the order in which they stand, longer ones first', () => {
    const overlapping = createWordMatcher([{ word: 'いう' }, { word: 'あ' }, { word: 'あいう' }])
    expect(overlapping.findAll('あいう').map(({ word }) => word)).toEqual(['あいう', 'あ', 'いう'])
    expect(overlapping.find('あいう')?.word).toBe('あいう')
  })

  it('ignores words that fold to nothing', () => {
    expect(createWordMatcher([{ word: '' }, { word: '☆' }, { word: '\u200b' }]).find('☆☆☆')).toBeNull()
  })

  it('finds what trying every word at every place finds', () => {
    const word = fc.string({ unit: fc.constantFrom(...'あいアｱaA死ね ・ー'), maxLength: 4 })
    const rule = fc.record({ word, allow: fc.array(word, { maxLength: 3 }) })
    const text = fc.string({ unit: fc.constantFrom(...'あいアｱaA死ね ・ーう。'), maxLength: 60 })
    fc.assert(
      fc.property(fc.array(rule, { maxLength: 8 }), text, (rules, raw) => {
        const built = createWordMatcher(rules)
        const expected = findAllNaively(rules, raw)
        expect(built.findAll(raw)).toEqual(expected)
        expect(built.find(raw)).toEqual(expected[0] ?? null)
      }),
      { numRuns: 1_000 },
    )
  })
})

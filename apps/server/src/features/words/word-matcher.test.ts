import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { foldForFilter } from './fold-for-filter.ts'
import { createWordMatcher, type GroupMatch, type Span, type WordMatch, type WordRule } from './word-matcher.ts'

type Place = Span & { readonly rule: number }

/** Finds the same occurrences by trying every word at every place of the folded text. */
function findPlacesNaively(rules: readonly WordRule[], raw: string): Place[] {
  const { text } = foldForFilter(raw)
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
        .map(([start, end]) => ({ rule, start, end }))
    })
    .toSorted((a, b) => a.start - b.start || b.end - a.end || a.rule - b.rule)
}

function toRaw<T extends Span>(raw: string, place: T): T {
  const { offsets, ends } = foldForFilter(raw)
  return { ...place, start: offsets[place.start]!, end: ends[place.end - 1]! }
}

function findAllNaively(rules: readonly WordRule[], raw: string): WordMatch[] {
  return findPlacesNaively(rules, raw).map((place) => {
    const { start, end } = toRaw(raw, place)
    return { word: rules[place.rule]!.word, start, end }
  })
}

/** The match of a group, with the union of all its occurrences computed place by place. */
function surveyNaively(rules: readonly WordRule[], raw: string, group: number): GroupMatch | null {
  const places = findPlacesNaively(rules, raw).filter(({ rule }) => rules[rule]!.group === group)
  const [first] = places
  if (first === undefined) return null
  const spans: { start: number; end: number }[] = []
  for (const { start, end } of places) {
    const last = spans.at(-1)
    if (last === undefined || start >= last.end) spans.push({ start, end })
    else last.end = Math.max(last.end, end)
  }
  const { start, end } = toRaw(raw, first)
  return { first: { word: rules[first.rule]!.word, start, end }, spans: spans.map((span) => toRaw(raw, span)) }
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

  it('does not match inside an allowed longer word, but matches beside it', () => {
    const allowing = createWordMatcher([
      { word: 'ass', allow: ['class', 'pass'] },
      { word: 'ころす', allow: ['こころする'] },
    ])
    expect(allowing.find('first CLASS, boarding pass')).toBeNull()
    expect(allowing.find('こころする')).toBeNull()
    expect(allowing.findAll('class ass')).toEqual([{ word: 'ass', start: 6, end: 9 }])
  })

  it('bans a word by one rule although another rule allows it', () => {
    const both = createWordMatcher([{ word: 'か', allow: ['かさ'] }, { word: 'かさ' }])
    expect(both.findAll('かさ')).toEqual([{ word: 'かさ', start: 0, end: 2 }])
  })

  it('reports overlapping words in order of their start, longer ones first', () => {
    const overlapping = createWordMatcher([{ word: 'いう' }, { word: 'あ' }, { word: 'あいう' }])
    expect(overlapping.findAll('あいう').map(({ word }) => word)).toEqual(['あいう', 'あ', 'いう'])
    expect(overlapping.find('あいう')?.word).toBe('あいう')
  })

  it('ignores words that fold to nothing', () => {
    expect(createWordMatcher([{ word: '' }, { word: '☆' }, { word: '\u200b' }]).find('☆☆☆')).toBeNull()
  })

  it('finds the same occurrences as trying every word at every place', () => {
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

  it('surveys each group: its first match, and the union of all its matches', () => {
    const grouped = createWordMatcher([
      { word: 'あい', group: 2 },
      { word: 'いう', group: 2 },
      { word: 'え' },
      { word: 'かき', group: 1, allow: ['かきね'] },
    ])
    expect(grouped.survey('あ い・うえ。あいあい。かきね')).toEqual([
      { first: { word: 'え', start: 5, end: 6 }, spans: [{ start: 5, end: 6 }] },
      null,
      {
        first: { word: 'あい', start: 0, end: 3 },
        spans: [
          { start: 0, end: 5 },
          { start: 7, end: 9 },
          { start: 9, end: 11 },
        ],
      },
    ])
    expect(grouped.survey('')).toEqual([null, null, null])
    expect(createWordMatcher([]).survey('あい')).toEqual([])
  })

  it('surveys the same matches as trying every word at every place', () => {
    const word = fc.string({ unit: fc.constantFrom(...'あいアｱaA死ね ・ー'), maxLength: 4 })
    const rule = fc.record({ word, allow: fc.array(word, { maxLength: 2 }), group: fc.nat({ max: 2 }) })
    const text = fc.string({ unit: fc.constantFrom(...'あいアｱaA死ね ・ーう。'), maxLength: 60 })
    fc.assert(
      fc.property(fc.array(rule, { maxLength: 8 }), text, (rules, raw) => {
        const found = createWordMatcher(rules).survey(raw)
        for (const [group, match] of found.entries()) expect(match).toEqual(surveyNaively(rules, raw, group))
      }),
      { numRuns: 1_000 },
    )
  })

  it.each([
    ['', undefined],
    [', with allowed words as well', [`${'あ'.repeat(3_000)}い`]],
  ])('takes the same time however many words end at each place of a text%s', (_, allow = []) => {
    const nested = Array.from({ length: 3_000 }, (__, index) => ({ word: 'あ'.repeat(index + 1), allow }))
    const manyEnd = createWordMatcher(nested)
    const text = 'あ'.repeat(4_000)
    const [found] = manyEnd.survey(text)
    const times = Array.from({ length: 20 }, () => {
      const start = performance.now()
      manyEnd.survey(text)
      return performance.now() - start
    })
    // Ten million occurrences: reporting them one by one takes a hundred times as long. A busy
    // machine interrupts some, so that the fastest counts.
    expect(Math.min(...times)).toBeLessThan(100)
    expect(found).toEqual({
      first: { word: 'あ'.repeat(3_000), start: 0, end: 3_000 },
      spans: [{ start: 0, end: 4_000 }],
    })
  })

  it('reads ever longer texts and astral characters, one after another', () => {
    const matcherOfKanji = createWordMatcher([{ word: '𠮷野' }])
    for (const length of [10, 20_000, 30]) {
      const raw = `${'㍍'.repeat(length)}𠮷野`
      expect(matcherOfKanji.find(raw)).toEqual({ word: '𠮷野', start: length, end: length + 3 })
      expect(foldForFilter(raw).text).toBe(`${'めーとる'.repeat(length)}𠮷野`)
    }
  })
})

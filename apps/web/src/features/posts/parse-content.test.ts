import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ANCHORS_MAX, numbersOf } from '@shinobi/text/anchors'
import { countOf, LINKS_MAX, parseContent, type Token } from './parse-content.ts'

const anchors = (text: string) =>
  parseContent(text).flatMap((token) => (token.kind === 'anchor' ? [{ text: token.text, ranges: token.ranges }] : []))
const links = (text: string) =>
  parseContent(text).flatMap((token) => (token.kind === 'link' ? [{ text: token.text, href: token.href }] : []))
const joined = (tokens: readonly Token[]) => tokens.map((token) => token.text).join('')

describe('a post that contains only anchors or links', () => {
  const kindsOf = (tokens: readonly Token[], kind: Token['kind']) =>
    tokens.filter((token) => token.kind === kind).length
  test('has a limited number of them, and the rest is text', () => {
    const bomb = '>>1'.repeat(999)
    expect(kindsOf(parseContent(bomb), 'anchor')).toBe(ANCHORS_MAX)
    expect(joined(parseContent(bomb))).toBe(bomb)
    const addresses = 'https://忍.jp http://a.jp '.repeat(200)
    expect(kindsOf(parseContent(addresses), 'link')).toBe(LINKS_MAX)
    expect(joined(parseContent(addresses))).toBe(addresses)
  })
  test('has no more of them when a part is folded', () => {
    const head = parseContent('>>1 '.repeat(20))
    expect(kindsOf(parseContent('>>2 '.repeat(20), { before: head }), 'anchor')).toBe(ANCHORS_MAX - 20)
    expect(kindsOf(parseContent('>>2 '.repeat(20), { before: parseContent('>>1 '.repeat(40)) }), 'anchor')).toBe(0)
  })
})

describe('IDs', () => {
  const ids = (text: string) =>
    parseContent(text).flatMap((token) => (token.kind === 'id' ? [{ text: token.text, id: token.id }] : []))

  test('eight characters behind ID: are an ID, wherever they stand in a sentence', () => {
    expect(ids('またID:k3x9pQ_a(2/7)か')).toEqual([{ text: 'ID:k3x9pQ_a', id: 'k3x9pQ_a' }])
    expect(ids('ID：k3x9pQ-a')).toEqual([{ text: 'ID：k3x9pQ-a', id: 'k3x9pQ-a' }])
  })
  test('more or fewer characters, other words and addresses are none', () => {
    for (const text of ['ID:k3x9pQ_', 'ID:k3x9pQ_ab', 'GRID:k3x9pQ_a', 'ID k3x9pQ_a', 'https://a.jp/?ID:k3x9pQ_a']) {
      expect(ids(text)).toEqual([])
      expect(joined(parseContent(text))).toBe(text)
    }
  })
})

test('the addresses of a newcomer are text, which stays as it was typed', () => {
  expect(parseContent('見て https://a.jp/%E5%BF%8D >>1', { plainLinks: true })).toEqual([
    { kind: 'text', text: '見て ' },
    { kind: 'address', text: 'https://a.jp/%E5%BF%8D' },
    { kind: 'text', text: ' ' },
    { kind: 'anchor', text: '>>1', ranges: [{ from: 1, to: 1 }] },
  ])
})

describe('anchors', () => {
  test('two signs and a number point at a post', () => {
    expect(parseContent('>>12 それな')).toEqual([
      { kind: 'anchor', text: '>>12', ranges: [{ from: 12, to: 12 }] },
      { kind: 'text', text: ' それな' },
    ])
  })
  test('full-width signs and digits mean the same', () => {
    expect(anchors('＞＞１２さん')).toEqual([{ text: '＞＞１２', ranges: [{ from: 12, to: 12 }] }])
    expect(anchors('＞>１2')).toEqual([{ text: '＞>１2', ranges: [{ from: 12, to: 12 }] }])
  })
  test('ranges and lists are one anchor', () => {
    expect(anchors('>>3-5 >>1,3 >>1,4－6 >>２〜４')).toEqual([
      { text: '>>3-5', ranges: [{ from: 3, to: 5 }] },
      { text: '>>1,3', ranges: [{ from: 1, to: 1 }, { from: 3, to: 3 }] }, // prettier-ignore
      { text: '>>1,4－6', ranges: [{ from: 1, to: 1 }, { from: 4, to: 6 }] }, // prettier-ignore
      { text: '>>２〜４', ranges: [{ from: 2, to: 4 }] },
    ])
  })
  test('a range written backwards is read forwards', () => {
    expect(anchors('>>5-3')).toEqual([{ text: '>>5-3', ranges: [{ from: 3, to: 5 }] }])
  })
  test('characters after the number stay text', () => {
    expect(anchors('>>1-')).toEqual([{ text: '>>1', ranges: [{ from: 1, to: 1 }] }])
    expect(anchors('>>1,000円')).toEqual([{ text: '>>1', ranges: [{ from: 1, to: 1 }] }])
    expect(anchors('>>1、2つ目')).toEqual([{ text: '>>1', ranges: [{ from: 1, to: 1 }] }])
    expect(joined(parseContent('>>1,000円'))).toBe('>>1,000円')
  })
  test('one sign, zero, leading zeros, no number and absurd numbers are text', () => {
    for (const text of ['>12', '＞12', '>>', '>>0', '>>012', '>>abc', '> > 1', '>>12345678901']) {
      expect(anchors(text)).toEqual([])
    }
  })
  test('a third sign in front changes nothing', () => {
    expect(parseContent('>>>7')).toEqual([
      { kind: 'text', text: '>' },
      { kind: 'anchor', text: '>>7', ranges: [{ from: 7, to: 7 }] },
    ])
  })
  test('a huge range gives at most the requested number of posts', () => {
    const [token] = anchors('>>1-1000,3')
    expect(numbersOf(token?.ranges ?? [], 5)).toEqual([1, 2, 3, 4, 5])
    expect(countOf(token?.ranges ?? [])).toBe(1001)
    expect(numbersOf([{ from: 3, to: 4 }, { from: 4, to: 5 }], 9)).toEqual([3, 4, 5]) // prettier-ignore
  })
})

describe('links', () => {
  test('http and https become links', () => {
    expect(links('見て https://example.com/a?b=c#d これ')).toEqual([
      { text: 'https://example.com/a?b=c#d', href: 'https://example.com/a?b=c#d' },
    ])
    expect(links('HTTP://EXAMPLE.com')).toEqual([{ text: 'HTTP://EXAMPLE.com', href: 'http://example.com/' }])
  })
  test('the omitted h of ttps:// is added', () => {
    expect(links('ttps://example.com/')).toEqual([{ text: 'ttps://example.com/', href: 'https://example.com/' }])
    expect(links('ttp://example.com/')).toEqual([{ text: 'ttp://example.com/', href: 'http://example.com/' }])
  })
  test('Japanese text and full-width brackets end an address', () => {
    expect(links('（https://example.com/a）を「https://example.com/b」で。')).toEqual([
      { text: 'https://example.com/a', href: 'https://example.com/a' },
      { text: 'https://example.com/b', href: 'https://example.com/b' },
    ])
    expect(links('https://example.com/aを見て')).toEqual([
      { text: 'https://example.com/a', href: 'https://example.com/a' },
    ])
  })
  test('punctuation of the sentence stays outside, brackets of the address inside', () => {
    expect(links('See https://example.com/a.')[0]?.text).toBe('https://example.com/a')
    expect(links('https://example.com/a?!')[0]?.text).toBe('https://example.com/a')
    expect(links('(https://example.com/a)')[0]?.text).toBe('https://example.com/a')
    expect(links('https://ja.wikipedia.org/wiki/A_(B)')[0]?.text).toBe('https://ja.wikipedia.org/wiki/A_(B)')
    expect(links('(https://ja.wikipedia.org/wiki/A_(B)).')[0]?.text).toBe('https://ja.wikipedia.org/wiki/A_(B)')
  })
  test('Japanese is shown decoded, deceptive characters stay encoded', () => {
    const label = (text: string) => parseContent(text).find((token) => token.kind === 'link')?.label
    expect(label('https://ja.wikipedia.org/wiki/%E5%BF%8D%E8%80%85')).toBe('https://ja.wikipedia.org/wiki/忍者')
    expect(label('https://example.com/%E2%80%AEa%20%2Fb')).toBe('https://example.com/%E2%80%AEa%20%2Fb')
    expect(label('https://example.com/%E5%BF')).toBe('https://example.com/%E5%BF')
  })
  test('other schemes and hidden user names never become links', () => {
    for (const text of [
      'javascript:alert(1)',
      'data:text/html,x',
      'ftp://example.com',
      'https://',
      'https://user@example.com/',
      'https://bank.example:x@evil.example/',
      'xttps://example.com',
    ]) {
      expect(links(text)).toEqual([])
      expect(joined(parseContent(text))).toBe(text)
    }
  })
  test('an anchor right after an address is found too', () => {
    expect(parseContent('https://example.com>>2').map((token) => token.kind)).toEqual(['link', 'anchor'])
  })
})

describe('any text', () => {
  const pieces = fc.constantFrom(
    ...[
      '>>',
      '＞＞',
      '1',
      '２',
      '-',
      ',',
      '、',
      'https://',
      'ttp://',
      'javascript:',
      'example.com',
      '/',
      '@',
      '(',
      ')',
    ],
    ...['）', '。', ' ', '　', '\n', 'あ', '草', '%E5%BF%8D', '%', '👨‍👩‍👧', '\u202e', '<b>', '"', '\ud800'],
  )
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(pieces, { maxLength: 30 }).map((parts) => parts.join('')),
  )

  test('tokens joined reproduce the text, none is empty, and every address is http(s)', () => {
    fc.assert(
      fc.property(text, (input) => {
        const tokens = parseContent(input)
        expect(joined(tokens)).toBe(input)
        for (const token of tokens) {
          expect(token.text).not.toBe('')
          if (token.kind === 'link') {
            expect(token.href).toMatch(/^https?:\/\//u)
            expect(token.label).not.toMatch(/[\s"<>\u200b-\u200f\u202a-\u202e\u2066-\u2069]/u)
          }
          if (token.kind === 'anchor') {
            for (const { from, to } of token.ranges) {
              expect(from).toBeGreaterThan(0)
              expect(to).toBeGreaterThanOrEqual(from)
            }
          }
        }
      }),
      { numRuns: 2_000 },
    )
  })
})

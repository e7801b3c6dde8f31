import fc from 'fast-check'
import iconv from 'iconv-lite'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { decodeCp932, encodeCp932 } from './cp932.ts'
import { fitLine, formatLine, formatLineWithin, formatRemoved, type DatPost } from './line.ts'

const POST: DatPost = {
  ...{ name: '名無し', trip: null, staff: false, mail: '', posterId: 'abcd1234', title: '' },
  ...{ at: new Date('2026-11-23T03:34:56.789Z'), body: '本文' },
}

const textOf = (line: Buffer): string => decodeCp932(line)

describe('the line of a post', () => {
  it('has name, mail, date with ID, body and title', () => {
    expect(textOf(formatLine({ ...POST, mail: 'sage', title: '題名' }))).toBe(
      '名無し<>sage<>2026/11/23(月) 12:34:56.78 ID:abcd1234<> 本文 <>題名\n',
    )
  })

  it('has four separators also without mail, ID and title', () => {
    expect(textOf(formatLine({ ...POST, posterId: null }))).toBe('名無し<><>2026/11/23(月) 12:34:56.78<> 本文 <>\n')
  })

  it('shows a tripcode and the mark of the staff as 2ch does', () => {
    expect(textOf(formatLine({ ...POST, name: '影丸', trip: 'abcdEFGH12' }))).toMatch(/^影丸<\/b> ◆abcdEFGH12 <b><>/)
    expect(textOf(formatLine({ ...POST, name: '運営', staff: true }))).toMatch(/^運営 ★<>/)
  })

  it('escapes what would be markup or a separator, and joins lines by <br>', () => {
    const line = textOf(formatLine({ ...POST, name: 'a<>b', body: '>>1\r\n"<b>" & <>\n\nend' }))
    expect(line).toMatch(/^a&lt;&gt;b<>/)
    expect(line).toContain('<> &gt;&gt;1 <br> &quot;&lt;b&gt;&quot; &amp; &lt;&gt; <br>  <br> end <>')
  })

  it('keeps the spaces of drawings', () => {
    const drawing = '　　 ∧＿∧\n 　 （　´∀｀）  ＜ ｵﾏｴﾓﾅｰ\n　　|⌒ ｜'
    expect(textOf(formatLine({ ...POST, body: drawing }))).toContain(` ${drawing.replaceAll('\n', ' <br> ')} `)
  })

  it('writes what CP932 lacks as decimal references, and leaves out variation selectors', () => {
    expect(textOf(formatLine({ ...POST, body: '😂 ❤️ é ①㈱髙～ 👨‍👩 ¥100 \\' }))).toContain(
      '&#128514; &#10084; &#233; ①㈱髙～ &#128104;&#8205;&#128105; &#165;100 \\',
    )
  })

  it('is one line of five fields, whatever the texts are', () => {
    const text = fc.string({ unit: 'binary' })
    fc.assert(
      fc.property(text, text, text, text, (name, mail, body, title) => {
        const line = textOf(formatLine({ ...POST, name, mail, body, title, posterId: null }))
        expect(line.indexOf('\n')).toBe(line.length - 1)
        expect(line.split('<>')).toHaveLength(5)
        expect(line.replaceAll(' <br> ', '').replaceAll('<>', '')).not.toMatch(/[<>"]/)
      }),
    )
  })
})

describe('the longest line', () => {
  const text = fc.string({ unit: 'binary', maxLength: 60 })

  it('is cut as a line that must have its length, and a shorter one is whole', () => {
    fc.assert(
      fc.property(text, text, text, fc.integer({ min: 60, max: 400 }), (name, mail, body, max) => {
        const post = { ...POST, name, mail, body }
        const whole = formatLine(post)
        expect(formatLineWithin(post, max)).toEqual(whole.length <= max ? whole : fitLine(post, max))
      }),
    )
  })

  it('is all that is encoded of a post without end', () => {
    const encode = vi.spyOn(iconv, 'encode')
    onTestFinished(() => encode.mockRestore())
    const post = { ...POST, mail: 'sage', body: '👨‍👩‍👧'.repeat(2_550) }
    expect(formatLineWithin(post, 16_384)).toHaveLength(16_384)
    expect(fitLine(post, 16_384)).toHaveLength(16_384)
    expect(Math.max(...encode.mock.calls.map(([encoded]) => encoded.length))).toBeLessThanOrEqual(16_384)
  })
})

describe('a line whose content has changed', () => {
  const bytes = formatLine(POST).length

  it('is as it was while the content is the same', () => {
    expect(fitLine(POST, bytes)).toEqual(formatLine(POST))
  })

  it('is padded behind the body when it is shorter', () => {
    expect(textOf(fitLine({ ...POST, body: '短' }, bytes))).toMatch(/<> 短 {3}<>\n$/)
  })

  it('loses its name, and then the end of its body, when it is longer', () => {
    const fit = (body: string) => textOf(fitLine({ ...POST, name: '長い名前の忍者', body }, bytes))
    expect(fit('&&&&長くなった本文')).toMatch(/^<><>2026.*<> &amp;… +<>\n$/)
    expect(fit('¥¥¥¥長くなった本文')).toMatch(/^<><>2026.*<> &#165;… +<>\n$/)
  })

  it('keeps its name, mail and last lines when the body has to be cut anyway', () => {
    const picture = 'https://board.example/images/1.webp'
    const body = `${'😀'.repeat(4_000)}\n${picture}`
    const post = { ...POST, name: '名', trip: 'GmgU93SCyE', mail: 'sage', body, lastLines: 1 }
    const line = fitLine(post, 16_384)
    expect(line).toHaveLength(16_384)
    expect(textOf(line)).toMatch(
      /^名<\/b> ◆GmgU93SCyE <b><>sage<>2026.*<> (&#128512;){1800,}… <br> https:\/\/board\.example\/images\/1\.webp +<>\n$/,
    )
  })

  it('has the same length when it is removed, and keeps the title of its thread', () => {
    const opening = { ...POST, title: '題名' }
    const removed = formatRemoved('題名', formatLine(opening).length)
    expect(removed).toHaveLength(formatLine(opening).length)
    expect(textOf(removed)).toMatch(/^あぼーん<>あぼーん<>あぼーん<> あぼーん +<>題名\n$/)
  })

  it('has exactly the length that it must have, whatever became of it', () => {
    const text = fc.string({ unit: 'binary', maxLength: 60 })
    const post = fc.record({ name: text, body: text, title: fc.constantFrom('', '題名') })
    fc.assert(
      fc.property(post, post, ({ name, body, title }, later) => {
        const before = formatLine({ ...POST, name, body, title })
        for (const line of [
          fitLine({ ...POST, ...later, title }, before.length),
          formatRemoved(title, before.length),
        ]) {
          expect(line).toHaveLength(before.length)
          expect(line.indexOf('\n')).toBe(line.length - 1)
          expect(textOf(line).split('<>')).toHaveLength(5)
        }
      }),
    )
  })
})

describe('CP932', () => {
  it('gives each of its characters back', () => {
    const characters = Array.from(
      { length: 0x10000 },
      (_, code) => decodeCp932(Buffer.from(code > 0xff ? [code >> 8, code & 0xff] : [code])),
      // Those for private use have no meaning elsewhere.
    ).filter((text) => [...text].length === 1 && !/[\ufffd\p{Co}]/u.test(text))
    expect(characters.length).toBeGreaterThan(7_000)
    expect(characters.filter((text) => decodeCp932(encodeCp932(text)) !== text)).toEqual([])
  })

  it('counts question marks as what they are', () => {
    expect(decodeCp932(encodeCp932('?😂?é?'))).toBe('?&#128514;?&#233;?')
  })
})

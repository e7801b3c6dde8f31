import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { splitSentences } from './sentences.ts'

const split = (text: string) => splitSentences(text).map(({ text: sentence }) => sentence)

describe('sentences', () => {
  it.each<[string, string, string[]]>([
    ['at full stops', '雨が降った。風も吹いた。', ['雨が降った。', '風も吹いた。']],
    ['at ！ and ？, several of them at once', '本当か！？ 本当だ！', ['本当か！？', '本当だ！']],
    ['at line ends', '見出し\n本文だ。\r\n次の段落', ['見出し', '本文だ。', '次の段落']],
    [
      'not in what somebody says',
      '首相は「やる。必ずやる。」と述べた。次だ。',
      ['首相は「やる。必ずやる。」と述べた。', '次だ。'],
    ],
    ['not in nested brackets', '（「上。」『下。』を読む。）と書いた。', ['（「上。」『下。』を読む。）と書いた。']],
    ['after a bracket that belongs to the sentence', '終わった（完。）。次', ['終わった（完。）。', '次']],
    ['also after a bracket that nothing closes', '「まだ。もう。\n「次。', ['「まだ。', 'もう。', '「次。']],
    ['not in numbers', '3.5%増え、１２．５%減った。', ['3.5%増え、１２．５%減った。']],
    ['not in names', 'Yahoo!ニュースとU.S.スチール。', ['Yahoo!ニュースとU.S.スチール。']],
    [
      'of English',
      'Mr. Smith of the U.S. Army left. He paid $3.50! Why?',
      ['Mr. Smith of the U.S. Army left.', 'He paid $3.50!', 'Why?'],
    ],
    ['of nothing', ' \n　\n', []],
  ])('end %s', (_, text, expected) => {
    expect(split(text)).toEqual(expected)
  })

  it('stand in their text at the given positions, and leave out nothing but spaces', () => {
    const text = fc.array(fc.constantFrom(...'「」『』（）()。！？!?. \n　あ1aア\ud800"'.split('')), { maxLength: 60 })
    fc.assert(
      fc.property(
        text.map((chars) => chars.join('')),
        (whole) => {
          const sentences = splitSentences(whole)
          let from = 0
          for (const { text: sentence, start, end } of sentences) {
            expect(whole.slice(start, end)).toBe(sentence)
            expect(whole.slice(from, start).trim()).toBe('')
            from = end
          }
          expect(whole.slice(from).trim()).toBe('')
        },
      ),
    )
  })
})

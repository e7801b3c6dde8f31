import fc from 'fast-check'
import { expect, test } from 'vitest'
import { NICKNAME, POST, TITLE } from './limits.ts'
import { findProblem, nameBadCharacter } from './text.ts'

test.each([
  ['a NUL', 'body', '月\0夜', '2文字目の制御文字 U+0000'],
  ['half a character', 'body', '月夜\ud83d', '3文字目の壊れた文字'],
  ['a direction override in a name', 'line', '影\u202e丸', '2文字目の文字の向きを変える記号 U+202E'],
  ['a line break in a title', 'line', '一行\n二行', '3文字目の改行'],
  ['a line break of a form', 'line', '一行\r\n二行', '3文字目の改行'],
  ['a tab in a title', 'line', '\t題', '1文字目のタブ'],
  ['marks heaped on one letter', 'body', `abz${'\u0301'.repeat(40)}`, '4文字目の重ねすぎた記号'],
  ['marks strewn with joiners', 'body', `a${'\u0301\u0316\u0301\ufe0f'.repeat(20)}`, '2文字目の重ねすぎた記号'],
] as const)('names %s and where it stands', (_what, kind, text, name) => {
  expect(findProblem(text, POST, kind)).toBe('bad_characters')
  expect(nameBadCharacter(text, kind)).toBe(name)
})

test('names a character in every refused text, however the characters are mixed', () => {
  const bad = fc.constantFrom('\0', '\n', '\t', '\u202e', '\u0301', '\u3099', '\u200d', '\ud83d', 'か', '👨‍👩‍👧', 'a', ' ')
  fc.assert(
    fc.property(
      fc.string({ unit: bad, maxLength: 60 }),
      fc.constantFrom('body' as const, 'line' as const),
      (text, kind) => {
        fc.pre(findProblem(text, POST, kind) === 'bad_characters')
        expect(nameBadCharacter(text, kind)).toMatch(/^\d+文字目の./)
      },
    ),
  )
})

test.each(['\u034f', '\u17b4\u17b5', '\u034f \u034f \u034f', '\u200b\u3164\u2800\ufe0f\u3000'])(
  'a text that shows nothing is blank: %j',
  (text) => {
    expect(findProblem(text, POST, 'body')).toBe('blank')
    expect(findProblem(text, TITLE, 'line')).toBe('blank')
    expect(findProblem(text, NICKNAME, 'line')).toBe('blank')
  },
)

test.each(['a\u200b\u200b', 'あ\u200bい', 'あ\u00adい', '草\u3164\u3164\u3164'])(
  'what shows nothing does not fill up a title: %j',
  (text) => {
    expect(findProblem(text, TITLE, 'line')).toBe('too_short')
    expect(findProblem('👨‍👩‍👧と犬', TITLE, 'line')).toBeNull()
  },
)

test('a letter with an invisible character shows something', () => {
  expect(findProblem('か\u034f', NICKNAME, 'line')).toBeNull()
})

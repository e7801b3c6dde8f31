import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toDrawable } from './drawable.ts'
import { glyphOf } from './glyphs.ts'

test('Japanese, Latin, Greek and Cyrillic letters, signs and faces are drawn as they are', () => {
  for (const text of [
    '【速報】忍者、現る ★3',
    '(´・ω・｀)ｼｮﾎﾞｰﾝ',
    '( ﾟ∀ﾟ) (;´Д｀)',
    'Привет, αβγ',
    '髙橋と﨑山のスレ',
    '〓…—',
  ]) {
    expect(toDrawable(text)).toBe(text)
  }
})

test('emoji are drawn in one colour, a family as its first person', () => {
  expect(toDrawable('🔥花火👨‍👩‍👧‍👦👍🏽❤️🇯🇵')).toBe('🔥花火👨👍❤🇯🇵')
})

test('what no font has is replaced by its usual form, by its parts, or by 〓', () => {
  expect(toDrawable('～森鷗外の噓―')).toBe('〜森鴎外の嘘—')
  expect(toDrawable('第Ⅳ回 ｶﾞ')).toBe('第IV回 ｶﾞ')
  expect(toDrawable('日本語と 안녕')).toBe('日本語と 〓')
})

test('a title of which most would be missing is not drawn', () => {
  expect(toDrawable('안녕하세요 여러분')).toBeNull()
  expect(toDrawable('مرحبا بالعالم')).toBeNull()
})

test('marks, invisible characters and controls of direction leave nothing behind', () => {
  expect(toDrawable('Z̸̢̛͕a̷̧̛l̵̨̛g̷̨o̴̡̕')).toBe('Zalgo')
  expect(toDrawable('か\u3099んばる')).toBe('がんばる')
  expect(toDrawable('\u202e逆\u200bさ\u{e0041}ま\u0000\n\u3000  終')).toBe('逆さま 終')
  expect(toDrawable('壊\ud800れ')).toBe('壊〓れ')
})

test('every character of a drawable text has a glyph', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
      for (const character of toDrawable(text) ?? '') expect(glyphOf(character.codePointAt(0)!)).not.toBeNull()
    }),
  )
})

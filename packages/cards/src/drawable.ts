/** Turns the text of a visitor into characters that can be drawn one after the other. */
import { glyphOf } from './glyphs.ts'

/** 〓 is what Japanese printers set for a type that they do not have. */
const MISSING = '〓'

/** Characters that the fonts lack, and what is set in their place. */
const ALTERNATES: Readonly<Record<string, string>> = {
  '―': '—',
  '～': '〜',
  '－': '−',
  '∥': '‖',
  鷗: '鴎',
  噓: '嘘',
  剝: '剥',
  頰: '頬',
}

const graphemes = new Intl.Segmenter('ja', { granularity: 'grapheme' })

/**
 * One code point for each character to draw, all of which have a glyph; spaces are single. Marks
 * that were not composed with their letter, invisible characters and controls of direction are left
 * out: nothing can climb out of its line, and no order is turned around.
 * @returns null where more than half would be missing, as of a title in Hangul
 */
export function toDrawable(text: string): string | null {
  let drawn = ''
  let missing = 0
  let count = 0
  for (const segment of charactersOf(text.toWellFormed().normalize('NFC'))) {
    const visible = segment.replaceAll(/[\p{M}\p{C}\u{1f3fb}-\u{1f3ff}]/gu, '')
    if (/^\s*$/u.test(visible)) {
      // A space of any width; also what was invisible altogether.
      if (/\s/u.test(segment) && !drawn.endsWith(' ')) drawn += ' '
      continue
    }
    count += 1
    const set = setOf(visible)
    if (set === null) missing += 1
    if (set !== null || !drawn.endsWith(MISSING)) drawn += set ?? MISSING
  }
  return missing * 2 > count ? null : drawn.trim()
}

/** As readers see them; the half-width marks ﾞ and ﾟ stand for themselves, as in (ﾟ∀ﾟ). */
const charactersOf = (text: string): string[] =>
  Array.from(graphemes.segment(text), ({ segment }) => segment).flatMap((segment) => segment.split(/(?=[ﾞﾟ])/u))

/** @param visible a character as readers see it, such as a letter, or a family of emoji */
function setOf(visible: string): string | null {
  const [first = ''] = visible
  // A flag is a pair of letters; of other sequences the first part stands for the whole.
  const base = /^\p{RI}{2}$/u.test(visible) ? visible : first
  return [base, ALTERNATES[base] ?? '', base.normalize('NFKC')].find(hasGlyphs) ?? null
}

const hasGlyphs = (text: string): boolean =>
  text !== '' && [...text].every((character) => glyphOf(character.codePointAt(0)!) !== null)

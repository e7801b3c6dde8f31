/**
 * Measures and cleans typed text, the same way on both ends. Text is stored as typed: nothing here
 * normalises (NFKC would destroy Shift_JIS art); folding for search and filters is in
 * packages/text.
 */
import { COMBINING_MARKS_MAX, type TextLimit } from './limits.ts'

/** Made when it is needed: the first object of `Intl` takes a browser 9 ms, and a phone 40. */
let segmenter: Intl.Segmenter | undefined

/** The graphemes of a text, with the index of each. */
export const splitGraphemes = (text: string): Intl.Segments =>
  (segmenter ??= new Intl.Segmenter('ja', { granularity: 'grapheme' })).segment(text)

/**
 * Text in which every UTF-16 unit is one grapheme: common CJK, kana without combining marks,
 * printable ASCII, line feeds.
 */
const SIMPLE = /^[\n\x20-\x7e\u3000-\u3098\u309b-\u30ff\u4e00-\u9fff\uff01-\uff9d]*$/

/** Counts what a reader calls characters: 👨‍👩‍👧 is one, か with a combining ゛ is one. */
export function countGraphemes(text: string): number {
  if (SIMPLE.test(text)) return text.length
  let count = 0
  for (const _ of splitGraphemes(text)) count += 1
  return count
}

/** The first `max` graphemes of a text, with … where something was cut. */
export function truncateGraphemes(text: string, max: number): string {
  if (text.length <= max) return text
  let count = 0
  for (const { index } of splitGraphemes(text)) {
    if (count === max) return `${text.slice(0, index).trimEnd()}…`
    count += 1
  }
  return text
}

const utf8 = new TextEncoder()
export const countBytes = (text: string): number => utf8.encode(text).length

/**
 * Characters that show nothing: spaces, controls, format characters, what fonts leave out (joiners,
 * variation selectors, Hangul fillers), and blank Braille.
 */
const INKLESS = /[\s\p{Cc}\p{Cf}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/gu

/** Of these, what is no space. */
const UNSEEN = /[\p{Default_Ignorable_Code_Point}\u2800]/gu

/** True for text a reader would call empty, zero-width and full-width spaces included. */
const isBlank = (text: string): boolean => text.replace(INKLESS, '') === ''

/** Explicit direction controls: they can make a name or title read as another one. */
const BIDI_CONTROLS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u
/**
 * Control characters other than tab and line feed. No post needs one, and PostgreSQL cannot store
 * NUL.
 */
// oxlint-disable-next-line no-control-regex -- the control characters are what is looked for
const CONTROLS = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/u
// oxlint-disable-next-line no-control-regex -- as above
const CONTROLS_ONE_LINE = /[\x00-\x1f\x7f-\x9f\u2028\u2029]/u
/**
 * More marks on one base character than any script needs. Kana voicing marks, variation selectors
 * and joiners are allowed up to a point: the first pattern counts the other marks, however these
 * are mixed in; the second limits a run of marks of any kind.
 */
const ZALGO = new RegExp(
  `(?:[\\u3099\\u309a\\u200c\\u200d\\p{Variation_Selector}]*(?![\\u3099\\u309a\\p{Variation_Selector}])\\p{M}){${COMBINING_MARKS_MAX + 1}}`,
  'u',
)
const LONG_RUN = /[\p{M}\u200c\u200d]{9}/u

export type TextProblem = 'blank' | 'too_short' | 'too_long' | 'bad_characters'

/**
 * Line ends become LF and trailing empty lines are cut: forms and keyboards add both. Leading
 * spaces stay, because Shift_JIS art needs them.
 */
export const cleanBody = (text: string): string => text.replace(/\r\n?/g, '\n').trimEnd()

/** Cuts the spaces around a text of one line. */
export const cleanLine = (text: string): string => text.trim()

/**
 * ◆ and ★ mark tripcodes and staff on Japanese boards, so free names show the hollow ones instead.
 */
export const cleanName = (text: string): string => cleanLine(text).replaceAll('◆', '◇').replaceAll('★', '☆')

/**
 * What is wrong with a body (line feeds and tabs allowed) or a line, or null. Expects cleaned text.
 */
export function findProblem(text: string, limit: TextLimit, kind: 'body' | 'line'): TextProblem | null {
  if (text.length > limit.maxBytes) return 'too_long'
  if (limit.min > 0 && isBlank(text)) return 'blank'
  if (!text.isWellFormed()) return 'bad_characters'
  if ((kind === 'body' ? CONTROLS : CONTROLS_ONE_LINE).test(text)) return 'bad_characters'
  if (kind === 'line' && BIDI_CONTROLS.test(text)) return 'bad_characters'
  // Keep this order: ZALGO is only fast on texts whose runs are short.
  if (LONG_RUN.test(text) || ZALGO.test(text)) return 'bad_characters'
  const length = countGraphemes(text)
  // What shows nothing fills no title up.
  if (length < limit.min || countGraphemes(text.replace(UNSEEN, '')) < limit.min) return 'too_short'
  if (length > limit.max || countBytes(text) > limit.maxBytes) return 'too_long'
  return null
}

/** Half of a surrogate pair, which remains when a character is cut in two. */
const HALF = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/

const codeOf = (character: string): string =>
  `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`

/**
 * Names the first character for which `findProblem` reports bad_characters, because most of these
 * are invisible. Expects such a text.
 */
export function nameBadCharacter(text: string, kind: 'body' | 'line'): string {
  const found = [
    { at: text.search(HALF), name: () => '壊れた文字' },
    { at: text.search(kind === 'body' ? CONTROLS : CONTROLS_ONE_LINE), name: nameControl },
    {
      at: kind === 'line' ? text.search(BIDI_CONTROLS) : -1,
      name: (one: string) => `文字の向きを変える記号 ${codeOf(one)}`,
    },
    { at: text.search(LONG_RUN), name: () => '重ねすぎた記号' },
    // ZALGO is only fast on texts without a long run, which the line above has found.
    { at: LONG_RUN.test(text) ? -1 : text.search(ZALGO), name: () => '重ねすぎた記号' },
  ]
  const [first] = found.filter(({ at }) => at >= 0).toSorted((one, other) => one.at - other.at)
  if (first === undefined) return ''
  return `${countGraphemes(text.slice(0, first.at)) + 1}文字目の${first.name(text.slice(first.at))}`
}

function nameControl(text: string): string {
  if (/^[\r\n]/.test(text)) return '改行'
  if (text.startsWith('\t')) return 'タブ'
  return `制御文字 ${codeOf(text)}`
}

/** A language tag of BCP 47: ja, en, zh-Hant. */
export const LANGUAGE_TAG = /^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/

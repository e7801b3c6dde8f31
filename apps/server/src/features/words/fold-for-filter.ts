/**
 * The folded copy of a text for the word filter. It folds more than search does, because people use
 * look-alikes and separators to evade a filter: 死 ね, 死・ね, ﾀﾋね, バ力, аss, sh1t. Every unit of the
 * copy maps to its place in the raw text, so that a match can be shown in the text as typed.
 *
 * Folding a folded text changes nothing. The rules below depend on it: no rule changes the output
 * of an earlier one.
 *
 * Every post is folded here. So the text is a struct of arrays (fold-for-filter.chars.ts) that each
 * rule processes once, in place: no object is allocated per character, and a rule that cannot match
 * any character of the text is skipped.
 */
import { foldClusters, HAN, HARD, KANA, LONG, OTHER, SOFT, TRAIT, type Chars } from './fold-for-filter.chars.ts'

export interface FilterFold {
  readonly text: string
  /** For every UTF-16 unit of `text`, the start of its source in the raw text. Never decreases. */
  readonly offsets: Int32Array
  /** For every UTF-16 unit of `text`, the end of its source in the raw text. Never decreases. */
  readonly ends: Int32Array
}

/**
 * The same without the text as a string. Valid until the next text is folded, which overwrites the
 * arrays.
 */
export interface FoldedUnits {
  readonly units: Uint16Array
  readonly offsets: Int32Array
  readonly ends: Int32Array
  /** Length of the text within the arrays. */
  readonly length: number
}

const isSeparator = (kind: number): boolean => kind === SOFT || kind === HARD
const isLatin = (code: number): boolean => code >= 0x61 && code <= 0x7a
const code = (char: string): number => char.codePointAt(0)!

/** Moves a character to its place in the rewritten text. */
function move(chars: Chars, from: number, to: number): void {
  if (from === to) return
  chars.codes[to] = chars.codes[from]!
  chars.kinds[to] = chars.kinds[from]!
  chars.starts[to] = chars.starts[from]!
  chars.ends[to] = chars.ends[from]!
  chars.katakana[to] = chars.katakana[from]!
}

function set(chars: Chars, at: number, charCode: number, kind: number, start: number, end: number): void {
  chars.codes[at] = charCode
  chars.kinds[at] = kind
  chars.starts[at] = start
  chars.ends[at] = end
  chars.katakana[at] = 0
}

/**
 * Pairs of characters that together look like one kanji; at least one of them is katakana, because
 * the fold of たひ must stay たひ.
 */
const DRAWN = new Map([
  [code('た'), { second: code('ひ'), drawn: code('死') }],
  [code('ね'), { second: code('申'), drawn: code('神') }],
])

/** タヒ → 死, also spaced (タ ヒ), but not in タヒチ or アタヒ. */
function readDrawnKanji(chars: Chars): void {
  const { codes, kinds, starts, ends, katakana, length } = chars
  let kept = 0
  let afterKatakana = false
  for (let i = 0; i < length; i += 1) {
    const pair = katakana[i] === 1 ? DRAWN.get(codes[i]!) : undefined
    let j = i + 1
    if (pair !== undefined && !afterKatakana) {
      while (j < length && kinds[j] === SOFT) j += 1
      const isPair = j < length && codes[j] === pair.second && (kinds[j] !== KANA || katakana[j] === 1)
      if (isPair && !(j + 1 < length && katakana[j + 1] === 1)) {
        afterKatakana = katakana[j] === 1
        set(chars, kept, pair.drawn, HAN, starts[i]!, ends[j]!)
        kept += 1
        i = j
        continue
      }
    }
    afterKatakana = katakana[i] === 1
    move(chars, i, kept)
    kept += 1
  }
  chars.length = kept
}

/** Kanji that look like a katakana: バ力 (ちから) for バカ. */
const KANJI_LIKE_KANA = new Map(
  Object.entries({
    力: 'か',
    夕: 'た',
    工: 'え',
    卜: 'と',
    口: 'ろ',
    二: 'に',
    八: 'は',
    才: 'お',
    千: 'ち',
    三: 'み',
  }).map(([kanji, kana]) => [code(kanji), code(kana)]),
)

/**
 * Replaces such a kanji by kana after katakana or at the start of a katakana word, never beside
 * another kanji (スーパー工場).
 */
function readLookAlikeKanji({ codes, kinds, katakana, length }: Chars): void {
  for (let i = 0; i < length; i += 1) {
    if (kinds[i] !== HAN) continue
    const afterKatakana = i > 0 && katakana[i - 1] === 1
    const endsWord = afterKatakana && !(i + 1 < length && kinds[i + 1] === HAN)
    const beginsWord = i + 1 < length && katakana[i + 1] === 1 && (i === 0 || isSeparator(kinds[i - 1]!))
    if (!endsWord && !beginsWord) continue
    const kana = KANJI_LIKE_KANA.get(codes[i]!)
    if (kana === undefined) continue
    codes[i] = kana
    kinds[i] = KANA
  }
}

const LONG_MARK = code('ー')

/**
 * ー lengthens the kana before it, once (ばーーか becomes ばーか); anywhere else (死ーね, e-mail) it is a
 * separator.
 */
function resolveLongMarks(chars: Chars): void {
  const { codes, kinds, ends, length } = chars
  let kept = 0
  for (let i = 0; i < length; i += 1) {
    if (kinds[i] !== LONG) {
      move(chars, i, kept)
      kept += 1
      continue
    }
    const before = kept === 0 ? SOFT : kinds[kept - 1]
    if (before === LONG) {
      ends[kept - 1] = ends[i]!
      continue
    }
    move(chars, i, kept)
    if (before === KANA) codes[kept] = LONG_MARK
    else kinds[kept] = SOFT
    kept += 1
  }
  chars.length = kept
}

const LEET_SIGNS = new Map([
  [code('@'), code('a')],
  [code('$'), code('s')],
])

/**
 * p@ss, a$$hole: a sign between letters becomes a letter. Elsewhere (@name, $100) it stays a sign.
 */
function readLeetSigns({ codes, kinds, length }: Chars): void {
  for (let i = 1; i + 1 < length; i += 1) {
    const letter = LEET_SIGNS.get(codes[i]!)
    if (letter === undefined || !isLatin(codes[i - 1]!)) continue
    if (!isLatin(codes[i + 1]!) && codes[i + 1] !== codes[i]) continue
    codes[i] = letter
    kinds[i] = OTHER
  }
}

/** Letters by digit; 0 for digits that look like no letter. */
const LEET_DIGITS = Uint16Array.from('oi\0eas\0t\0\0', code)
const leetDigit = (charCode: number): number => LEET_DIGITS[charCode - 0x30] ?? 0

/**
 * sh1t: digits between letters become letters. At either end of a word (mp3, 5ch, 2ch) they stay
 * digits.
 */
function readLeetDigits({ codes, length }: Chars): void {
  let i = 0
  while (i < length) {
    let j = i
    while (j < length && leetDigit(codes[j]!) !== 0) j += 1
    if (j > i && i > 0 && j < length && isLatin(codes[i - 1]!) && isLatin(codes[j]!)) {
      for (let k = i; k < j; k += 1) codes[k] = leetDigit(codes[k]!)
    }
    i = Math.max(j, i + 1)
  }
}

const isJapanese = (kind: number): boolean => kind === HAN || kind === KANA || kind === LONG

/** For every character, whether it is the only non-separator between two splits. */
function findAlone({ kinds, length }: Chars, alone: Uint8Array, splitsAtSoft: boolean): void {
  let begin = 0
  let count = 0
  for (let i = 0; i <= length; i += 1) {
    const kind = i === length ? HARD : kinds[i]!
    if (kind === HARD || (splitsAtSoft && kind === SOFT)) {
      alone.fill(count === 1 ? 1 : 0, begin, i)
      begin = i + 1
      count = 0
    } else if (kind !== SOFT) {
      count += 1
    }
  }
}

const FULL_STOP = code('。')
const SPACE = code(' ')
let aloneInSentence = new Uint8Array(0)
let aloneInRun = new Uint8Array(0)

/**
 * Drops separators that only pull a word apart, and keeps one at the real end of a word:
 * - Between Japanese characters spaces and signs are dropped (死 ね, 死・ね). The end of a sentence or
 *   line is dropped if one side of it is a single character (死。ね); otherwise 必死。ねむい would become a
 *   threat.
 * - Beside a character of another script, they are dropped between single characters only (f u c k,
 *   b.a.d).
 */
function resolveSeparators(chars: Chars): void {
  const { kinds, starts, ends, length } = chars
  if (aloneInSentence.length < length) {
    aloneInSentence = new Uint8Array(2 * length)
    aloneInRun = new Uint8Array(2 * length)
  }
  findAlone(chars, aloneInSentence, false)
  findAlone(chars, aloneInRun, true)
  let kept = 0
  let last = -1
  let lastKind = SOFT
  // The separators since the last character: their start, and whether one of them is hard.
  let start = 0
  let hard = false
  for (let i = 0; i < length; i += 1) {
    const kind = kinds[i]!
    if (isSeparator(kind)) {
      if (last === i - 1) {
        start = starts[i]!
        hard = false
      }
      if (kind === HARD) hard = true
      continue
    }
    if (last >= 0 && last < i - 1) {
      const japanese = isJapanese(lastKind) && isJapanese(kind)
      const alone = japanese
        ? aloneInSentence[last] === 1 || aloneInSentence[i] === 1
        : aloneInRun[last] === 1 && aloneInRun[i] === 1
      if (!alone && (hard || !japanese)) {
        set(chars, kept, japanese ? FULL_STOP : SPACE, japanese ? HARD : SOFT, start, ends[i - 1]!)
        kept += 1
      }
    }
    move(chars, i, kept)
    kept += 1
    last = i
    lastKind = kind
  }
  chars.length = kept
}

function fold(raw: string): Chars {
  const chars = foldClusters(raw)
  const { traits } = chars
  if ((traits & TRAIT.katakana) !== 0) {
    readDrawnKanji(chars)
    readLookAlikeKanji(chars)
  }
  if ((traits & TRAIT.long) !== 0) resolveLongMarks(chars)
  if ((traits & TRAIT.sign) !== 0) readLeetSigns(chars)
  if ((traits & (TRAIT.separator | TRAIT.long)) !== 0) resolveSeparators(chars)
  if ((traits & TRAIT.digit) !== 0) readLeetDigits(chars)
  return chars
}

const newUnits = (size: number) => ({
  units: new Uint16Array(size),
  offsets: new Int32Array(size),
  ends: new Int32Array(size),
})
let scratch = newUnits(4_096)

/** Folds a text for comparison with banned words; see the head of this file. */
export function foldUnits(raw: string): FoldedUnits {
  const { codes, starts, ends, length, traits } = fold(raw)
  // Every character is one unit, unless the text has characters of the other planes.
  if ((traits & TRAIT.astral) === 0) return { units: toUnits(codes, length), offsets: starts, ends, length }
  if (scratch.units.length < 2 * length) scratch = newUnits(4 * length)
  let written = 0
  for (let i = 0; i < length; i += 1) {
    const char = codes[i]!
    if (char > 0xffff) {
      scratch.units[written] = 0xd800 + ((char - 0x10000) >> 10)
      scratch.offsets[written] = starts[i]!
      scratch.ends[written] = ends[i]!
      written += 1
    }
    scratch.units[written] = char > 0xffff ? 0xdc00 + (char & 0x3ff) : char
    scratch.offsets[written] = starts[i]!
    scratch.ends[written] = ends[i]!
    written += 1
  }
  return { ...scratch, length: written }
}

function toUnits(codes: Int32Array, length: number): Uint16Array {
  if (scratch.units.length < length) scratch = newUnits(2 * length)
  const { units } = scratch
  for (let i = 0; i < length; i += 1) units[i] = codes[i]!
  return units
}

/** Maximum units per call of fromCharCode. */
const SLICE = 8_192

/** The same as `foldUnits`, with the text as a string. */
export function foldForFilter(raw: string): FilterFold {
  const { units, offsets, ends, length } = foldUnits(raw)
  let text = ''
  for (let from = 0; from < length; from += SLICE) {
    text += String.fromCharCode(...units.subarray(from, Math.min(from + SLICE, length)))
  }
  return { text, offsets: offsets.slice(0, length), ends: ends.slice(0, length) }
}

/**
 * The copy of a text that the word filter looks at. It folds more than search does, because people who want to
 * get round a filter do more than type differently: 死 ね, 死・ね, ﾀﾋね, バ力, аss, sh1t. Every unit of the copy knows where it
 * came from, so that a match can be shown in the text as typed.
 *
 * Folding a folded text changes nothing. The rules below are chosen so: what one of them leaves standing, none takes up later.
 *
 * Every post passes here. So the text is a row of columns (fold-for-filter.chars.ts) that each rule goes through once, in place:
 * nothing is made for a character, and a rule that no character of the text can meet is left out.
 */
import { foldClusters, HAN, HARD, KANA, LONG, OTHER, SOFT, TRAIT, type Chars } from './fold-for-filter.chars.ts'

export interface FilterFold {
  readonly text: string
  /** For every UTF-16 unit of `text`, the index in the raw text where what it stands for begins. Never falls. */
  readonly offsets: Int32Array
  /** For every UTF-16 unit of `text`, the index in the raw text just after what it stands for. Never falls. */
  readonly ends: Int32Array
}

/** The same without the text as a string. Good until the next text is folded: the arrays are used again. */
export interface FoldedUnits {
  readonly units: Uint16Array
  readonly offsets: Int32Array
  readonly ends: Int32Array
  /** How much of the arrays is the text's. */
  readonly length: number
}

const isSeparator = (kind: number): boolean => kind === SOFT || kind === HARD
const isLatin = (code: number): boolean => code >= 0x61 && code <= 0x7a
const code = (char: string): number => char.codePointAt(0)!

/** Moves a character down to where the text is written anew. */
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

/** Two characters drawn to look like one, at least one of them katakana (the fold of たひ must stay たひ). */
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

/** Kanji drawn like a katakana: バ力 (ちから) for バカ. */
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

/** Reads such a kanji as kana after katakana or at the head of a katakana word, never beside another kanji (スーパー工場). */
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

/** ー lengthens the kana before it, once (ばーーか is ばーか); anywhere else (死ーね, e-mail) it is a separator. */
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

/** p@ss, a$$hole: a sign between letters is one of them. Elsewhere (@name, $100) it stays a sign. */
function readLeetSigns({ codes, kinds, length }: Chars): void {
  for (let i = 1; i + 1 < length; i += 1) {
    const letter = LEET_SIGNS.get(codes[i]!)
    if (letter === undefined || !isLatin(codes[i - 1]!)) continue
    if (!isLatin(codes[i + 1]!) && codes[i + 1] !== codes[i]) continue
    codes[i] = letter
    kinds[i] = OTHER
  }
}

/** Letters by digit; 0 for those that stand for none. */
const LEET_DIGITS = Uint16Array.from('oi\0eas\0t\0\0', code)
const leetDigit = (charCode: number): number => LEET_DIGITS[charCode - 0x30] ?? 0

/** sh1t: digits between letters are letters. At either end of a word (mp3, 5ch, 2ch) they are digits. */
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

/** For every character, whether it is the only one that is no separator until the next split on either side. */
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
 * Drops the separators that only pull a word apart, and leaves one where words really end:
 * - Between Japanese characters spaces and signs go (死 ね, 死・ね). The end of a sentence or line goes if what stands on one side
 *   of it is a single character (死。ね), for else 必死。ねむい would become a threat.
 * - Where another script is involved, they go between single characters (f u c k, b.a.d).
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
  // Of the separators since the last character: where they begin, and whether one of them is hard.
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
  // Every character is one unit, unless there are some of the other planes.
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

/** Units that one call can take as arguments. */
const SLICE = 8_192

/** The same as a text of its own. */
export function foldForFilter(raw: string): FilterFold {
  const { units, offsets, ends, length } = foldUnits(raw)
  let text = ''
  for (let from = 0; from < length; from += SLICE) {
    text += String.fromCharCode(...units.subarray(from, Math.min(from + SLICE, length)))
  }
  return { text, offsets: offsets.slice(0, length), ends: ends.slice(0, length) }
}

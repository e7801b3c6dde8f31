/**
 * The first step of fold-for-filter.ts: folds characters, each with its combining marks, one by
 * one.
 */
import { INVISIBLE, unbox, unifyKana, unifyLookAlikes, unifyWidthAndCase } from '@shinobi/text/fold'

/**
 * Kinds. Soft separators may be typed inside a word for effect (spaces, ・, ☆); hard ones end a
 * sentence, a clause or a line.
 */
export const HAN = 0
export const KANA = 1
export const LONG = 2
export const OTHER = 3
export const SOFT = 4
export const HARD = 5

/** Folded characters as a struct of arrays. The arrays are longer than the text. */
export interface Chars {
  /** Code points. */
  readonly codes: Int32Array
  readonly kinds: Uint8Array
  /** Start and end of each character in the raw text. */
  readonly starts: Int32Array
  readonly ends: Int32Array
  /**
   * 1 for a character that was katakana before kana were unified: タヒ may mean 死, but たひ never does
   * (痛い人 is いたいひと).
   */
  readonly katakana: Uint8Array
  length: number
  /** Traits that occur in the text (TRAIT), so that rules that cannot match are skipped. */
  traits: number
}

export const TRAIT = { katakana: 1, long: 2, separator: 4, digit: 8, sign: 16, astral: 32 } as const

const IS_KANA = /^[\u3041-\u3096\u309d\u309e]$/
const IS_HAN = /^\p{Script=Han}$/u
const IS_LETTER = /^[\p{L}\p{N}]$/u
/** Vowel marks, waves and dashes that people type instead of ー. */
const IS_LONG = /^[ー~\u301c\u3030\u223c\u223e\-\u2010-\u2015\u2212\u2500\u2501]$/
const IS_HARD = /^[。｡、,.!?;:…\n\r\p{Ps}\p{Pe}\p{Pi}\p{Pf}]$/u

const SMALL_KANA = 'ぁぃぅぇぉっゃゅょゎゕゖ'
const LARGE_KANA = 'あいうえおつやゆよわかけ'

function kindOf(char: string): number {
  if (IS_KANA.test(char)) return KANA
  if (IS_LONG.test(char)) return LONG
  if (IS_HAN.test(char)) return HAN
  if (IS_LETTER.test(char)) return OTHER
  return IS_HARD.test(char) ? HARD : SOFT
}

function traitsOf(char: string, kind: number, isKatakana: boolean): number {
  let traits: number = isKatakana ? TRAIT.katakana : 0
  if (kind === LONG) traits |= TRAIT.long
  if (kind === SOFT || kind === HARD) traits |= TRAIT.separator
  if (/^[013457]$/.test(char)) traits |= TRAIT.digit
  if (char === '@' || char === '$') traits |= TRAIT.sign
  if (char.length > 1) traits |= TRAIT.astral
  return traits
}

/**
 * A folded character in one number: code point (21 bits), kind (3), traits (6, including katakana).
 */
const pack = (code: number, kind: number, traits: number): number => code | (kind << 21) | (traits << 24)

/**
 * Folds a character with its marks; the result may be several characters (㈱) or none (a lone
 * combining mark).
 */
function foldCluster(cluster: string): readonly number[] {
  const chars: number[] = []
  for (const wide of unifyWidthAndCase(unbox(cluster)).replace(INVISIBLE, '')) {
    const folded = unifyLookAlikes(unifyKana(wide)).replace(/\p{M}/gu, '')
    for (const char of folded) {
      const small = SMALL_KANA.indexOf(char)
      const large = small < 0 ? char : LARGE_KANA.charAt(small)
      const kind = kindOf(large)
      const isKatakana = /[\u30a1-\u30fa]/.test(wide)
      chars.push(pack(large.codePointAt(0)!, kind, traitsOf(large, kind, isKatakana)))
    }
  }
  return chars
}

/** Maximum cached clusters of more than one unit (emoji, half-width kana with voicing marks). */
const SEEN_MAX = 8_192
const seen = new Map<string, readonly number[]>()

function foldClusterOnce(cluster: string): readonly number[] {
  let folded = seen.get(cluster)
  if (folded === undefined) {
    folded = foldCluster(cluster)
    if (seen.size >= SEEN_MAX) seen.clear()
    if (cluster.length <= 4) seen.set(cluster, folded)
  }
  return folded
}

/**
 * Characters that NFKC joins to the preceding one: combining marks, half-width and spacing voicing
 * marks, Hangul vowels and finals.
 */
const JOINS = /^[\p{M}\u309b\u309c\uff9e\uff9f\u1160-\u11ff\u314f-\u3163\uffc2-\uffdc]$/u
const isInvisible = (char: string): boolean => char.replace(INVISIBLE, '') === ''

/** Role of a character in a cluster: it begins one, joins the preceding one, or is dropped. */
const BEGINS = 1
const JOINING = 2
const VANISHES = 3

function roleOf(char: string): number {
  if (isInvisible(char)) return VANISHES
  return JOINS.test(char) ? JOINING : BEGINS
}

/**
 * For every unit of the basic plane: its role, and its fold when it is alone, computed on first
 * use.
 */
const roles = new Uint8Array(0x10000)
const singles = new Int32Array(0x10000)
/** Not computed yet. No character folds to this number: it would be a kanji with the code 0. */
const UNSEEN = 0
/** In `singles`: folds to zero or to several characters. */
const NOT_ONE = -1
const unitsToSeveral = new Map<number, readonly number[]>()

function lookAtSingle(unit: number): number {
  const folded = foldCluster(String.fromCharCode(unit))
  const packed = folded.length === 1 ? folded[0]! : NOT_ONE
  if (packed === NOT_ONE) unitsToSeveral.set(unit, folded)
  singles[unit] = packed
  return packed
}

function unitRole(unit: number): number {
  let role = roles[unit]!
  if (role === UNSEEN) {
    role = roleOf(String.fromCharCode(unit))
    roles[unit] = role
  }
  return role
}

/** Roles of characters of the other planes; a text rarely has more than a few emoji. */
const astralRoles = new Map<number, number>()

function astralRole(code: number): number {
  let role = astralRoles.get(code)
  if (role === undefined) {
    role = roleOf(String.fromCodePoint(code))
    if (astralRoles.size >= SEEN_MAX) astralRoles.clear()
    astralRoles.set(code, role)
  }
  return role
}

const newChars = (size: number): Chars => ({
  codes: new Int32Array(size),
  kinds: new Uint8Array(size),
  starts: new Int32Array(size),
  ends: new Int32Array(size),
  katakana: new Uint8Array(size),
  length: 0,
  traits: 0,
})

/** Reused: only one text is folded at a time, and its columns are valid until the next call. */
let chars = newChars(4_096)

function grow(): void {
  const { length, traits } = chars
  const larger = newChars(2 * chars.codes.length)
  for (const column of ['codes', 'kinds', 'starts', 'ends', 'katakana'] as const) larger[column].set(chars[column])
  chars = larger
  chars.length = length
  chars.traits = traits
}

function push(packed: number, start: number, end: number): void {
  if (chars.length === chars.codes.length) grow()
  const at = chars.length
  const traits = packed >>> 24
  chars.codes[at] = packed & 0x1fffff
  chars.kinds[at] = (packed >>> 21) & 7
  chars.starts[at] = start
  chars.ends[at] = end
  chars.katakana[at] = traits & TRAIT.katakana
  chars.traits |= traits
  chars.length = at + 1
}

function pushAll(folded: readonly number[], start: number, end: number): void {
  for (const packed of folded) push(packed, start, end)
}

function pushSingle(unit: number, start: number, end: number): void {
  let packed = singles[unit]!
  if (packed === UNSEEN) packed = lookAtSingle(unit)
  if (packed === NOT_ONE) pushAll(unitsToSeveral.get(unit)!, start, end)
  else push(packed, start, end)
}

/** The characters of a text, folded. @returns columns that the next call overwrites */
export function foldClusters(raw: string): Chars {
  chars.length = 0
  chars.traits = 0
  // The incomplete cluster: its only unit so far, or the text of a longer one; -1 for none.
  let unit = -1
  let longer = ''
  let start = 0
  let end = 0
  const flush = (): void => {
    if (longer !== '') pushAll(foldClusterOnce(longer), start, end)
    else if (unit >= 0) pushSingle(unit, start, end)
  }
  const { length } = raw
  for (let at = 0; at < length;) {
    const first = raw.charCodeAt(at)
    const code = (first & 0xfc00) === 0xd800 ? raw.codePointAt(at)! : first
    const after = code > 0xffff ? at + 2 : at + 1
    const role = code > 0xffff ? astralRole(code) : unitRole(code)
    if (role === BEGINS || (role === JOINING && unit < 0 && longer === '')) {
      flush()
      if (code > 0xffff) {
        unit = -1
        longer = raw.slice(at, after)
      } else {
        unit = code
        longer = ''
      }
      start = at
      end = after
    } else if (role === JOINING) {
      longer = (longer === '' ? String.fromCharCode(unit) : longer) + raw.slice(at, after)
      end = after
    }
    at = after
  }
  flush()
  return chars
}

/**
 * Signatures of texts, by which nearly equal ones are recognised: MinHash over the trigrams of
 * their letters. Of two texts the share of equal rows is about the share of common trigrams.
 */
import { foldUnits } from '../words/fold-for-filter.ts'

/**
 * Shorter texts have none: greetings that people write word for word alike have fewer letters
 * (新年あけましておめでとうございます。本年もどうぞよろしくお願いいたします。 has 35).
 */
export const LETTERS_MIN = 40
/** Enough to tell texts apart; a longer one costs no more. */
const LETTERS_MAX = 2_000
/** Texts of fewer different trigrams are cries (ああああ, wwww), which people write alike too. */
const TRIGRAMS_MIN = 20

/** Numbers of a signature. */
export const ROWS = 16
/**
 * Equal rows of nearly equal texts: of those that share 4 of 5 trigrams nearly all have so many, of
 * those that share half one of five, of unrelated ones none.
 */
export const ROWS_ALIKE = 10

/** Numbers that permute the hashes of trigrams, a different way for each row; factors are odd. */
const FACTORS = Int32Array.from({ length: ROWS }, (_, row) => mix(row + 1) | 1)
const OFFSETS = Int32Array.from({ length: ROWS }, (_, row) => mix(row + 101))

const letters = new Uint16Array(LETTERS_MAX)
const seen = new Int32Array(8)

/**
 * The rows of a text; null for one with too few letters. Spellings that word rules see through
 * (width, kana, signs between letters, invisible characters) make no difference.
 */
export function signText(text: string): Int32Array | null {
  const count = readLetters(withoutCommonParts(text))
  if (count < LETTERS_MIN) return null
  const lowest = new Int32Array(ROWS).fill(0x7fffffff)
  seen.fill(0)
  for (let index = 2; index < count; index += 1) {
    const trigram = mix(
      Math.imul(letters[index - 2]!, 0x9e3779b1) ^
        Math.imul(letters[index - 1]!, 0x85ebca77) ^
        Math.imul(letters[index]!, 0xc2b2ae3d),
    )
    seen[(trigram >>> 5) & 7]! |= 1 << (trigram & 31)
    for (let row = 0; row < ROWS; row += 1) {
      const value = (Math.imul(trigram, FACTORS[row]!) + OFFSETS[row]!) | 0
      if (value < lowest[row]!) lowest[row] = value
    }
  }
  let trigrams = 0
  for (let word = 0; word < seen.length; word += 1) trigrams += countBits(seen[word]!)
  return trigrams < TRIGRAMS_MIN ? null : lowest
}

/**
 * Lines that begin with a quote. The spaces before it are of its own line: over several lines the
 * search would take quadratic time in empty ones.
 */
const QUOTES = /^[^\S\n\r\u2028\u2029]*[>＞](?![>＞]?\d).*$/gm

/** Quotes and addresses, which many texts have in common. */
function withoutCommonParts(text: string): string {
  let own = text
  if (/[>＞]/.test(own)) own = own.replace(QUOTES, '')
  if (own.includes('ttp')) own = own.replace(/h?ttps?:\/\/\S+/g, '')
  return own
}

/** Reads the folded letters into `letters`. @returns how many */
function readLetters(text: string): number {
  const { units, length } = foldUnits(text)
  let count = 0
  for (let index = 0; index < length && count < LETTERS_MAX; index += 1) {
    if (!isLetter(units[index]!)) continue
    letters[count] = units[index]!
    count += 1
  }
  return count
}

/** Of folded text: a to z, kana, kanji, and the letters of other scripts; digits and signs vary. */
const isLetter = (unit: number): boolean =>
  unit < 0x3041
    ? (unit >= 0x61 && unit <= 0x7a) || (unit >= 0xdf && unit < 0x2000) || unit === 0x3005
    : unit < 0xe000 && unit !== 0x30fb

/** The finaliser of MurmurHash3: spreads a number over 32 bits, with a sign. */
export function mix(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return mixed ^ (mixed >>> 16)
}

function countBits(bits: number): number {
  let count = 0
  for (let left = bits; left !== 0; left &= left - 1) count += 1
  return count
}

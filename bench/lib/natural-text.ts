/**
 * Japanese text with a natural distribution of words: the n-th most common word occurs 1/n times as
 * often as the most common (Zipf), down to words that occur a few times in ten million posts, with
 * characters that no other words have. Seeded, so the same in every run.
 */
import { WORDS } from './text.ts'

/** Number of different words. */
const VOCABULARY = 2_000_000
/** The most common words are real ones, particles first. */
const COMMON = WORDS.toSorted((one, other) => one.length - other.length)
const KANJI = 6_000

/**
 * The word of a rank, 1 being the most common. Rarer words are generated, from rarer characters.
 */
function wordOf(rank: number): string {
  if (rank >= OFTEN) return inventWord(rank)
  return (often[rank] ??= rank <= COMMON.length ? COMMON[rank - 1]! : inventWord(rank))
}

/** Words that are cached rather than generated again. */
const OFTEN = 100_000
const often: string[] = []

function inventWord(rank: number): string {
  let state = Math.imul(rank, 2_654_435_761) >>> 0
  const draw = (below: number): number => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b_3c6d) + 0x9e37_79b9) >>> 0
    return (state >>> 8) % below
  }
  const kind = draw(20)
  const [first, letters] =
    kind < 5 ? [0x30a2, 80] : kind < 8 ? [0x3042, 80] : [0x4e00, Math.min(KANJI, 60 + Math.floor(rank / 300))]
  const step = first === 0x4e00 ? 3 : 1
  return String.fromCharCode(...Array.from({ length: 2 + draw(3) }, () => first + draw(letters) * step))
}

/** A word that no text contains. */
export const ABSENT_WORD = '鰯鱈鱚鱠'

/** Text of about this many characters. */
export function naturalText(next: () => number, length: number): string {
  let text = ''
  while (text.length < length) {
    text += wordOf(Math.floor((VOCABULARY + 1) ** next()))
    const chance = next()
    if (chance < 0.05) text += '。'
    else if (chance < 0.08) text += '、'
    else if (chance < 0.09) text += '\n'
  }
  return text.trim().slice(0, length)
}

/** Words to search for, by how common they are; `of` selects one. */
export const commonWord = (of: number): string => COMMON[COMMON.length - 1 - (of % (COMMON.length - 20))]!
export const rareWord = (of: number): string => wordOf(VOCABULARY - of * 7)

/**
 * Limits of quotes, and the search for quotes in an article, which ignores changed widths and
 * spaces.
 */
import { foldQuote } from './text.ts'

/** Shorter quotes occur in any article, longer ones are the article rather than a passage. */
export const QUOTE_MIN = 10
export const QUOTE_MAX = 150

/**
 * All quotes of a summary together are limited to this share of their article and to this many
 * characters, so that the article is not reprinted.
 */
const QUOTES_SHARE = 0.35
const QUOTES_MAX = 600
/** Three informative quotes need this much, however short the article is. */
const QUOTES_MAX_OF_SHORT = 240

/** Maximum characters of all quotes of an article with this text. */
export const quotesMaxOf = (text: string): number =>
  Math.max(QUOTES_MAX_OF_SHORT, Math.min(QUOTES_MAX, Math.floor(text.length * QUOTES_SHARE)))

/**
 * Characters of the quotes together, in folded form; a quote within another one is counted once.
 */
export function measureQuotes(quotes: readonly string[]): number {
  const folded = [...new Set(quotes.map(foldQuote))]
  return folded
    .filter((quote) => !folded.some((other) => other !== quote && other.includes(quote)))
    .reduce((sum, { length }) => sum + length, 0)
}

/** A letter with its combining marks, so that a half-width ｶ and its ﾞ become one ガ. */
const LETTERS = /[\s\S][\u0300-\u036f\u3099\u309a\uff9e\uff9f]*/gu

/** Finds the passages of a text that quotes refer to. */
export interface Passages {
  /**
   * The passage that a quote refers to, in the text's own spelling: models change widths and
   * spaces, and put quotes into brackets. Null when the text does not contain it.
   */
  find(quote: string): string | null
}

/** The text is folded once, for the first quote that is not an exact substring. */
export function createPassages(text: string): Passages {
  let folded: FoldedText | null = null
  const findFolded = (quote: string): string | null => {
    const sought = foldQuote(quote)
    if (sought === '') return null
    const { whole, starts, ends } = (folded ??= foldText(text))
    const at = whole.indexOf(sought)
    return at === -1 ? null : text.slice(starts[at], ends[at + sought.length - 1])
  }
  return {
    find(quote) {
      if (quote.trim() !== '' && text.includes(quote)) return quote
      const bare = /^[「『"“](.+)[」』"”]$/su.exec(quote)?.[1]
      return findFolded(quote) ?? (bare === undefined ? null : findFolded(bare))
    },
  }
}

interface FoldedText {
  readonly whole: string
  /** For each UTF-16 unit of the folded text: where its letter starts and ends in the text. */
  readonly starts: readonly number[]
  readonly ends: readonly number[]
}

function foldText(text: string): FoldedText {
  let whole = ''
  const starts: number[] = []
  const ends: number[] = []
  for (const { 0: letter, index } of text.matchAll(LETTERS)) {
    const fold = foldQuote(letter)
    whole += fold
    for (let unit = 0; unit < fold.length; unit += 1) {
      starts.push(index)
      ends.push(index + letter.length)
    }
  }
  return { whole, starts, ends }
}

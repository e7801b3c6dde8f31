/** Limits of quotes. */
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

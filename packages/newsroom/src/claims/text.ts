/** The folded copies of article and summary that the checker compares. They are never shown. */
import { INVISIBLE } from '@shinobi/text/fold'

/** For the comparison of quotes: ignores width and spaces, and nothing else. */
export const foldQuote = (text: string): string => text.normalize('NFKC').replace(/\s+/g, '')

/**
 * For reading facts: ignores width, case, kinds of dashes and invisible characters. Spaces stay
 * between Latin words only. Line ends stay, so that the end of a paragraph does not form a word
 * with the beginning of the next.
 */
export const foldFacts = (text: string): string =>
  text
    .replace(INVISIBLE, '')
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/[\u301c\u3030\u223c\u223e]/g, '~')
    .replace(/[\r\n\u2028\u2029]+/g, '\n')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/(?<![\x21-\x7e]) | (?![\x21-\x7e])/g, '')

/** The outermost passages in 「」 and 『』, without the brackets. */
export function readQuotations(text: string): string[] {
  return [...text.matchAll(QUOTATION)].map(([whole]) => whole.slice(1, -1))
}

/** Nested quotations are part of the outer one; more than two levels do not occur. */
const QUOTATION = /「(?:[^「」]|「[^「」]*」)*」|『[^『』]*』/g

/** The text without its quotations, that is, in its own voice. */
export const dropQuotations = (text: string): string => text.replace(QUOTATION, '、')

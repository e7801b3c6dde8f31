/** The copies of article and summary that the checker compares. Nothing here is ever shown. */
import { INVISIBLE } from '@shinobi/text/fold'

/** A quote or an article as both are compared: width and spaces make no difference, everything else does. */
export const foldQuote = (text: string): string => text.normalize('NFKC').replace(/\s+/g, '')

/**
 * A text as its facts are read from it: width, case, kinds of dashes and what takes no ink make no difference. Spaces stay between
 * Latin words only, and line ends stay, so that the end of a paragraph does not make a word with the beginning of the next.
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

/** Passages in 「」 and 『』 (the outermost), without the brackets. */
export function readQuotations(text: string): string[] {
  return [...text.matchAll(QUOTATION)].map(([whole]) => whole.slice(1, -1))
}

/** Nested ones are part of the outer one; two levels are all that is ever written. */
const QUOTATION = /「(?:[^「」]|「[^「」]*」)*」|『[^『』]*』/g

/** The text without its quotations: what it says in its own voice. */
export const dropQuotations = (text: string): string => text.replace(QUOTATION, '、')

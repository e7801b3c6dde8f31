import { SEARCH_TERMS_MAX } from '@shinobi/contract/limits'
import { foldForSearch } from '@shinobi/text/fold'
import { refuse } from '../../lib/api-error.ts'

/**
 * Terms of a search: a thread must contain every term of `all` and none of `none`. All are folded.
 */
export interface SearchTerms {
  readonly all: readonly string[]
  readonly none: readonly string[]
}

/**
 * Japanese keyboards type ＂ or ” on both sides of a phrase, and － ‐ or − for the minus sign. ー is a
 * letter.
 */
const TERM = /([-－‐−]?)(?:["＂]([^"＂]+)["＂]|[“”]([^“”]+)[“”]|「([^」]+)」|(\S+))/gu

/**
 * Parses a search: words separated by half- or full-width spaces, "phrases" in quotes, -words to
 * exclude.
 * @throws ApiError bad_search for too many terms, as a result without one of them would mislead,
 * and for excluded ones alone, whose result would be nearly the whole board
 */
export function readSearch(text: string): SearchTerms {
  const all: string[] = []
  const none: string[] = []
  for (const match of text.matchAll(TERM)) {
    const [whole, minus, plainQuote, curlyQuote, cornerQuote, word] = match
    const quoted = plainQuote ?? curlyQuote ?? cornerQuote
    // A lone minus and an unpaired 「 are ordinary words.
    const excluded = minus !== '' && (quoted ?? word) !== undefined
    const folded = foldForSearch(quoted ?? (excluded ? word! : whole)).trim()
    if (folded === '') continue
    const list = excluded ? none : all
    if (!list.includes(folded)) list.push(folded)
  }
  if (all.length + none.length > SEARCH_TERMS_MAX) throw refuse('bad_search', 'search_too_many_words')
  if (all.length === 0 && none.length > 0) throw refuse('bad_search', 'search_only_excludes')
  return { all, none }
}

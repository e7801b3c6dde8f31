/** Finding quotes in an article, whatever became of their widths and spaces on the way. */
import { foldQuote } from './checker-text.ts'

/** A letter with the marks that belong to it, so that a half-width ｶ and its ﾞ become one ガ. */
const LETTERS = /[\s\S][\u0300-\u036f\u3099\u309a\uff9e\uff9f]*/gu

/**
 * The passage of the text that a quote stands for, as it stands there: models change widths and spaces, and put quotes into brackets. Null
 * when the text does not have it.
 */
export function findPassage(text: string, quote: string): string | null {
  if (quote.trim() !== '' && text.includes(quote)) return quote
  const bare = /^[「『"“](.+)[」』"”]$/su.exec(quote)?.[1]
  return findFolded(text, quote) ?? (bare === undefined ? null : findFolded(text, bare))
}

function findFolded(text: string, quote: string): string | null {
  const sought = foldQuote(quote)
  if (sought === '') return null
  let whole = ''
  /** For each UTF-16 unit of the folded text: where its letter starts and ends in the text. */
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
  const at = whole.indexOf(sought)
  return at === -1 ? null : text.slice(starts[at], ends[at + sought.length - 1])
}

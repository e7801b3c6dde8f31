/** Splits an article into sentences, and finds the places in which passages of it stand. */
import { foldFacts, foldQuote } from './text.ts'
import { splitSentences, type Sentence } from './sentences.ts'

/** First and last sentence by number, both included. */
export interface Place {
  readonly from: number
  readonly to: number
}

export interface Passages {
  /** Folded by `foldFacts` (text.ts), in document order. */
  readonly sentences: readonly string[]
  /** The same as the article writes them. */
  readonly written: readonly string[]
  /** The beginning of the first paragraph, which tells the whole news. */
  readonly lead: readonly string[]
  /** The first places of a passage, whatever its case; empty when it is not found. */
  find(passage: string): Place[]
  /** Whether a quote stands there, but for widths and spaces. */
  has(quote: string): boolean
  /**
   * The passage that a quote refers to, in the text's own spelling: models change widths and
   * spaces, and put quotes into brackets. Null when the text does not contain it.
   */
  spell(quote: string): string | null
}

/** Sentences of the first paragraph that are its lead: some pages have all in one paragraph. */
const LEAD_MAX = 3
/** A longer sentence is no sentence: it is cut, so that a passage stays one to read. */
const SENTENCE_MAX = 400
/** Maximum places of a word that an article repeats. */
const PLACES_MAX = 50

const firstParagraph = (text: string): string => text.trimStart().split('\n', 1)[0]!

export function readPassages(text: string): Passages {
  const parts = splitSentences(text).flatMap(cut)
  const written = parts.map((part) => part.text)
  const { whole, starts, ends } = foldText(text)
  const lower = whole.toLowerCase()
  const numberAt = (at: number): number => parts.findIndex(({ end }) => end > at)
  const sentences = written.map(foldFacts)
  const spellFolded = (quote: string): string | null => {
    const sought = foldQuote(quote)
    const at = sought === '' ? -1 : whole.indexOf(sought)
    return at === -1 ? null : text.slice(starts[at], ends[at + sought.length - 1])
  }
  return {
    sentences,
    written,
    lead: sentences.slice(0, Math.min(LEAD_MAX, splitSentences(firstParagraph(text)).length)),
    find(passage) {
      const sought = foldQuote(passage).toLowerCase()
      const places: Place[] = []
      if (sought === '') return places
      for (let at = lower.indexOf(sought); at !== -1 && places.length < PLACES_MAX;) {
        const from = numberAt(starts[at]!)
        const to = numberAt(ends[at + sought.length - 1]! - 1)
        const isNew = places.at(-1)?.from !== from || places.at(-1)?.to !== to
        if (from !== -1 && to !== -1 && isNew) places.push({ from, to })
        at = lower.indexOf(sought, at + 1)
      }
      return places
    },
    has: (quote) => whole.includes(foldQuote(quote)),
    spell(quote) {
      if (quote.trim() !== '' && text.includes(quote)) return quote
      const bare = /^[「『"“](.+)[」』"”]$/su.exec(quote)?.[1]
      return spellFolded(quote) ?? (bare === undefined ? null : spellFolded(bare))
    },
  }
}

/** The parts of a sentence that is too long, cut behind a pause where it has one. */
function cut({ text, start, end }: Sentence): Omit<Sentence, 'start'>[] {
  const parts: Omit<Sentence, 'start'>[] = []
  let from = 0
  while (text.length - from > SENTENCE_MAX) {
    const pause = text.lastIndexOf('、', from + SENTENCE_MAX - 1)
    const to = pause > from + SENTENCE_MAX / 2 ? pause + 1 : from + SENTENCE_MAX
    parts.push({ text: text.slice(from, to), end: start + to })
    from = to
  }
  return [...parts, { text: text.slice(from), end }]
}

/** A letter with its combining marks, so that a half-width ｶ and its ﾞ become one ガ. */
const LETTERS = /[\s\S][\u0300-\u036f\u3099\u309a\uff9e\uff9f]*/gu

/** Also, for each UTF-16 unit of the folded text, where its letter starts and ends in the text. */
function foldText(text: string) {
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

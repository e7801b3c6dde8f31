/** Splits an article into sentences, and finds the sentences in which a passage stands. */
import { foldFacts, foldQuote } from './text.ts'
import { splitSentences } from './sentences.ts'

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
  /** Of the first paragraph, which tells the whole news. */
  readonly lead: readonly string[]
  /**
   * The first places of a passage; empty when it is not found, or runs across text outside
   * sentences.
   */
  find(passage: string): Place[]
}

/** Maximum places of a word that an article repeats. */
const PLACES_MAX = 50

const firstParagraph = (text: string): string => text.trimStart().split('\n', 1)[0]!

export function readPassages(text: string): Passages {
  const written = splitSentences(text).map((sentence) => sentence.text)
  let whole = ''
  /** End of each sentence in the whole text. */
  const ends = written.map((sentence) => (whole += foldQuote(sentence)).length)
  whole = whole.toLowerCase()
  const numberAt = (at: number): number => ends.findIndex((end) => end > at)
  const sentences = written.map(foldFacts)
  return {
    sentences,
    written,
    lead: sentences.slice(0, splitSentences(firstParagraph(text)).length),
    find(passage) {
      const sought = foldQuote(passage).toLowerCase()
      const places: Place[] = []
      if (sought === '') return places
      for (let at = whole.indexOf(sought); at !== -1 && places.length < PLACES_MAX;) {
        const from = numberAt(at)
        const to = numberAt(at + sought.length - 1)
        const isNew = places.at(-1)?.from !== from || places.at(-1)?.to !== to
        if (from !== -1 && to !== -1 && isNew) places.push({ from, to })
        at = whole.indexOf(sought, at + 1)
      }
      return places
    },
  }
}

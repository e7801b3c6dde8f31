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
  /** The beginning of the first paragraph, which tells the whole news. */
  readonly lead: readonly string[]
  /**
   * The first places of a passage; empty when it is not found, or runs across text outside
   * sentences.
   */
  find(passage: string): Place[]
}

/** Sentences of the first paragraph that are its lead: some pages have all in one paragraph. */
const LEAD_MAX = 3
/** A longer sentence is no sentence: it is cut, so that a passage stays one to read. */
const SENTENCE_MAX = 400
/** Maximum places of a word that an article repeats. */
const PLACES_MAX = 50

const firstParagraph = (text: string): string => text.trimStart().split('\n', 1)[0]!

export function readPassages(text: string): Passages {
  const written = splitSentences(text).flatMap((sentence) => cut(sentence.text))
  let whole = ''
  /** End of each sentence in the whole text. */
  const ends = written.map((sentence) => (whole += foldQuote(sentence)).length)
  whole = whole.toLowerCase()
  const numberAt = (at: number): number => ends.findIndex((end) => end > at)
  const sentences = written.map(foldFacts)
  return {
    sentences,
    written,
    lead: sentences.slice(0, Math.min(LEAD_MAX, splitSentences(firstParagraph(text)).length)),
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

/** The parts of a sentence that is too long, cut behind a pause where it has one. */
function cut(sentence: string): string[] {
  const parts: string[] = []
  let rest = sentence
  while (rest.length > SENTENCE_MAX) {
    const pause = rest.lastIndexOf('、', SENTENCE_MAX - 1)
    const length = pause > SENTENCE_MAX / 2 ? pause + 1 : SENTENCE_MAX
    parts.push(rest.slice(0, length))
    rest = rest.slice(length)
  }
  return [...parts, rest]
}

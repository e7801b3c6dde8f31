/** The sentences of an article, and which of them a passage stands in. */
import { foldFacts, foldQuote } from './checker-text.ts'
import { splitSentences } from './sentences.ts'

/** Numbers of sentences, the last one included. */
export interface Place {
  readonly from: number
  readonly to: number
}

export interface Places {
  /** Folded by `foldFacts` (checker-text.ts), in their order. */
  readonly sentences: readonly string[]
  /** Where a passage stands, as far as it is looked for; empty when it is not found, or runs over what is no sentence. */
  find(passage: string): Place[]
}

/** A word that an article is full of is looked for so often. */
const PLACES_MAX = 50

export function readPlaces(text: string): Places {
  const written = splitSentences(text).map((sentence) => sentence.text)
  let whole = ''
  /** Where each sentence ends in the whole. */
  const ends = written.map((sentence) => (whole += foldQuote(sentence)).length)
  whole = whole.toLowerCase()
  const numberAt = (at: number): number => ends.findIndex((end) => end > at)
  return {
    sentences: written.map(foldFacts),
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

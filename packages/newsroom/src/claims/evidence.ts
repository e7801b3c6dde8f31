/** What bears a claim out: the place of its quote in the article, and the title and lead. */
import type { Place, Passages } from './passages.ts'
import { readWords, type Word } from './words.ts'

/** A folded text (`foldFacts` of text.ts) with its words. */
export interface Told {
  readonly text: string
  readonly words: readonly Word[]
}

/** A sentence or title of a summary. */
export interface Claim extends Told {
  readonly kind: 'title' | 'sentence'
}

export interface Evidence {
  /** The sentences of the quote. */
  readonly quoted: Told
  /** The same with their neighbours, and title and lead of the article. */
  readonly near: Told
  /** Where names, numbers and days are looked up: for a title also at the other quotes. */
  readonly known: string
}

/** Sentences before and after the quote that belong to its passage. */
export const NEIGHBOURS = 1

export const readTold = (text: string): Told => ({ text, words: readWords(text) })

/**
 * @param title of the article, folded
 * @param place of the quote
 * @param others further quotes, which a title sums up with its own
 */
export function readEvidence(
  title: string,
  { sentences, lead }: Passages,
  { from, to }: Place,
  others: readonly Place[] = [],
): Evidence {
  const around = (place: Place): readonly string[] =>
    sentences.slice(Math.max(0, place.from - NEIGHBOURS), place.to + NEIGHBOURS + 1)
  const join = (texts: readonly string[]): string => [...new Set(texts)].join('\n')
  const near = [title, ...lead, ...around({ from, to })]
  return {
    quoted: readTold(sentences.slice(from, to + 1).join('\n')),
    near: readTold(join(near)),
    known: join([...near, ...others.flatMap(around)]),
  }
}

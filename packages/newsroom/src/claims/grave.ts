/**
 * Checks grave words of a summary against its article: death, crime, resignation, the end of plans.
 * They do harm when they are false, and every other check accepts a sentence with a false one among
 * true words.
 *
 * Not detected: grave words outside the lists, and a matter that the article states about somebody
 * else in the same place.
 */
import { COMMON_WORDS, GRAVE_MATTERS, NOT_GRAVE } from './checker-grave.lists.ts'
import type { Place, Places } from './checker-places.ts'
import { foldFacts } from './checker-text.ts'

/** An article, prepared for the lookup of grave words. */
export interface GraveText {
  /** The language of the article; in other languages than these two nothing can be looked up. */
  readonly language: 'japanese' | 'english' | 'other'
  /** Title and text. */
  readonly text: string
  readonly title: string
  readonly sentences: readonly string[]
}

/** Sentences on each side of a quote that count as its context: what happened, and to whom. */
const NEIGHBOURS = 1
/** Sentences of the lead, which summarise the whole article. */
const LEAD = 1

const WORD =
  /[\p{Script=Han}々]{2,}|[ァ-ヺー]{3,}|[a-z][a-z0-9]{2,}|\d[\d.,]*(?:[万億兆]|%|(?![年月日時分])[\p{Script=Han}])/gu
const ENGLISH = /(?<![a-z])(?:the|of|and|to|that|with|for)(?![a-z])/g
/** Minimum share of function words among the words of an English text. */
const ENGLISH_SHARE = 0.08

const withoutHarmless = (folded: string): string => folded.replace(NOT_GRAVE, '、')

/** @param folded title and text, folded by `foldFacts` (checker-text.ts) */
export function readGraveText(folded: string, title: string, { sentences }: Places, isForeign: boolean): GraveText {
  return {
    language: !isForeign ? 'japanese' : isEnglish(folded) ? 'english' : 'other',
    text: folded,
    title: withoutHarmless(foldFacts(title)),
    sentences: sentences.map(withoutHarmless),
  }
}

function isEnglish(folded: string): boolean {
  const words = folded.match(/[a-z\u00c0-\u024f]+/g)?.length ?? 0
  return (folded.match(ENGLISH)?.length ?? 0) > words * ENGLISH_SHARE
}

/**
 * The grave words of a folded text that the article does not support: not in its title and lead,
 * not where the quote stands, and not in a sentence that shares another word with the text.
 * @param quoted where the quote stands; empty for a title
 */
export function findUnsupportedGravity(folded: string, article: GraveText, quoted: readonly Place[]): string[] {
  if (article.language === 'other') return []
  const text = withoutHarmless(folded)
  const told = GRAVE_MATTERS.map((matter) => ({ ...matter, words: text.match(matter.said) ?? [] })).filter(
    ({ words }) => words.length > 0,
  )
  if (told.length === 0) return []
  if (article.language === 'english') {
    return told.filter(({ english }) => !english.test(article.text)).flatMap(({ words }) => words)
  }
  const near = nearTo(quoted, article)
  const rest = readWords(told.reduce((left, { said }) => left.replace(said, '、'), text))
  return told
    .filter(({ borne }) => {
      if (borne.test(near)) return false
      return !article.sentences.some((sentence) => borne.test(sentence) && rest.some((word) => sentence.includes(word)))
    })
    .flatMap(({ words }) => words)
}

/** Title, lead, and the sentences at a quote. */
function nearTo(quoted: readonly Place[], { title, sentences }: GraveText): string {
  const near = quoted.flatMap(({ from, to }) => sentences.slice(Math.max(0, from - NEIGHBOURS), to + NEIGHBOURS + 1))
  return [title, ...sentences.slice(0, LEAD), ...near].join('\n')
}

/** Words that show the subject of a text: two kanji in a row count, longer words count whole. */
function readWords(text: string): string[] {
  return [...text.matchAll(WORD)].flatMap(([word]) => {
    if (!/^[\p{Script=Han}々]/u.test(word)) return [word]
    return Array.from({ length: word.length - 1 }, (_, at) => word.slice(at, at + 2)).filter(
      (pair) => !COMMON_WORDS.has(pair),
    )
  })
}

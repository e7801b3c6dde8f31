/** Judges the answer of a language model: keeps what stands, and says what does not. */
import { NEWS_SENTENCES_MAX, NEWS_SENTENCES_MIN } from '@shinobi/contract/limits'
import type { SummarySentence } from '@shinobi/contract/news'
import type { ArticleDocument, StorySummary } from '../documents.ts'
import { checkSummary, findTied, passagesOf } from './checker.ts'
import { NEIGHBOURS } from './evidence.ts'
import type { Passages } from './passages.ts'
import { findRisks } from './grave.ts'

/** A sentence or title with the place of the article that bears it out, for the verifier. */
export interface JudgedClaim {
  readonly text: string
  /** The sentence of its quote with its neighbours, in the words of the article. */
  readonly passage: string
}

/** A summary that stands by the rules. */
export interface JudgedSummary extends StorySummary {
  readonly titleClaim: JudgedClaim
  /** Of each sentence. */
  readonly claims: readonly JudgedClaim[]
  /** Grave words of sentences that name somebody (grave.ts). */
  readonly risks: readonly string[]
}

export interface Judgement {
  /** Without the sentences that failed; null where too few are left. */
  readonly summary: JudgedSummary | null
  /** Why there is none, for administrators and for the model's second try. */
  readonly findings: readonly string[]
}

export function judgeSummary(document: ArticleDocument, answer: StorySummary): Judgement {
  const passages = passagesOf(document)
  const summary = withPassages(passages, answer)
  const findings = checkSummary(document, summary)
  const standing = findings.length === 0 ? summary : withoutFailing(document, summary)
  return standing === null
    ? { summary: null, findings }
    : { summary: { ...standing, ...claimsOf(passages, standing), risks: findRisks(standing) }, findings: [] }
}

/**
 * Replaces quotes by the article's own spelling, so that its page can show them. A quote that is
 * not found stays, and the checker reports it.
 */
const withPassages = ({ spell }: Passages, { title, sentences }: StorySummary): StorySummary => ({
  title,
  sentences: sentences.map(({ text, quote }) => ({ text, quote: spell(quote) ?? quote })),
})

/** The summary without its failing sentences, if enough are left; else null. */
function withoutFailing(document: ArticleDocument, { title, sentences }: StorySummary): StorySummary | null {
  let choices: SummarySentence[][] = [sentences.slice(0, NEWS_SENTENCES_MAX)]
  for (let left = choices[0]!.length; left >= NEWS_SENTENCES_MIN; left -= 1) {
    const standing = choices.find((choice) => checkSummary(document, { title, sentences: choice }).length === 0)
    if (standing !== undefined) return { title, sentences: standing }
    choices = choices.flatMap((choice) => choice.map((_, index) => choice.toSpliced(index, 1)))
  }
  return null
}

function claimsOf(passages: Passages, { title, sentences }: StorySummary) {
  const claims = sentences.map((sentence) => ({ text: sentence.text, passage: passageOf(sentence.quote, passages) }))
  return { claims, titleClaim: { text: title, passage: claims[findTied(title, sentences)]!.passage } }
}

function passageOf(quote: string, { written, find }: Passages): string {
  const [place] = find(quote)
  // Quotes that stood the check are found.
  if (place === undefined) return quote
  return written.slice(Math.max(0, place.from - NEIGHBOURS), place.to + NEIGHBOURS + 1).join('\n')
}

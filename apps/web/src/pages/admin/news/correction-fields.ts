/** What stands in the fields of a correction, as the server's schema judges it. */
import { NEWS_SENTENCE, TITLE } from '@shinobi/contract/limits'
import { messages } from '@shinobi/contract/messages'
import type { NewsCorrection } from '@shinobi/contract/news'
import { cleanLine, findProblem } from '@shinobi/contract/text'
import { findReasonProblem } from './reason-field.tsx'

export interface CorrectionProblems {
  title: string | null
  sentences: readonly (string | null)[]
  note: string | null
}

function findTitleProblem(title: string): string | null {
  const problem = findProblem(cleanLine(title), TITLE, 'line')
  if (problem === null) return null
  if (problem === 'too_long') return messages.title_too_long
  return problem === 'bad_characters' ? messages.title_bad_characters : messages.title_too_short
}

function findSentenceProblem(sentence: string): string | null {
  const problem = findProblem(cleanLine(sentence), NEWS_SENTENCE, 'line')
  if (problem === null) return null
  if (problem === 'too_long') return messages.news_sentence_too_long
  return problem === 'bad_characters' ? messages.news_sentence_bad_characters : messages.news_sentence_required
}

export const findCorrectionProblems = ({ title, sentences, note }: NewsCorrection): CorrectionProblems => ({
  title: findTitleProblem(title),
  sentences: sentences.map(findSentenceProblem),
  note: findReasonProblem(note),
})

export const hasProblems = ({ title, sentences, note }: CorrectionProblems): boolean =>
  [title, ...sentences, note].some((problem) => problem !== null)

export const cleanCorrection = ({ title, sentences, note, corrections }: NewsCorrection): NewsCorrection => ({
  corrections,
  title: cleanLine(title),
  sentences: sentences.map(cleanLine),
  note: cleanLine(note),
})

/** What was typed and kept, if it still fits: a summary has as many sentences as it had. */
export function readKept(text: string, sentences: number): NewsCorrection | null {
  if (text === '') return null
  try {
    const kept = JSON.parse(text) as Partial<Record<keyof NewsCorrection, unknown>>
    const texts: unknown[] = Array.isArray(kept.sentences) ? kept.sentences : []
    const strings = texts.filter((one) => typeof one === 'string')
    if (typeof kept.title !== 'string' || typeof kept.note !== 'string') return null
    if (strings.length !== texts.length || strings.length !== sentences) return null
    if (!Number.isSafeInteger(kept.corrections)) return null
    return { title: kept.title, sentences: strings, note: kept.note, corrections: Number(kept.corrections) }
  } catch {
    return null
  }
}

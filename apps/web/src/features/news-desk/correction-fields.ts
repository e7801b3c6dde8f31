/** The fields of a correction, validated by the rules of the server's schema. */
import { findComplaint, sentenceWords, titleWords } from '@shinobi/contract/complaints'
import { TITLE } from '@shinobi/contract/limits'
import { NEWS_SENTENCE } from '@shinobi/contract/staff-limits'
import type { NewsCorrection } from '@shinobi/contract/news'
import { cleanLine } from '@shinobi/contract/text'
import { findReasonProblem } from './reason-field.tsx'

export const findCorrectionProblems = ({ title, sentences, note }: NewsCorrection) => ({
  title: findComplaint(cleanLine(title), TITLE, 'line', titleWords),
  sentences: sentences.map((text) => findComplaint(cleanLine(text), NEWS_SENTENCE, 'line', sentenceWords)),
  note: findReasonProblem(note),
})

export const hasProblems = ({ title, sentences, note }: ReturnType<typeof findCorrectionProblems>): boolean =>
  [title, ...sentences, note].some((problem) => problem !== null)

export const cleanCorrection = ({ title, sentences, note, corrections }: NewsCorrection): NewsCorrection => ({
  corrections,
  title: cleanLine(title),
  sentences: sentences.map(cleanLine),
  note: cleanLine(note),
})

/** The stored draft, if it still fits: the number of sentences must be unchanged. */
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

/** Validation of the fields of a word rule, with the limits of the server's schema. */
import { findComplaint, wordWords } from '@shinobi/contract/complaints'
import { WORD_ALLOW_MAX } from '@shinobi/contract/limits'
import { MODERATION_NOTE, WORD } from '@shinobi/contract/staff-limits'
import { messages } from '@shinobi/contract/messages'
import { WORD_ACTIONS } from '@shinobi/contract/rules'
import { findProblem } from '@shinobi/contract/text'
import type { WordAction } from '@shinobi/contract/words'

export const ACTION_OPTIONS = Object.entries(WORD_ACTIONS).map(([value, label]) => ({
  value: value as WordAction,
  label,
}))

export const findWordProblem = (word: string): string | null => findComplaint(word.trim(), WORD, 'line', wordWords)

/** One word per line; empty lines are ignored. */
export const readAllowed = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

export function findAllowedProblem(allowed: readonly string[]): string | null {
  if (allowed.length > WORD_ALLOW_MAX) return `例外の言葉は${WORD_ALLOW_MAX}件までです。`
  const wrong = allowed.find((word) => findWordProblem(word) !== null)
  return wrong === undefined ? null : `「${wrong.slice(0, 20)}」: ${findWordProblem(wrong)}`
}

export const findNoteProblem = (note: string): string | null =>
  findProblem(note.trim(), MODERATION_NOTE, 'line') === null ? null : messages.reason_too_long

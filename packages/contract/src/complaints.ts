/**
 * Messages for invalid text. The browser shows them before it sends, the server when it refuses.
 */
import type { TextLimit } from './limits.ts'
import { messages } from './messages.ts'
import { findProblem, nameBadCharacter, type TextProblem } from './text.ts'

/**
 * The message for each problem of a text, except bad characters: their message is the same for all
 * fields.
 */
export type TextWords = Readonly<Record<Exclude<TextProblem, 'bad_characters'>, string>>

/** @returns null for valid text. Expects cleaned text. */
export function findComplaint(text: string, limit: TextLimit, kind: 'body' | 'line', words: TextWords): string | null {
  const problem = findProblem(text, limit, kind)
  if (problem === null) return null
  return problem === 'bad_characters' ? messages.bad_characters(nameBadCharacter(text, kind)) : words[problem]
}

export const required = (blank: string, too_long: string): TextWords => ({ blank, too_short: blank, too_long })

export const titleWords: TextWords = {
  blank: messages.title_required,
  too_short: messages.title_too_short,
  too_long: messages.title_too_long,
}
export const contentWords = required(messages.content_required, messages.content_too_long)
export const nicknameWords = required(messages.nickname_required, messages.nickname_too_long)
export const usernameWords: TextWords = {
  blank: messages.register_required_fields,
  too_short: messages.username_length,
  too_long: messages.username_length,
}
/** Of the one field of a change. */
export const newNameWords: TextWords = { ...usernameWords, blank: messages.name_required }
export const reportReasonWords = required(messages.report_reason_short, messages.report_reason_long)
export const reasonWords = required(messages.reason_required, messages.reason_too_long)
/** May be empty. */
export const bannerWords = required('', messages.banner_too_long)
export const wordWords = required(messages.word_required, messages.word_too_long)
export const sourceNameWords = required(messages.news_name_required, messages.news_name_too_long)
export const sentenceWords = required(messages.news_sentence_required, messages.news_sentence_too_long)

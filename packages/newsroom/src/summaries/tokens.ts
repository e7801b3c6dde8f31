/** Estimates the tokens of a question and its answer from their text. */
import type { Prompt } from './prompt.ts'

/** Maximum tokens of a character, of Japanese, English, digits or JSON. */
const TOKENS_PER_CHARACTER = 1.2
const TOKENS_PER_ASCII = 0.6

/** The maximum tokens of a text with common tokenizers. */
export function tokensOf(text: string): number {
  const ascii = text.match(/[\0-\x7f]/g)?.length ?? 0
  return Math.ceil(ascii * TOKENS_PER_ASCII + (text.length - ascii) * TOKENS_PER_CHARACTER)
}

/** The maximum tokens of a question. */
export const tokensOfPrompt = ({ instructions, text }: Prompt): number => tokensOf(instructions) + tokensOf(text)

/**
 * Tokenizers made for Japanese need less than half of the maximum; none needs less than a quarter.
 */
const SHARE_MIN = 0.25
/** Endpoints add text of their own to a question, and models think before they answer. */
const TIMES_MAX = 10

/**
 * The cost that an endpoint reports, if it is plausible, else our estimate: an endpoint that counts
 * wrongly must neither make the budget endless nor use up a whole day's at once.
 * @param estimate the maximum cost of the text
 * @param room the reserved tokens, where the cost may exceed what is visible: thoughts are not part
 * of an answer
 */
export function believeTokens(told: number | null, estimate: number, room = estimate): number {
  if (told === null || !Number.isSafeInteger(told)) return estimate
  return told >= estimate * SHARE_MIN && told <= Math.max(estimate, room) * TIMES_MAX ? told : estimate
}

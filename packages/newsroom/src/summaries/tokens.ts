/** What a question and its answer cost in tokens, as far as their words tell. */
import type { Prompt } from './prompt.ts'

/** Tokens that a character costs at most: one of Japanese, and one of English, digits or JSON. */
const TOKENS_PER_CHARACTER = 1.2
const TOKENS_PER_ASCII = 0.6

/** The most that a text costs with tokenizers in use. */
export function tokensOf(text: string): number {
  const ascii = text.match(/[\0-\x7f]/g)?.length ?? 0
  return Math.ceil(ascii * TOKENS_PER_ASCII + (text.length - ascii) * TOKENS_PER_CHARACTER)
}

/** The most that a question costs. */
export const tokensOfPrompt = ({ instructions, text }: Prompt): number => tokensOf(instructions) + tokensOf(text)

/** Tokenizers made for Japanese take less than half of the most; none takes less than a quarter. */
const SHARE_MIN = 0.25
/** Endpoints add words of their own to a question, and models think before they answer. */
const TIMES_MAX = 10

/**
 * What an endpoint tells of its cost, where it can be believed, else our estimate: an endpoint that counts wrong shall neither make the budget
 * endless nor use up a day's at once.
 * @param estimate what the words cost at most
 * @param room what was set aside, where they may have cost more than can be seen: thoughts are not part of an answer
 */
export function believeTokens(told: number | null, estimate: number, room = estimate): number {
  if (told === null || !Number.isSafeInteger(told)) return estimate
  return told >= estimate * SHARE_MIN && told <= Math.max(estimate, room) * TIMES_MAX ? told : estimate
}

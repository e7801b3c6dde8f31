/** A member's name for somebody who comes from Google, where names may hold anything. */
import { randomInt } from 'node:crypto'
import { username } from '@shinobi/contract/accounts'
import { USERNAME } from '@shinobi/contract/limits'
import { cleanName, countGraphemes, isBlank, truncateGraphemes } from '@shinobi/contract/text'

/** For a name of which nothing can be used. */
const NOBODY = '忍者'
const SUFFIX_LENGTH = 5
/** No vowels, so that chance writes no words, and nothing that reads as something else. */
const LETTERS = 'bcdfghjkmnpqrstvwxz23456789'
/** What has no place in a name: controls, directions, lone surrogates, and the sign that only mail addresses bear. */
const UNWANTED = /[\p{Cc}\p{Cs}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\u2028\u2029@＠]/gu

const isUsable = (name: string): boolean => username.safeParse(name).success

const suffix = (): string =>
  `_${Array.from({ length: SUFFIX_LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('')}`

const shorten = (text: string, max: number): string => {
  const cut = countGraphemes(text) <= max ? text : truncateGraphemes(text, max).replace(/…$/u, '')
  return cut.trim()
}

/**
 * Names to try one after another: what Google says, as far as our rules let it, then the same with something random behind.
 * @param isAllowed the rules beyond the form (reserved names, banned words)
 */
export function* proposeNames(given: string, isAllowed: (name: string) => boolean): Generator<string, void> {
  // Far more than any name; what follows need not be cut with care.
  const clean = cleanName(given.slice(0, 400).replace(UNWANTED, '').replace(/\s+/gu, ' '))
  const whole = shorten(clean, USERNAME.max)
  if (isUsable(whole) && isAllowed(whole)) yield whole
  const short = shorten(clean, USERNAME.max - 1 - SUFFIX_LENGTH)
  const base = !isBlank(short) && isUsable(`${short}_xxxxx`) && isAllowed(short) ? short : NOBODY
  for (;;) yield `${base}${suffix()}`
}

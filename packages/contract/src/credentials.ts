/** What counts as a mail address, as a password and as part of a name, for the schemas and, free of zod, for forms in the browser. */
import { EMAIL, PASSWORD } from './limits.ts'
import { countBytes, countGraphemes } from './text.ts'

/** What no address holds: spaces, invisible characters, and what would make it several, or another, in a mail's header. */
const NOT_IN_EMAIL = /[\s\p{C}"(),:;<>[\]\\]/u

/**
 * No spaces, one @, a dot in the domain, and no character that is another one's variant (ｋ for k): two mailboxes shall not
 * pass for one address, and what was typed in full width is none.
 */
export const isEmail = (text: string): boolean =>
  text.length <= EMAIL.max &&
  /^[^@]+@[^@.]+(\.[^@.]+)+$/.test(text) &&
  !NOT_IN_EMAIL.test(text) &&
  text.normalize('NFKC') === text

/** Whether a name holds an @, wide or small: it must never pass for a mail address where either may be typed. */
export const holdsAt = (name: string): boolean => name.normalize('NFKC').includes('@')

/** Whether a text is as long as a password has to be, and no longer; whether it is guessed first, only the server knows. */
export function fitsPassword(text: string): boolean {
  const length = countGraphemes(text)
  return length >= PASSWORD.min && length <= PASSWORD.max && countBytes(text) <= PASSWORD.maxBytes
}

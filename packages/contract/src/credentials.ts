/**
 * Rules for mail addresses, passwords and @ in names. Schemas use them; forms in the browser do
 * too, so this file is free of zod.
 */
import { EMAIL, PASSWORD } from './limits.ts'
import { countBytes, countGraphemes } from './text.ts'

/**
 * Characters that are not allowed in an address: spaces, invisible characters, and those that would
 * change or multiply the recipients in a mail's header.
 */
const NOT_IN_EMAIL = /[\s\p{C}"(),:;<>[\]\\]/u

/**
 * No spaces, one @, a dot in the domain, and no compatibility variant of another character (ｋ for
 * k): otherwise two different mailboxes could look like one address.
 */
export const isEmail = (text: string): boolean =>
  text.length <= EMAIL.max &&
  /^[^@]+@[^@.]+(\.[^@.]+)+$/.test(text) &&
  !NOT_IN_EMAIL.test(text) &&
  text.normalize('NFKC') === text

/**
 * Whether a name contains an @ of any width. Such a name could pass for a mail address in the
 * log-in form, which takes either.
 */
export const holdsAt = (name: string): boolean => name.normalize('NFKC').includes('@')

/**
 * Whether a password has a permitted length. Only the server checks it against common passwords.
 */
export function fitsPassword(text: string): boolean {
  const length = countGraphemes(text)
  return length >= PASSWORD.min && length <= PASSWORD.max && countBytes(text) <= PASSWORD.maxBytes
}

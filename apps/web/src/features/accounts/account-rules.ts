/**
 * Validates account fields before they are sent, with messages: the same rules as the contract's
 * schemas, which are too large to load in the page (account-rules.test.ts compares them).
 */
import { findComplaint, usernameWords } from '@shinobi/contract/complaints'
import { fitsPassword, holdsAt, isEmail } from '@shinobi/contract/credentials'
import { USERNAME } from '@shinobi/contract/limits'
import { messages } from '@shinobi/contract/messages'
import { cleanName } from '@shinobi/contract/text'

export function findNameProblem(typed: string, words = usernameWords): string | null {
  const name = cleanName(typed)
  return findComplaint(name, USERNAME, 'line', words) ?? (holdsAt(name) ? messages.username_at : null)
}

export function findEmailProblem(email: string): string | null {
  if (email === '') return messages.register_required_fields
  return isEmail(email) ? null : messages.email_invalid
}

export function findPasswordProblem(password: string): string | null {
  if (password === '') return messages.register_required_fields
  return fitsPassword(password) ? null : messages.password_length
}

export type RegisterField = 'username' | 'email' | 'password'

/**
 * The first problem of a registration, with all fields that have it. Missing fields come before
 * invalid ones.
 */
export function findRegisterProblem(
  typed: Readonly<Record<RegisterField, string>>,
): { fields: RegisterField[]; message: string } | null {
  const found = [
    { field: 'username', message: findNameProblem(typed.username) },
    { field: 'email', message: findEmailProblem(typed.email) },
    { field: 'password', message: findPasswordProblem(typed.password) },
  ] as const
  const missing = found.find(({ message }) => message === messages.register_required_fields)
  // The mail address comes first (docs/product.md#accounts).
  const message = (missing ?? [found[1], found[0], found[2]].find((one) => one.message !== null))?.message ?? null
  if (message === null) return null
  return { fields: found.filter((one) => one.message === message).map(({ field }) => field), message }
}

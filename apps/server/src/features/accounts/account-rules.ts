/** Rules for names and passwords beyond their form, which the contract checks. */
import type { BannedWords } from '../words/word-verdicts.service.ts'
import { refuse } from '../../lib/api-error.ts'
import { isCommonPassword, type PasswordOwner } from './common-passwords.ts'
import { isReservedName } from './reserved-names.ts'

/**
 * Refuses a member's name that is not allowed. `takeName` checks whether another member has it.
 * @throws ApiError taken for names reserved for the staff, banned_word
 */
export function refuseName(words: BannedWords, name: string): void {
  if (isReservedName(name)) throw refuse('taken', 'username_taken')
  if (words.isBanned(name)) throw refuse('banned_word', 'username_banned')
}

/** Refuses a password that is easy to guess. @throws ApiError bad_password */
export function refusePassword(password: string, owner: PasswordOwner): void {
  if (isCommonPassword(password, owner)) throw refuse('bad_password', 'password_too_common')
}

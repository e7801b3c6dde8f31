/** What a name and a password must be beyond their form, which the contract checks. */
import type { BannedWords } from '../words/words.service.ts'
import { refuse } from '../../lib/api-error.ts'
import { isCommonPassword, type PasswordOwner } from './common-passwords.ts'
import { isReservedName } from './reserved-names.ts'

/**
 * Refuses a member's name that nobody may bear. Whether another member bears it, `takeName` tells.
 * @throws ApiError taken for the names of those who run the board, banned_word
 */
export function refuseName(words: BannedWords, name: string): void {
  if (isReservedName(name)) throw refuse('taken', 'username_taken')
  if (words.isBanned(name)) throw refuse('banned_word', 'username_banned')
}

/** Refuses a password that is guessed first. @throws ApiError bad_password */
export function refusePassword(password: string, owner: PasswordOwner): void {
  if (isCommonPassword(password, owner)) throw refuse('bad_password', 'password_too_common')
}

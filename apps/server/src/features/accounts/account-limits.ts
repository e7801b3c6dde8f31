/** Limits of what strangers may try with accounts, by account and by address prefix; nothing of it is stored. */
import { messages } from '@shinobi/contract/messages'
import type { Config } from '../../config.ts'
import { ApiError, refuse } from '../../lib/api-error.ts'
import { tooMany, type KeyLimit, type KeyLimits } from '../../lib/key-limit.ts'
import { createLoginTries, type LoginTries } from './login-tries.ts'

export interface AccountLimits {
  readonly logins: LoginTries
  /**
   * Wrong codes of a second factor, by account, or by the account and a browser that has shown one before: only who has the password
   * gets so far, whatever address they ask from. Three codes in a million are right at any time.
   */
  readonly codes: KeyLimit
  /** Google's tokens, by their hash: each is good for one log-in, and for an hour. */
  readonly googleTokens: KeyLimit
  /** Renewals of a session, each of which is written: a browser needs one in a quarter of an hour, and some when answers get lost. */
  readonly renewals: KeyLimit
  /** Tries to open an account, by address: they also tell which names are taken. */
  readonly registrations: KeyLimit
  /**
   * Mails to one address: a person needs one, a second when the first got lost. Those that only go to members are counted apart,
   * so that the others tell nobody who is one.
   */
  readonly resetMailsTo: KeyLimit
  readonly verificationMailsTo: KeyLimit
  /**
   * The same by the member who asks: several may have typed in one address, and none shall learn from a refusal what the others do.
   */
  readonly verificationMailsOf: KeyLimit
  /** Mails that one address asks for. */
  readonly mailsFrom: KeyLimit
}

const HOUR = 3_600
/** A day of guessing finds a code in one of seven hundred accounts; who mistypes stops long before. */
const CODES_PER_HOUR = 20
const RENEWALS = { points: 60, seconds: 15 * 60 }
const MAILS_PER_HOUR = 3
/** A carrier's NAT puts a whole town behind one address. */
const MAILS_PER_ADDRESS = 40

export function createAccountLimits(config: Pick<Config, 'registrationsPerHour'>, keyLimit: KeyLimits): AccountLimits {
  const refusal = tooMany('too_many_requests')
  return {
    logins: createLoginTries(keyLimit),
    codes: keyLimit({
      name: 'codes',
      points: CODES_PER_HOUR,
      seconds: HOUR,
      refusal: (wait) => new ApiError('too_many_requests', messages.login_limited(Math.ceil(wait / 60)), wait),
    }),
    googleTokens: keyLimit({
      name: 'googleTokens',
      points: 1,
      seconds: 2 * HOUR,
      refusal: () => refuse('bad_credentials', 'google_login_failed'),
    }),
    renewals: keyLimit({ name: 'renewals', ...RENEWALS, refusal }),
    registrations: keyLimit({
      name: 'registrations',
      points: config.registrationsPerHour,
      seconds: HOUR,
      refusal: tooMany('register_limited'),
    }),
    resetMailsTo: keyLimit({ name: 'resetMailsTo', points: MAILS_PER_HOUR, seconds: HOUR, refusal }),
    verificationMailsTo: keyLimit({ name: 'verificationMailsTo', points: MAILS_PER_HOUR, seconds: HOUR, refusal }),
    verificationMailsOf: keyLimit({ name: 'verificationMailsOf', points: MAILS_PER_HOUR, seconds: HOUR, refusal }),
    mailsFrom: keyLimit({ name: 'mailsFrom', points: MAILS_PER_ADDRESS, seconds: HOUR, refusal }),
  }
}

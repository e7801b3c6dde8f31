/** Limits of what strangers may try with accounts. Kept in memory, by account and by address prefix; nothing of it is stored. */
import type { Config } from '../../config.ts'
import { createKeyLimit, tooMany, type KeyLimit } from '../../lib/key-limit.ts'
import { createLoginTries, type LoginTries } from './login-tries.ts'

export interface AccountLimits {
  readonly logins: LoginTries
  /** Renewals of a session, each of which is written: a browser needs one in a quarter of an hour, and some when answers get lost. */
  readonly renewals: KeyLimit
  /** Tries to open an account, by address: they also tell which names and mail addresses are taken. */
  readonly registrations: KeyLimit
  /**
   * Mails to one address: a person needs one, a second when the first got lost. Those that only go to members are counted apart,
   * so that the others tell nobody who is one.
   */
  readonly resetMailsTo: KeyLimit
  readonly verificationMailsTo: KeyLimit
  /** Mails that one address asks for. */
  readonly mailsFrom: KeyLimit
}

const HOUR = 3_600
const RENEWALS = { points: 60, seconds: 15 * 60 }
const MAILS_PER_HOUR = 3
/** A carrier's NAT puts a whole town behind one address. */
const MAILS_PER_ADDRESS = 40

export function createAccountLimits(config: Pick<Config, 'registrationsPerHour'>): AccountLimits {
  const refusal = tooMany('too_many_requests')
  return {
    logins: createLoginTries(),
    renewals: createKeyLimit({ ...RENEWALS, refusal }),
    registrations: createKeyLimit({
      points: config.registrationsPerHour,
      seconds: HOUR,
      refusal: tooMany('register_limited'),
    }),
    resetMailsTo: createKeyLimit({ points: MAILS_PER_HOUR, seconds: HOUR, refusal }),
    verificationMailsTo: createKeyLimit({ points: MAILS_PER_HOUR, seconds: HOUR, refusal }),
    mailsFrom: createKeyLimit({ points: MAILS_PER_ADDRESS, seconds: HOUR, refusal }),
  }
}

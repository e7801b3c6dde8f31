/**
 * Rate limits of account requests, by account and by address prefix. They are never stored in the
 * database.
 */
import { messages } from '@shinobi/contract/messages'
import type { Config } from '../../config.ts'
import { sitePrefix } from '../../http/visitor.ts'
import { ApiError, refuse } from '../../lib/api-error.ts'
import {
  takeAll,
  tooMany,
  type Counter,
  type KeyLimit,
  type KeyLimitOptions,
  type KeyLimits,
} from '../../lib/key-limit.ts'
import { createLoginTries, type LoginTries } from './login-tries.ts'

export interface AccountLimits {
  readonly logins: LoginTries
  /**
   * Wrong codes of a second factor, by account, or by the account and a browser that has shown a
   * right code before. A caller needs the password to get here, so no count by address is needed.
   * Three codes in a million are right at any time.
   */
  readonly codes: KeyLimit
  /** Google's tokens, by their hash: each is good for one log-in, and valid for an hour. */
  readonly googleTokens: KeyLimit
  /**
   * Renewals of a session, each of which is a write: a browser needs one in a quarter of an hour,
   * and a few more when answers get lost.
   */
  readonly renewals: KeyLimit
  /** Attempts to open an account, by address: they also reveal which names are taken. */
  readonly registrations: AddressLimit
  /**
   * Mails to one mailbox (`mailboxOf`): a person needs one, and a second when the first got lost.
   * Mails that go only to members are counted separately, so that the other counts do not reveal
   * who is a member.
   */
  readonly resetMailsTo: KeyLimit
  readonly verificationMailsTo: KeyLimit
  /**
   * The same by the member who asks: several members may have typed in one address, and a refusal
   * must not reveal what the others do.
   */
  readonly verificationMailsOf: KeyLimit
  /** Mails requested from one address. Those of registrations are bounded by `registrations`. */
  readonly mailsFrom: AddressLimit
}

/**
 * A limit by address prefix (`addressPrefix`), and by the /48 of an IPv6 one with a higher limit: a
 * subscriber may have 65,536 prefixes.
 */
export type AddressLimit = Pick<KeyLimit, 'take'>

const HOUR = 3_600
/**
 * A day of guessing finds a code in one of seven hundred accounts; a member who mistypes stops long
 * before.
 */
const CODES_PER_HOUR = 20
const RENEWALS = { points: 60, seconds: 15 * 60 }
const MAILS_PER_HOUR = 3
/** A carrier's NAT puts a whole town behind one address. */
const MAILS_PER_ADDRESS = 40
/** An IPv6 /48 may use the limit of so many addresses, as for log-ins. */
const NETWORK_FACTOR = 4

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
    registrations: limitAddresses(keyLimit, {
      name: 'registrations',
      points: config.registrationsPerHour,
      seconds: HOUR,
      refusal: tooMany('register_limited'),
    }),
    resetMailsTo: keyLimit({ name: 'resetMailsTo', points: MAILS_PER_HOUR, seconds: HOUR, refusal }),
    verificationMailsTo: keyLimit({ name: 'verificationMailsTo', points: MAILS_PER_HOUR, seconds: HOUR, refusal }),
    verificationMailsOf: keyLimit({ name: 'verificationMailsOf', points: MAILS_PER_HOUR, seconds: HOUR, refusal }),
    mailsFrom: limitAddresses(keyLimit, { name: 'mailsFrom', points: MAILS_PER_ADDRESS, seconds: HOUR, refusal }),
  }
}

function limitAddresses(keyLimit: KeyLimits, options: KeyLimitOptions & { readonly points: number }): AddressLimit {
  const byPrefix = keyLimit(options)
  const byNetwork = keyLimit({
    ...options,
    name: `${options.name}:network`,
    points: NETWORK_FACTOR * options.points,
  })
  return {
    take(prefix) {
      const network = sitePrefix(prefix)
      const ofNetwork: Counter[] = network === null ? [] : [[byNetwork, network]]
      return takeAll([...ofNetwork, [byPrefix, prefix]])
    },
  }
}

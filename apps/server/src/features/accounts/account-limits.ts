/** Limits of what strangers may try with accounts. Kept in memory, by account and by address prefix; nothing of it is stored. */
import { messages } from '@shinobi/contract/messages'
import type { Config } from '../../config.ts'
import { ApiError } from '../../lib/api-error.ts'
import { createKeyLimit, type KeyLimit } from '../../lib/key-limit.ts'
import { createLoginTries, type LoginTries } from './login-tries.ts'

export interface AccountLimits {
  readonly logins: LoginTries
  /** Tries to open an account, by address: they also tell which names and mail addresses are taken. */
  readonly registrations: KeyLimit
  /** Mails to one address that strangers ask for: a person needs one, a second when the first got lost. */
  readonly mailsTo: KeyLimit
  /** Mails that one address asks for. */
  readonly mailsFrom: KeyLimit
}

const HOUR = 3_600
const MAILS_PER_HOUR = 3
/** A carrier's NAT puts a whole town behind one address. */
const MAILS_PER_ADDRESS = 40

export function createAccountLimits(config: Pick<Config, 'registrationsPerHour'>): AccountLimits {
  const tooMany = (wait: number): ApiError => new ApiError('too_many_requests', messages.too_many_requests, wait)
  return {
    logins: createLoginTries(),
    registrations: createKeyLimit({
      points: config.registrationsPerHour,
      seconds: HOUR,
      refusal: (wait) => new ApiError('too_many_requests', messages.register_limited, wait),
    }),
    mailsTo: createKeyLimit({ points: MAILS_PER_HOUR, seconds: HOUR, refusal: tooMany }),
    mailsFrom: createKeyLimit({ points: MAILS_PER_ADDRESS, seconds: HOUR, refusal: tooMany }),
  }
}

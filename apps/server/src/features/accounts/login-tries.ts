/**
 * Rate limits against guessing of passwords. An attempt is counted as failed before the password is
 * checked, so that concurrent attempts cannot exceed the limit, and is refunded when it was right.
 * The count is by the typed name: unknown names are counted exactly like those of members, and a
 * name separately from the mail address of its member, which hides which names exist and which
 * address belongs to which name.
 */
import { createHash } from 'node:crypto'
import { messages } from '@shinobi/contract/messages'
import { sitePrefix } from '../../http/visitor.ts'
import { ApiError } from '../../lib/api-error.ts'
import {
  giveBackAll,
  takeAll,
  type Counter,
  type KeyLimit,
  type KeyLimits,
  type KeyLimitOptions,
} from '../../lib/key-limit.ts'

/**
 * A member who forgot the password tries a handful; ten are enough for that, and too few for
 * guessing.
 */
const PER_PAIR = { name: 'logins:pair', points: 10, seconds: 15 * 60 }
/**
 * For guessing from many addresses. It also locks the member out of the log-in form for the rest of
 * the hour, in browsers that were never theirs, so it is high.
 */
const PER_ACCOUNT = { name: 'logins:account', points: 100, seconds: 3_600 }
/**
 * For one address that tries many accounts; a carrier's NAT puts a whole town behind one address.
 */
const PER_ADDRESS = { name: 'logins:address', points: 100, seconds: 15 * 60 }
/**
 * The /48 of an IPv6 address: a subscriber has so many addresses that none of them ever reaches its
 * own limit.
 */
const PER_NETWORK = { name: 'logins:network', points: 400, seconds: 15 * 60 }
/**
 * For a browser, or a session, of the account's holder: it has its own count, which other clients
 * cannot use up.
 */
const PER_DEVICE = { name: 'logins:device', points: 10, seconds: 15 * 60 }
/**
 * For right attempts too, as each costs a hash: otherwise one member could keep the hashing busy.
 */
const RIGHT_OR_WRONG = { name: 'logins:all', points: 120, seconds: 15 * 60 }

export interface LoginTry {
  /** The typed name or mail address, folded. Null when the attempt is for no particular account. */
  readonly account: string | null
  /** Address prefix, see addressPrefix(). */
  readonly address: string
  /**
   * The browser, where the account's holder has logged in with it before (known-device.ts), or the
   * session.
   */
  readonly device?: string | null
  /**
   * A code of the second factor was right in that browser, so a stranger with the password cannot
   * use up its right attempts.
   */
  readonly isCoded?: boolean
}

export interface LoginTries {
  /**
   * Runs a check that costs an attempt unless it finds a result; even then it counts against a wide
   * limit of the account.
   * @throws ApiError too_many_requests instead of running it when the attempts are used up; a check
   * that throws costs nothing
   */
  check<T>(attempt: LoginTry, find: () => Promise<T | undefined>): Promise<T | undefined>
  /**
   * Resets the failed attempts of an account from an address, after its holder has been
   * authenticated.
   */
  forgive(attempt: LoginTry): Promise<void>
}

export function createLoginTries(keyLimit: KeyLimits): LoginTries {
  const create = (options: Omit<KeyLimitOptions, 'refusal'>): KeyLimit =>
    keyLimit({
      ...options,
      refusal: (wait) => new ApiError('too_many_requests', messages.login_limited(Math.ceil(wait / 60)), wait),
    })
  const byPair = create(PER_PAIR)
  const byAccount = create(PER_ACCOUNT)
  const byAddress = create(PER_ADDRESS)
  const byNetwork = create(PER_NETWORK)
  const byDevice = create(PER_DEVICE)
  const rightOrWrong = create(RIGHT_OR_WRONG)

  // The widest first: an address that has used it up adds no further names to memory.
  const countersOf = ({ account, address, device = null }: LoginTry): Counter[] => {
    if (device !== null) return [[byDevice, shorten(`${account} ${device}`)]]
    const network = sitePrefix(address)
    const ofPlace: Counter[] = [...(network === null ? [] : [[byNetwork, network] as const]), [byAddress, address]]
    if (account === null) return ofPlace
    return [...ofPlace, [byAccount, shorten(account)], [byPair, shorten(`${account} ${address}`)]]
  }
  const alwaysCountersOf = ({ account, address, device, isCoded = false }: LoginTry): Counter[] =>
    account === null ? [] : [[rightOrWrong, shorten(`${account} ${isCoded ? device : address}`)]]

  async function forgive({ account, address }: LoginTry): Promise<void> {
    if (account !== null) await byPair.forget(shorten(`${account} ${address}`))
  }

  return {
    forgive,
    async check(attempt, find) {
      const counters = countersOf(attempt)
      const always = alwaysCountersOf(attempt)
      await takeAll([...counters, ...always])
      let found
      try {
        found = await find()
      } catch (error) {
        await giveBackAll([...counters, ...always])
        throw error
      }
      if (found === undefined) return undefined
      await giveBackAll(counters)
      await forgive(attempt)
      return found
    },
  }
}

/**
 * Typed texts may be long and private: a hash of fixed length bounds the memory, and keeps them out
 * of memory dumps.
 */
const shorten = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 22)

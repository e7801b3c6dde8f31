/**
 * Slows down guessing of passwords. A try counts as failed before the password is looked at, so that many at once gain
 * nothing, and is taken back when it was right. What counts is what was typed: names that nobody bears are counted exactly like
 * those of members, and a name apart from the mail address of its member, so that nobody learns which belong together.
 */
import { createHash } from 'node:crypto'
import { messages } from '@shinobi/contract/messages'
import { sitePrefix } from '../../http/visitor.ts'
import { ApiError } from '../../lib/api-error.ts'
import type { KeyLimit, KeyLimits, KeyLimitOptions } from '../../lib/key-limit.ts'

/** Somebody who forgot which password it was tries a handful; ten are enough for that, and few for guessing. */
const PER_PAIR = { name: 'logins:pair', points: 10, seconds: 15 * 60 }
/**
 * However many addresses guess together. It also keeps the member out of the log-in form for the rest of the hour, in browsers that were
 * never theirs, so it is high.
 */
const PER_ACCOUNT = { name: 'logins:account', points: 100, seconds: 3_600 }
/** One address that walks through many accounts; a carrier's NAT puts a whole town behind one. */
const PER_ADDRESS = { name: 'logins:address', points: 100, seconds: 15 * 60 }
/** The /48 of an IPv6 address: one subscriber has so many addresses that none of them ever uses its tries up. */
const PER_NETWORK = { name: 'logins:network', points: 400, seconds: 15 * 60 }
/** In a browser, or a session, of the account's holder: whatever others try, they are counted here alone. */
const PER_DEVICE = { name: 'logins:device', points: 10, seconds: 15 * 60 }
/** Right ones too, as each costs a hash: without it one member could keep all places of the hashing taken. */
const RIGHT_OR_WRONG = { name: 'logins:all', points: 120, seconds: 15 * 60 }

export interface LoginTry {
  /** The name or mail address that was typed, folded. Null when the try is for no account in particular. */
  readonly account: string | null
  /** Address prefix, see addressPrefix(). */
  readonly address: string
  /** The browser, where the account's holder has logged in with it before (known-device.ts), or the session. */
  readonly device?: string | null
  /** A code of the second factor was right in that browser: no stranger who has the password uses up its right tries. */
  readonly isCoded?: boolean
}

export interface LoginTries {
  /**
   * Runs a check that costs a try unless it finds something; those of an account are few even then.
   * @throws ApiError too_many_requests instead of running it when the tries are used up; a check that throws costs nothing
   */
  check<T>(attempt: LoginTry, find: () => Promise<T | undefined>): Promise<T | undefined>
  /** Forgets failed tries of an account from an address: its holder has proved to be who they are. */
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

  // The widest first: who has used that up fills the memory with no more names.
  const countersOf = ({ account, address, device = null }: LoginTry): Counter[] => {
    if (device !== null) return [[byDevice, shorten(`${account} ${device}`)]]
    const network = sitePrefix(address)
    const ofPlace: Counter[] = [...(network === null ? [] : [[byNetwork, network] as const]), [byAddress, address]]
    if (account === null) return ofPlace
    return [...ofPlace, [byAccount, shorten(account)], [byPair, shorten(`${account} ${address}`)]]
  }
  const alwaysCountersOf = ({ account, address, device, isCoded = false }: LoginTry): Counter[] =>
    account === null ? [] : [[rightOrWrong, shorten(`${account} ${isCoded ? device : address}`)]]

  async function takeAll(counters: readonly Counter[]): Promise<void> {
    const taken: Counter[] = []
    try {
      for (const counter of counters) {
        const [limit, key] = counter
        await limit.take(key)
        taken.push(counter)
      }
    } catch (error) {
      await giveBackAll(taken)
      throw error
    }
  }

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

type Counter = readonly [limit: KeyLimit, key: string]

async function giveBackAll(counters: readonly Counter[]): Promise<void> {
  for (const [limit, key] of counters) await limit.giveBack(key)
}

/** What was typed may be long, and is nobody's business: a fixed length keeps neither memory nor a dump full of it. */
const shorten = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 22)

/** Registers browsers for notices, and drops them, for whoever has the token. */
import { createHmac } from 'node:crypto'
import type { PushRegistration, PushSubscriptionKeys } from '@shinobi/contract/push'
import { foldForSearch } from '@shinobi/text/fold'
import type { Core } from '../../core.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { AddressHashes } from '../../http/visitor.ts'
import { refuse } from '../../lib/api-error.ts'
import { takeAll, tooMany, type Counter } from '../../lib/key-limit.ts'
import type { SecretBox } from '../../lib/secret-box.ts'
import { hashToken } from '../../lib/secret-token.ts'
import { isUsable, type PushSender } from './push-sender.ts'
import * as queries from './push.queries.ts'
import { FOLDED_WORD_MAX, TEST_MESSAGE } from './push.rules.ts'

export interface Registrations {
  /**
   * @throws ApiError unavailable (the board sends no notices), bad_request (a push service that
   * nothing is sent to, or bad keys), too_many_requests
   */
  register(registration: PushRegistration, from: AddressHashes): Promise<void>
  /** Deletes everything under a token. */
  drop(token: string): Promise<void>
  /** @throws ApiError not_found, unavailable (the push service is away), too_many_requests */
  sendTest(token: string, from: AddressHashes): Promise<void>
}

const HOUR = 3_600
/** A person sets up a few browsers; a carrier's NAT puts many people behind one address. */
const NEW_PER_ADDRESS = 60
const NEW_PER_NETWORK = 600
/** Every own post and each change of what is watched registers again, some seconds later. */
const CHANGES = 200
const TESTS = 10
const TESTS_PER_ADDRESS = 100

export function createRegistrations(
  { db, now, secret, keyLimit }: Pick<Core, 'db' | 'now' | 'secret' | 'keyLimit'>,
  sender: PushSender | null,
  seal: SecretBox,
): Registrations {
  const refusal = tooMany('push_limited')
  const limit = (name: string, points: number) => keyLimit({ name, points, seconds: HOUR, refusal })
  const newOfAddress = limit('push:address', NEW_PER_ADDRESS)
  const newOfNetwork = limit('push:network', NEW_PER_NETWORK)
  const changes = limit('push:token', CHANGES)
  const tests = limit('push:test', TESTS)
  const testsOfAddress = limit('push:testAddress', TESTS_PER_ADDRESS)
  const hashEndpoint = (endpoint: string): string =>
    createHmac('sha256', secret).update(`push endpoint ${endpoint}`).digest('base64url')

  return {
    async register({ token, subscription, quiet, words, ...registration }, { addressHash, networkHash }) {
      if (sender === null) throw refuse('unavailable', 'push_off')
      if (!sender.accepts(subscription.endpoint)) throw refuse('bad_request', 'push_unknown_service')
      if (!isUsable(subscription)) throw refuse('bad_request', 'push_bad_keys')
      const tokenHash = hashToken(token)
      if (!(await queries.hasRegistration(db, tokenHash))) {
        const ofNetwork: Counter[] = networkHash === null ? [] : [[newOfNetwork, networkHash]]
        await takeAll([...ofNetwork, [newOfAddress, addressHash]])
      }
      await changes.take(tokenHash)
      const folded = words.map(foldForSearch).filter((word) => word !== '' && word.length <= FOLDED_WORD_MAX)
      const stored = {
        ...{ ...registration, tokenHash, words: folded },
        endpointHash: hashEndpoint(subscription.endpoint),
        sealedSubscription: seal.seal(JSON.stringify(subscription), tokenHash),
        quiet: { quietFrom: quiet?.from ?? null, quietUntil: quiet?.until ?? null },
      }
      await inTransaction(db, (tx) => queries.saveRegistration(tx, stored, new Date(now())))
    },
    async drop(token) {
      await queries.deleteByToken(db, hashToken(token))
    },
    async sendTest(token, { addressHash }) {
      if (sender === null) throw refuse('unavailable', 'push_off')
      const tokenHash = hashToken(token)
      await testsOfAddress.take(addressHash)
      const browser = await queries.selectSubscription(db, tokenHash)
      if (browser === undefined) throw refuse('not_found', 'push_unknown')
      await tests.take(tokenHash)
      const subscription = openSubscription(seal, browser.sealedSubscription, tokenHash)
      const outcome = subscription && (await sender.send(subscription, TEST_MESSAGE, TEST_MESSAGE.tag))
      if (outcome?.kind === 'sent') return
      if (outcome !== null && outcome.kind !== 'gone') throw refuse('unavailable', 'push_not_taken')
      await queries.deleteBrowser(db, browser.id)
      throw refuse('not_found', 'push_unknown')
    },
  }
}

/** Null if it was sealed with another secret, whose key the push service would expect. */
export function openSubscription(seal: SecretBox, sealed: string, tokenHash: string): PushSubscriptionKeys | null {
  try {
    return JSON.parse(seal.open(sealed, tokenHash)) as PushSubscriptionKeys
  } catch {
    return null
  }
}

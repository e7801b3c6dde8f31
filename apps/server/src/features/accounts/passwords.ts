/**
 * argon2id, hashed on the thread pool, with the parameters that OWASP recommends: 19 MiB, two
 * passes, one lane.
 */
import argon2 from '@node-rs/argon2'
import { createFairSemaphore } from '../../lib/fair-semaphore.ts'

const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
/**
 * Concurrent hashes: many log-ins at once must use up neither the memory nor all threads, which
 * images and the disk need too.
 */
const AT_ONCE = 2
/**
 * Maximum waiting hashes, about three seconds' worth on a small machine; beyond it the answer is
 * "busy" at once.
 */
const WAITING_MAX = 100
/**
 * Maximum of one source, whose hashes run one at a time: others take turns with it, so its queue
 * does not delay them.
 */
const WAITING_MAX_OF_ONE = 20
/** Runs a hash when its turn comes. */
export const hashing = createFairSemaphore({
  places: AT_ONCE,
  placesOfOne: 1,
  waitingMax: WAITING_MAX,
  waitingMaxOfOne: WAITING_MAX_OF_ONE,
})

/** The source of what the operator of the machine does. */
export const OPERATOR = 'operator'

/**
 * The hash of a random text that was not kept, with the parameters above: comparing with it takes
 * as long as with a real one.
 */
const NOBODY = '$argon2id$v=19$m=19456,t=2,p=1$UmuOMqfGcKkKtDG7GTrnsA$PFZiBeBnbTERU5NwDFmshV35qt/Si6Evp/VHylcznGM'

/**
 * One keyboard sends が as one character, another as two: both must be the same password (NIST SP
 * 800-63B).
 */
const unify = (password: string): string => password.normalize('NFKC')

/**
 * @param asker the source for the fair queue
 * @throws ApiError unavailable or too_many_requests when too many hashes wait already
 */
export const hashPassword = (password: string, asker: string): Promise<string> =>
  hashing(() => argon2.hash(unify(password), PARAMETERS), asker)

/**
 * Compares in constant time. Without a hash (no such user, or one without a password) it takes the
 * same time and returns false.
 * @param asker the source for the fair queue
 * @throws ApiError unavailable or too_many_requests when too many hashes wait already
 */
export async function verifyPassword(passwordHash: string | null, password: string, asker: string): Promise<boolean> {
  const equal = await hashing(() => argon2.verify(passwordHash ?? NOBODY, unify(password)), asker)
  return equal && passwordHash !== null
}

/** argon2id, hashed on the thread pool. Parameters are those OWASP recommends: 19 MiB, two passes, one lane. */
import { hash, verify } from '@node-rs/argon2'
import { createTurns } from '../../lib/turns.ts'

const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
/** Hashes under way at a time: a storm of log-ins shall take neither the memory nor all threads, which images and disk need too. */
const AT_ONCE = 2
/** Hashes that may wait, about three seconds' worth on a small machine; beyond it the answer is "busy" at once. */
const WAITING_MAX = 100
/** Of one source, one at a time: others log in between its tries, however many these are. */
const WAITING_MAX_OF_ONE = 20
/** Runs a hash when its turn comes. */
export const hashing = createTurns({
  places: AT_ONCE,
  placesOfOne: 1,
  waitingMax: WAITING_MAX,
  waitingMaxOfOne: WAITING_MAX_OF_ONE,
})

/** The hash of something random that nobody kept, with the parameters above: comparing with it takes as long as with a real one. */
const NOBODY = '$argon2id$v=19$m=19456,t=2,p=1$UmuOMqfGcKkKtDG7GTrnsA$PFZiBeBnbTERU5NwDFmshV35qt/Si6Evp/VHylcznGM'

/** One keyboard sends が as one character, another as two: the same password must be the same everywhere (NIST SP 800-63B). */
const unify = (password: string): string => password.normalize('NFKC')

/**
 * @param asker whose turn it is; those whom nobody asks for have one of their own
 * @throws ApiError unavailable or too_many_requests when too many hashes wait already
 */
export const hashPassword = (password: string, asker?: string): Promise<string> =>
  hashing(() => hash(unify(password), PARAMETERS), asker)

/**
 * Compares in constant time. Without a hash (no such user, or one without a password) it takes the same time and is false.
 * @param asker whose turn it is
 * @throws ApiError unavailable or too_many_requests when too many hashes wait already
 */
export async function verifyPassword(passwordHash: string | null, password: string, asker: string): Promise<boolean> {
  const equal = await hashing(() => verify(passwordHash ?? NOBODY, unify(password)), asker)
  return equal && passwordHash !== null
}

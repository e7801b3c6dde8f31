/**
 * argon2id, hashed on the thread pool, with the parameters that OWASP recommends: 19 MiB, two
 * passes, one lane.
 */
import argon2 from '@node-rs/argon2'
import { hashing } from './hashing.ts'

const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
/** The address of what the operator of the machine does. */
export const OPERATOR = '127.0.0.1'

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
 * @param address of the client who asks for it
 * @throws ApiError unavailable or too_many_requests when there are too many hashes
 */
export const hashPassword = (password: string, address: string): Promise<string> =>
  hashing(address, (inTurn) => inTurn(() => argon2.hash(unify(password), PARAMETERS)))

/**
 * Compares in constant time. Without a user, or for one without a password, it takes the same time.
 * @param find looks up the user; it is called when there is room for the hash
 * @param address of the client who asks for it
 * @returns the user, if the password is right
 * @throws ApiError unavailable or too_many_requests when there are too many hashes
 */
export const verifyPassword = <User extends { readonly passwordHash: string | null }>(
  find: () => Promise<User | undefined>,
  password: string,
  address: string,
): Promise<User | undefined> =>
  hashing(address, async (inTurn) => {
    const user = await find()
    const passwordHash = user?.passwordHash ?? null
    const equal = await inTurn(() => argon2.verify(passwordHash ?? NOBODY, unify(password)))
    return equal && passwordHash !== null ? user : undefined
  })

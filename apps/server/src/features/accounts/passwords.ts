/** argon2id, hashed on the thread pool. Parameters are those OWASP recommends: 19 MiB, two passes, one lane. */
import { hash, verify } from '@node-rs/argon2'
import { createTurns } from '../../lib/turns.ts'

const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
/** Hashes under way at a time: a storm of log-ins shall take neither the memory nor all threads, which images and disk need too. */
const AT_ONCE = 2
const turns = createTurns(AT_ONCE)

/** What nobody's password hashes to: comparing with it takes as long as with a real one. */
let nobody: Promise<string> | null = null

export const hashPassword = (password: string): Promise<string> => turns(() => hash(password, PARAMETERS))

/**
 * Compares in constant time. Without a hash (no such user, or one without a password) it takes the same time and is false.
 */
export async function verifyPassword(passwordHash: string | null, password: string): Promise<boolean> {
  nobody ??= hash('nobody', PARAMETERS)
  const against = passwordHash ?? (await nobody)
  const equal = await turns(() => verify(against, password))
  return equal && passwordHash !== null
}

import { createHash, randomBytes } from 'node:crypto'

/** A token that nobody guesses, for a cookie or a mailed link: 256 bits. */
export const createToken = (): string => randomBytes(32).toString('base64url')

/** How a secret that was made at random is stored: who reads the table can use none of them. No password, which would need a slow hash. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('base64url')

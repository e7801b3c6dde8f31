import { createHash, randomBytes } from 'node:crypto'

/** An unguessable token for a cookie or a mailed link: 256 bits. */
export const createToken = (): string => randomBytes(32).toString('base64url')

/**
 * The stored form of a random token, which is useless to readers of the table. Passwords need a
 * slow hash instead.
 */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('base64url')

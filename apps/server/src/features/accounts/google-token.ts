/** Verification of ID tokens of the Google sign-in against Google's published keys. */
import type { FastifyBaseLogger } from 'fastify'
import { createRemoteJWKSet, errors, jwtVerify, type JWTPayload, type JWTVerifyGetKey } from 'jose'
import { email } from '@shinobi/contract/accounts'
import { messages } from '@shinobi/contract/messages'
import type { Config } from '../../config.ts'
import { ApiError } from '../../lib/api-error.ts'

/** The claims about a user who signed in with Google. */
export interface GoogleIdentity {
  /** `sub`: Google's id of the account, the only claim that never changes. */
  readonly subject: string
  /** Null unless Google has verified the address. */
  readonly verifiedEmail: string | null
  /** The nonce that the browser sent to Google; null without one. */
  readonly nonce: string | null
}

/**
 * Resolves to undefined for an invalid token. @throws ApiError unavailable while Google's keys
 * cannot be reached
 */
export type VerifyGoogleToken = (credential: string) => Promise<GoogleIdentity | undefined>

const ISSUERS = ['https://accounts.google.com', 'accounts.google.com']
/** For clocks that differ. */
const TOLERANCE_S = 60
/** Google answers in a tenth of a second; a user is waiting. */
const FETCH_WITHIN_MS = 4_000
const RETRY_AFTER_S = 10
/** Errors of the key look-up that mean an invalid token. */
const TOKEN_ERRORS = [errors.JWKSNoMatchingKey, errors.JWKSMultipleMatchingKeys, errors.JOSENotSupported]

/** Google's keys could not be fetched, so the token could not be checked. */
class KeysUnreachable extends Error {}

/** Null without GOOGLE_CLIENT_ID. */
export function createGoogleVerifier(
  { googleClientId: clientId, googleJwksUrl }: Config,
  log: FastifyBaseLogger,
  now: () => number,
): VerifyGoogleToken | null {
  if (clientId === null) return null
  // Caches the keys for ten minutes, and fetches for an unknown one at most every thirty seconds.
  const keys = createRemoteJWKSet(new URL(googleJwksUrl), { timeoutDuration: FETCH_WITHIN_MS })
  const findKey: JWTVerifyGetKey = async (header, token) => {
    try {
      return await keys(header, token)
    } catch (error) {
      if (TOKEN_ERRORS.some((kind) => error instanceof kind)) throw error
      throw new KeysUnreachable("Google's keys cannot be reached", { cause: error })
    }
  }
  return async (credential) => {
    try {
      const { payload } = await jwtVerify(credential, findKey, {
        // The algorithm of Google. Others are refused: "none", and HMAC with the public key as a
        // shared secret.
        algorithms: ['RS256'],
        issuer: ISSUERS,
        audience: clientId,
        requiredClaims: ['exp', 'iat', 'sub'],
        currentDate: new Date(now()),
        clockTolerance: TOLERANCE_S,
      })
      return readIdentity(payload, clientId)
    } catch (error) {
      if (!(error instanceof KeysUnreachable)) return undefined
      log.warn({ err: error }, "Google's keys could not be fetched: sign-ins with Google fail")
      throw new ApiError('unavailable', messages.unavailable, RETRY_AFTER_S)
    }
  }
}

function readIdentity(
  { sub = '', aud, email: address, email_verified: isVerified, nonce = null }: JWTPayload,
  clientId: string,
): GoogleIdentity | undefined {
  // A token for several audiences could have been issued for another one of them.
  if (aud !== clientId || !/^[\x21-\x7e]{1,255}$/.test(sub)) return undefined
  if (nonce !== null && typeof nonce !== 'string') return undefined
  const parsed = email.safeParse(address)
  return {
    subject: sub,
    verifiedEmail: isVerified === true && parsed.success ? parsed.data : null,
    nonce,
  }
}

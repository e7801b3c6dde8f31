/** ID tokens of the Google sign-in, checked against Google's published keys before anything in them counts. */
import type { FastifyBaseLogger } from 'fastify'
import { createRemoteJWKSet, errors, jwtVerify, type JWTPayload, type JWTVerifyGetKey } from 'jose'
import { email } from '@shinobi/contract/accounts'
import { messages } from '@shinobi/contract/messages'
import type { Config } from '../../config.ts'
import { ApiError } from '../../lib/api-error.ts'

/** What Google says of somebody who signed in. */
export interface GoogleIdentity {
  /** `sub`: Google's id of the account, the only thing that never changes. */
  readonly subject: string
  /** Null unless Google has verified that it is theirs. */
  readonly verifiedEmail: string | null
  /** What the browser gave Google on the way there; null without one. */
  readonly nonce: string | null
}

/** Undefined for a token that does not hold. @throws ApiError unavailable while Google's keys cannot be reached */
export type VerifyGoogleToken = (credential: string) => Promise<GoogleIdentity | undefined>

const ISSUERS = ['https://accounts.google.com', 'accounts.google.com']
/** Clocks differ. */
const TOLERANCE_S = 60
/** Google answers in a tenth of a second; somebody is waiting. */
const FETCH_WITHIN_MS = 4_000
const COME_BACK_S = 10
/** Ways of finding no key that are the token's fault. */
const TOKEN_ERRORS = [errors.JWKSNoMatchingKey, errors.JWKSMultipleMatchingKeys, errors.JOSENotSupported]

/** Google's keys could not be had: nothing is known of the token. */
class KeysUnreachable extends Error {}

/** Null without GOOGLE_CLIENT_ID. */
export function createGoogleVerifier(
  { googleClientId: clientId, googleJwksUrl }: Config,
  log: FastifyBaseLogger,
  now: () => number,
): VerifyGoogleToken | null {
  if (clientId === null) return null
  // Keeps the keys for ten minutes, and looks for an unknown one at most every thirty seconds.
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
        // The one that Google signs with: neither "none", nor a public key taken for a shared secret.
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
      log.warn({ err: error }, 'the Google sign-in is out of order')
      throw new ApiError('unavailable', messages.unavailable, COME_BACK_S)
    }
  }
}

function readIdentity(
  { sub = '', aud, email: address, email_verified: isVerified, nonce = null }: JWTPayload,
  clientId: string,
): GoogleIdentity | undefined {
  // For several audiences at once a token would prove nothing about this one.
  if (aud !== clientId || !/^[\x21-\x7e]{1,255}$/.test(sub)) return undefined
  if (nonce !== null && typeof nonce !== 'string') return undefined
  const parsed = email.safeParse(address)
  return {
    subject: sub,
    verifiedEmail: isVerified === true && parsed.success ? parsed.data : null,
    nonce,
  }
}
